"""Right answers in odd styles, which honest students write and the grader must not flag.

Each is a chapter, answers by name, and cells of the student's own, by the cell that they precede.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

import nbformat
import toy
from nbformat.v4 import new_code_cell
from notebooks import read


@dataclass(frozen=True)
class Style:
    """One student's way to write."""

    chapter: str
    answers: Mapping[str, str]
    own: Mapping[str, str] = field(default_factory=dict)

    def notebook(self) -> nbformat.NotebookNode:
        """Return the chapter's notebook with these answers and cells, without other exercises."""
        notebook, cells = read(self.chapter), []
        for cell in notebook.cells:
            name = toy.name(cell)
            if name in self.own:
                cells.append(new_code_cell(self.own[name], id=f"own-{name}"))
            if name == "setup" or (name and name.startswith(tuple(self.answers))):
                cell.source = self.answers.get(name, cell.source)
                cells.append(cell)
        notebook.cells = cells
        return notebook


STYLES = {
    "helpers and constants in other cells": Style(
        "03_laplace",
        {
            "laplace_mechanism": "def laplace_mechanism(value, *, sensitivity, epsilon, rng=0):\n"
            "    return noisy(value, sensitivity * PER_UNIT / epsilon)",
            "epsilon_for_error": "epsilon_for_error = lambda error, *, probability, sensitivity: ("
            "\n    PER_UNIT * sensitivity * -np.log1p(-probability) / error)",
        },
        {
            "laplace_mechanism": "PER_UNIT = 1.0\ndef noisy(value, scale):\n"
            "    sign = GENERATOR.choice([-1, 1])\n"
            "    return value + sign * GENERATOR.exponential(scale)\n"
            "GENERATOR = np.random.default_rng()"
        },
    ),
    "functions that are objects": Style(
        "03_laplace",
        {
            "laplace_mechanism": "class Mechanism:\n    calls = 0\n"
            "    def __call__(self, value, *, sensitivity, epsilon, rng=None):\n"
            "        self.calls += 1\n"
            "        rng = rng or np.random.default_rng()\n"
            "        return value + rng.laplace(0, sensitivity / epsilon, np.shape(value))\n"
            "laplace_mechanism = Mechanism()",
            "attacker_posterior": "class Attacker:\n    @staticmethod\n"
            "    def posterior(noisy_count, *, count_without, epsilon, prior):\n"
            "        far, near = (abs(noisy_count - count_without - k) for k in (0, 1))\n"
            "        odds = prior / (1 - prior) * np.exp(epsilon * (far - near))\n"
            "        return odds / (1 + odds)\n"
            "attacker_posterior = Attacker.posterior",
        },
    ),
    "closures over data, and a partial": Style(
        "03_laplace",
        {
            "laplace_mechanism": "import functools\ndef with_noise_of(generator):\n"
            "    seen = []\n"
            "    def release(value, sensitivity, epsilon, rng=None):\n"
            "        seen.append(value)\n"
            "        return (rng or generator).laplace(value, sensitivity / epsilon)\n"
            "    return release\n"
            "laplace_mechanism = functools.partial(with_noise_of(np.random.default_rng()))",
            "discrete_laplace": "import math, random\n"
            "def discrete_laplace(value, *, sensitivity, epsilon, rng=None):\n"
            "    def tosses(p):\n        number = 0\n"
            "        while random.random() >= p:\n            number += 1\n        return number\n"
            "    p = 1 - math.exp(-epsilon / sensitivity)\n"
            "    return value + tosses(p) - tosses(p)",
        },
    ),
    "numbers of every kind": Style(
        "03_laplace",
        {
            "epsilon_for_error": "from fractions import Fraction\nfrom decimal import Decimal\n"
            "def epsilon_for_error(error, *, probability, sensitivity):\n"
            "    return np.float32(0) + np.array([np.log(1 / (1 - probability))]) * sensitivity"
            " / error",
            "leaks_in_counts": "def leaks_in_counts():\n"
            "    from collections import namedtuple\n"
            "    Said = namedtuple('Said', 'name first second third')\n"
            "    table = pd.DataFrame({'plan': ['day'], 'hours': np.array([4])})\n"
            "    leak = (table, table[:0], lambda output: np.bool_(output != 0))\n"
            "    return Said('Model Answer', 'private', leak, 'private')",
        },
    ),
    "a cache and a generator kept": Style(
        "04_composition",
        {
            "sequential_composition": "import functools\n@functools.lru_cache(maxsize=None)\n"
            "def _sum(guarantees):\n"
            "    kinds = {each.neighbors for each in guarantees}\n"
            "    if len(kinds) > 1:\n        raise ValueError('different neighbors')\n"
            "    return PureDP(sum(each.epsilon for each in guarantees), kinds.pop())\n"
            "def sequential_composition(guarantees):\n    return _sum(tuple(guarantees))",
        },
    ),
    "extension arrays and categories": Style(
        "04_composition",
        {
            "private_histogram": "def private_histogram(values, *, categories, epsilon, "
            "neighbors='add_remove', rng=None):\n"
            "    rng = rng or np.random.default_rng()\n"
            "    kinds = pd.Categorical(values, categories=list(categories))\n"
            "    counts = kinds.value_counts()\n"
            "    scale = {'add_remove': 1, 'replace_one': 2}[neighbors] / epsilon\n"
            "    noisy = counts.to_numpy() + rng.laplace(0, scale, len(counts))\n"
            "    return pd.Series(pd.array(noisy, dtype='Float64'), index=counts.index)",
            "nonnegative_counts": "def nonnegative_counts(released):\n"
            "    return released.where(released > 0, 0).astype('Float64')",
        },
    ),
    "dictionaries and lists of words": Style(
        "04_composition",
        {
            "leaks_in_tables": "class Leak:\n"
            "    def __init__(self, test):\n        self.test = test\n"
            "    def __call__(self, output):\n        return self.test(**output)\n"
            "def leaks_in_tables():\n"
            "    row = lambda wing, tours: dict(wing=wing, tours=np.int64(tours))\n"
            "    in_all = Leak(lambda first_line, use: np.all(np.array([first_line, *use]) >= 1))\n"
            "    moved = Leak(lambda first_line, answer: first_line[0] >= 1 > first_line[1])\n"
            "    return ('Model Answer', [(row('new', 5),), (), in_all],\n"
            "            ([row('new', 0)], [row('old', 0)], moved), 'private')",
            "nonnegative_counts": "def nonnegative_counts(released):\n"
            "    import copy\n    mine = copy.deepcopy(released)\n"
            "    mine[mine < 0] = 0\n    return mine",
        },
    ),
    "a ledger with slots and a helper class": Style(
        "04_composition",
        {
            "privacy_ledger": "class Entries(list):\n"
            "    def total(self):\n"
            "        return dplib.sequential_composition(list(self)) if self else None\n"
            "class PrivacyLedger:\n    __slots__ = ('budget', 'guarantees', '_labels')\n"
            "    def __init__(self, budget):\n"
            "        self.budget, self.guarantees, self._labels = budget, Entries(), {}\n"
            "    @property\n    def spent(self):\n        return self.guarantees.total()\n"
            "    def spend(self, guarantee, label=''):\n"
            "        total = Entries([*self.guarantees, guarantee]).total()\n"
            "        if total.neighbors != self.budget.neighbors:\n"
            "            raise ValueError('other neighbors')\n"
            "        if total.epsilon > self.budget.epsilon * (1 + 1e-9):\n"
            "            raise ValueError('too much')\n"
            "        self.guarantees.append(guarantee)\n        self._labels[label] = guarantee\n"
            "        return total",
        },
    ),
    "Python alone": Style(
        "10_exponential",
        {
            "exponential_mechanism": "import math, random\n"
            "def exponential_mechanism(candidates, scores, *, sensitivity, epsilon, "
            "monotone=False, rng=None):\n"
            "    best, factor = max(scores), epsilon / sensitivity / (1 if monotone else 2)\n"
            "    weights = [math.exp(factor * (score - best)) for score in scores]\n"
            "    return random.choices(list(candidates), weights)[0]",
            "permute_and_flip": "def permute_and_flip(candidates, scores, *, sensitivity, epsilon, "
            "monotone=False, rng=None):\n"
            "    best = max(scores)\n    pairs = list(zip(candidates, scores))\n"
            "    unit = (2 - monotone) * sensitivity\n"
            "    random.shuffle(pairs)\n"
            "    for candidate, score in pairs:\n"
            "        if random.random() < math.exp(epsilon * (score - best) / unit):\n"
            "            return candidate",
        },
    ),
    "Gumbel noise, sorted, an iterator": Style(
        "10_exponential",
        {
            "exponential_mechanism": "def exponential_mechanism(candidates, scores, *, "
            "sensitivity, epsilon, monotone=False, rng=None):\n"
            "    rng = rng or np.random.default_rng()\n"
            "    scale = (1 if monotone else 2) * sensitivity / epsilon\n"
            "    noisy = np.asarray(scores, float) / scale + rng.gumbel(size=len(scores))\n"
            "    ranked = sorted(zip(noisy, range(len(scores))), reverse=True)\n"
            "    return candidates[next(iter(ranked))[1]]",
            "naive_weights_counterexample": "def naive_weights_counterexample(epsilon):\n"
            "    return pd.Index([1425 / epsilon, 1425 / epsilon, 0]).tolist()",
        },
    ),
    "one helper for two exercises": Style(
        "10_exponential",
        {
            "exponential_mechanism": "def exponential_mechanism(candidates, scores, *, "
            "sensitivity, epsilon, monotone=False, rng=None):\n"
            "    unit = (1 if monotone else 2) * sensitivity\n"
            "    return pick(list(candidates), [u / unit for u in scores], epsilon, rng)",
            "private_median": "def private_median(values, *, candidates, epsilon, rng=None):\n"
            "    values = sorted(values)\n"
            "    scores = [min(sum(v <= c for v in values), sum(v >= c for v in values))\n"
            "              for c in candidates]\n"
            "    return pick(candidates, scores, epsilon, rng)",
        },
        {
            "exponential_mechanism": "def pick(things, scores, epsilon, rng):\n"
            "    rng = rng or np.random.default_rng()\n"
            "    noisy = [score * epsilon + rng.gumbel() for score in scores]\n"
            "    return things[max(range(len(noisy)), key=noisy.__getitem__)]"
        },
    ),
    "plain lists": Style(
        "13_local_dp",
        {
            "randomized_response": "import random\n"
            "def randomized_response(answers, *, epsilon=np.log(3), rng=None):\n"
            "    p = np.exp(epsilon) / (1 + np.exp(epsilon))\n"
            "    return [bool(a) if random.random() < p else not a for a in answers]",
            "perturb": "def perturb(bits, *, p, q, rng=None):\n"
            "    def one(bit):\n        return int(random.random() < (p if bit else q))\n"
            "    if np.ndim(bits) == 1:\n        return [one(bit) for bit in bits]\n"
            "    return [[one(bit) for bit in row] for row in bits]",
            "aggregate": "def aggregate(reports, *, p, q):\n"
            "    return [sum((bit - q) / (p - q) for bit in column) for column in zip(*reports)]",
            "shuffled_delta": "def shuffled_delta(others_yes, others_no, *, local_epsilon, "
            "epsilon):\n"
            "    p = 1 / (1 + np.exp(-local_epsilon))\n"
            "    def law(chances):\n"
            "        sums = np.array([1.0])\n"
            "        for chance in chances:\n"
            "            sums = np.convolve(sums, [1 - chance, chance])\n"
            "        return sums\n"
            "    others = [p] * others_yes + [1 - p] * others_no\n"
            "    one, other, r = law([*others, p]), law([*others, 1 - p]), np.exp(epsilon)\n"
            "    return max(sum(max(a - r * b, 0) for a, b in zip(*pair))\n"
            "               for pair in ((one, other), (other, one)))",
        },
    ),
    "tables and columns": Style(
        "13_local_dp",
        {
            "randomized_response": "def randomized_response(answers, *, epsilon=np.log(3), "
            "rng=None):\n"
            "    rng = rng or np.random.default_rng()\n"
            "    truth = rng.random(len(answers)) < 1 / (1 + np.exp(-epsilon))\n"
            "    answers = pd.Series(np.asarray(answers), dtype='boolean')\n"
            "    return answers.where(truth, ~answers)",
            "aggregate": "def aggregate(reports, *, p, q):\n"
            "    reports = pd.DataFrame(reports)\n"
            "    return reports.sum().sub(len(reports) * q).div(p - q)",
            "optimal_unary_probabilities": "def optimal_unary_probabilities(*, epsilon):\n"
            "    return np.array([0.5, 1 / (1 + np.exp(epsilon))])",
        },
    ),
    "matrices, maps and views": Style(
        "13_local_dp",
        {
            "aggregate": "from functools import reduce\nimport operator\n"
            "def aggregate(reports, *, p, q):\n"
            "    total = reduce(operator.add, (row.astype(float) - q for row in reports))\n"
            "    return tuple(total / (p - q))",
            "direct_perturb": "def direct_perturb(codes, *, domain_size, epsilon, rng=None):\n"
            "    rng = rng or np.random.default_rng()\n"
            "    weights = np.ones((domain_size, domain_size)) + (np.exp(epsilon) - 1) * np.eye("
            "domain_size)\n"
            "    return np.array([rng.choice(domain_size, p=weights[c] / weights[c].sum())\n"
            "                     for c in codes], dtype=np.int16)",
        },
    ),
}
