"""Hiding people without noise: taking names away, crowds of k, and the attacks on both.

Nothing here is differentially private. A released table still answers an attacker who knows enough
about one person: the functions show how often, and what it costs to make it rarer.
"""

from dplib.deidentification.attacks import (
    deidentify,
    differencing_attack,
    linkage_attack,
    unique_fraction,
)
from dplib.deidentification.generalization import (
    clip_outliers,
    generalize,
    k_anonymity,
    suppress_small_groups,
)
from dplib.deidentification.intersection import intersection_attack, publish_crowds
from dplib.deidentification.partition import anonymize, information_loss
from dplib.deidentification.reconstruction import reconstruct, reconstructed_share

__all__ = [
    "anonymize",
    "clip_outliers",
    "deidentify",
    "differencing_attack",
    "generalize",
    "information_loss",
    "intersection_attack",
    "k_anonymity",
    "linkage_attack",
    "publish_crowds",
    "reconstruct",
    "reconstructed_share",
    "suppress_small_groups",
    "unique_fraction",
]
