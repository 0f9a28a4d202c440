"""Audits: what a mechanism's outputs certify about its epsilon, whatever its proof says.

An audit can refute a claim and never prove one: the bound is from below.
"""

from dplib.audit.canaries import attack_epsilon, canary_scores, true_positive_rate
from dplib.audit.certify import (
    AuditResult,
    MembershipResult,
    epsilon_lower_bound,
    membership_inference,
)
from dplib.audit.events import Condition, Event

__all__ = [
    "AuditResult",
    "Condition",
    "Event",
    "MembershipResult",
    "attack_epsilon",
    "canary_scores",
    "epsilon_lower_bound",
    "membership_inference",
    "true_positive_rate",
]
