"""The claims, one module each: law, settings, contract, and the catalogue with its sentences."""

from autograder.check.claims import (
    attacker_posterior,
    discrete_laplace,
    epsilon_for_error,
    halved_noise_counterexample,
    laplace_mechanism,
    private_count,
)

__all__ = ["CLAIMS"]

CLAIMS = {
    module.CLAIM.name: module.CLAIM
    for module in (
        attacker_posterior,
        discrete_laplace,
        epsilon_for_error,
        halved_noise_counterexample,
        laplace_mechanism,
        private_count,
    )
}
