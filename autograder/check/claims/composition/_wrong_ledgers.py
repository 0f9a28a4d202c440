"""Ledgers that go wrong in one step."""

from autograder.check.claims.composition._guarantees import guarantee
from autograder.check.claims.composition._ledgers import PrivacyLedger


def refusing_if(over, **members):
    """Return a ledger that refuses by another rule: over(ledger, epsilon)."""
    return type("Ledger", (PrivacyLedger,), {"over": over, **members})


class CountsTheRefused(PrivacyLedger):
    def spend(self, cost, label=""):
        over = self.over(cost.epsilon)
        self.parts.append(cost.epsilon)
        if over:
            raise ValueError(label)
        return self.spent


class Closes(PrivacyLedger):
    closed = False

    def over(self, epsilon):
        self.closed = self.closed or super().over(epsilon)
        return self.closed


class KeepsTheLastOfALabel(PrivacyLedger):
    def __init__(self, budget):
        super().__init__(budget)
        self.labels = {}

    def spend(self, cost, label=""):
        kept = {**self.labels, label: cost.epsilon}
        if cost.neighbors != self.neighbors or sum(kept.values()) > self.budget * (1 + 1e-9):
            raise ValueError(label)
        self.labels, self.parts = kept, [*kept.values()]
        return self.spent


class RefusesInSilence(PrivacyLedger):
    def spend(self, cost, label=""):
        return None if self.over(cost.epsilon) else super().spend(cost, label)


class CutsDown(PrivacyLedger):
    def spend(self, cost, label=""):
        left = self.budget - self.total()
        if left < 1e-12:
            raise ValueError(label)
        return super().spend(guarantee(min(cost.epsilon, left), cost.neighbors), label)


class SharesOneAccount(PrivacyLedger):
    # One list for the ledgers of a script: they are made at once, then the steps follow.
    common, stepping = (), True

    def __init__(self, budget):
        super().__init__(budget)
        if SharesOneAccount.stepping:
            SharesOneAccount.common, SharesOneAccount.stepping = self.parts, False
        self.parts = SharesOneAccount.common

    def spend(self, cost, label=""):
        SharesOneAccount.stepping = True
        return super().spend(cost, label)


def accepting(times):
    """Return a ledger that accepts releases for other neighbors, at so many times their cost."""

    class AcceptsOthers(PrivacyLedger):
        def spend(self, cost, label=""):
            epsilon = cost.epsilon * (1 if cost.neighbors == self.neighbors else times)
            return super().spend(guarantee(epsilon, self.neighbors), label)

    return AcceptsOthers


class WritesOthersDown(PrivacyLedger):
    def spend(self, cost, label=""):
        if cost.neighbors != self.neighbors:
            self.parts.append(cost.epsilon)
        return super().spend(cost, label)


class ClosesAfterOthers(PrivacyLedger):
    """What is written down for two kinds of neighbors has no sum."""

    closed = False

    def spend(self, cost, label=""):
        self.closed = self.closed or bool(self.parts and cost.neighbors != self.neighbors)
        if self.closed:
            raise ValueError(label)
        return super().spend(cost, label)
