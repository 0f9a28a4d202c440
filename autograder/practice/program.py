"""An answer to a plan as Python: a right one in two styles, and one for each mistake."""

from autograder.practice.columns import GROUPS
from autograder.practice.exact import candidates, groups
from autograder.practice.scale import BUDGETS
from autograder.practice.scale_text import scale_texts, spent_texts
from autograder.practice.task_plan import CHOICES, GAUSSIAN, GROUPED, Plan

STYLES = ("arrays", "loops")
_HEAD = {
    "arrays": ["import numpy as np", "", "rng = np.random.default_rng()"],
    "loops": ["import math", "import random"],
}


def signature(plan: Plan, name: str) -> str:
    """Return how the answer is called."""
    given = "value" if plan.question == "answer" else "people"
    return f"{name}({given}, *, {', '.join(BUDGETS.get(plan.noise, ('epsilon',)))})"


def program(plan: Plan, name: str = "release", style: str = "arrays") -> str:
    """Return the text of an answer; with the plan's slip, if it has one.

    Args:
      plan: the task's parts.
      name: of the function.
      style: "arrays" for numpy and pandas, "loops" for Python alone.
    """
    if plan.question == "answer":
        body = _response(plan, style)
    elif plan.noise in CHOICES:
        body = [*_rows(plan, style), *_scores(plan, style), *_choice(plan, style)]
    elif plan.question == "mean":
        body = [*_rows(plan, style), *_mean(plan, style)]
    else:
        body = [*_rows(plan, style), *_numbers(plan, style)]
    lines = [*_HEAD[style], "", "", f"def {signature(plan, name)}:"]
    return "\n".join([*lines, *(f"    {line}" for line in body)]) + "\n"


def _rows(plan: Plan, style: str) -> list[str]:
    """Return the lines that leave the rows that count."""
    test = _test(plan)
    if style == "arrays":
        return [f"chosen = people[{test}]" if test else "chosen = people"]
    columns = list(dict.fromkeys([*plan.columns, *([plan.condition[0]] if plan.condition else [])]))
    if not columns:
        return ["chosen = list(range(len(people)))"]
    zipped = ", ".join(f"people[{column!r}]" for column in columns)
    names = ", ".join(f"v{place}" for place in range(len(columns)))
    condition = ""
    if test:
        place = columns.index(plan.condition[0])
        condition = f" if {test.replace(f'people[{plan.condition[0]!r}]', f'v{place}')}"
    kept = ", ".join(f"v{place}" for place in range(len(columns)))
    return [
        f"chosen = [({kept},) for {names}{',' * (len(columns) == 1)} in zip({zipped}){condition}]"
    ]


def _test(plan: Plan) -> str:
    """Return the condition as an expression, as the plan understands it."""
    if plan.condition is None or plan.slip == "no condition":
        return ""
    name, sign, value = plan.condition
    if plan.slip == "edge":
        sign = sign[0] if sign.endswith("=") and sign != "==" else f"{sign}="
    return f"people[{name!r}] {sign} {value!r}"


def _sums(plan: Plan, style: str) -> list[str]:
    """Return an expression for each sum of clipped values."""
    found = []
    for place, (name, (low, high)) in enumerate(zip(plan.columns, plan.bounds, strict=True)):
        low = 0 if plan.slip == "upper bound only" else low
        if style == "arrays":
            clip = "" if plan.slip == "no clipping" else f".clip({low}, {high})"
            found.append(f"chosen[{name!r}]{clip}.sum()")
        else:
            value = f"row[{place}]"
            clip = value if plan.slip == "no clipping" else f"min(max({value}, {low}), {high})"
            found.append(f"sum({clip} for row in chosen)")
    return found


def _exact(plan: Plan, style: str) -> list[str]:
    """Return the lines that give the exact numbers, as an array or as a list."""
    if plan.question in ("count", "sum", "sums"):
        entries = ["len(chosen)"] if plan.question == "count" else _sums(plan, style)
        return [f"exact = [{', '.join(entries)}]"]
    wanted = groups(plan)
    if style == "loops":
        row = ", ".join(f"row[{place}]" for place in range(len(plan.columns)))
        row = f"({row})" if plan.question == "crosstab" else "row[0]"
        return [
            f"groups = {wanted!r}",
            f"rows = [{row} for row in chosen]",
            "exact = [rows.count(group) for group in groups]",
        ]
    if plan.question == "histogram":
        column = f"chosen[{plan.columns[0]!r}]"
        return [f"groups = {wanted!r}", f"exact = [({column} == group).sum() for group in groups]"]
    one, other = (f"chosen[{name!r}]" for name in plan.columns)
    return [
        f"groups = {wanted!r}",
        f"exact = [(({one} == a) & ({other} == b)).sum() for a, b in groups]",
    ]


def _numbers(plan: Plan, style: str) -> list[str]:
    entries = scale_texts(plan, style)
    lines = _exact(plan, style)
    if plan.slip == "before the noise":
        lines.append(f"exact = [{_after(plan, 'x', style)} for x in exact]")
    several = plan.question in (*GROUPED, "sums")
    scales = f"[{', '.join(entries)}]" if len(entries) > 1 else f"[{entries[0]}] * len(exact)"
    lines.append(f"scales = {scales}")
    lines.append(f"noisy = [x + {_noise(plan, 'scale', style)} for x, scale in zip(exact, scales)]")
    done = plan.slip in ("before the noise", "no step")
    last = "x" if done else _after(plan, "x", style)
    lines.append(f"noisy = [{last} for x in noisy]" if last != "x" else "")
    lines.append("return noisy" if several else "return noisy[0]")
    return [line for line in lines if line]


def _mean(plan: Plan, style: str) -> list[str]:
    of_sum, of_count = scale_texts(plan, style)
    noise = "" if plan.slip == "exact count" else f" + {_noise(plan, f'({of_count})', style)}"
    (low, high), mean = plan.bounds[0], "total / max(count, 1)"
    lines = [
        f"total = {_sums(plan, style)[0]} + {_noise(plan, f'({of_sum})', style)}",
        f"count = len(chosen){noise}",
    ]
    if plan.slip != "no step":
        mean = f"min(max({mean}, {low}), {high})"
    return [*lines, f"return {mean}"]


def _after(plan: Plan, x: str, style: str) -> str:
    """Return the expression for what is done after the noise."""
    if plan.after == "none":
        return x
    if plan.after == "per_row":
        return f"{x} / len(people)"
    if plan.after == "clamp":
        return f"abs({x})" if plan.slip == "sign lost" else f"max({x}, 0)"
    if plan.slip == "whole numbers":
        return f"round({x})"
    if plan.slip == "rounded down":
        return f"10 * ({x} // 10)"
    return f"round({x} / 10) * 10" if style == "loops" else f"10 * np.round({x} / 10)"


def _noise(plan: Plan, scale: str, style: str) -> str:
    noise = plan.noise
    if plan.slip == "no noise":
        return "0"
    if plan.slip == "other shape":
        noise = "laplace" if noise in GAUSSIAN else "gaussian"
    if noise in GAUSSIAN:
        return f"rng.normal(0, {scale})" if style == "arrays" else f"random.gauss(0, {scale})"
    if noise == "laplace":
        drawn = f"random.expovariate(1 / {scale})"
        return f"rng.laplace(0, {scale})" if style == "arrays" else f"{drawn} - {drawn}"
    if style == "arrays":
        drawn = f"rng.geometric(1 - np.exp(-1 / {scale}))"
    else:
        drawn = f"int(random.expovariate(1 / {scale}))"
    return f"{drawn} - {drawn}"


def _scores(plan: Plan, style: str) -> list[str]:
    """Return the lines that give each candidate's score."""
    lines = [f"candidates = {candidates(plan)!r}"]
    column = f"chosen[{plan.columns[0]!r}]"
    if plan.question == "most_common":
        if style == "arrays":
            return [*lines, f"scores = np.array([({column} == each).sum() for each in candidates])"]
        lines.append("values = [row[0] for row in chosen]")
        return [*lines, "scores = [values.count(each) for each in candidates]"]
    sign, less = "" if plan.slip == "wrong sign" else "-", "<=" if plan.slip == "at most" else "<"
    if style == "arrays":
        lines.append(f"values = {column}.to_numpy()")
        lines.append(f"below = np.array([(values {less} each).sum() for each in candidates])")
        return [*lines, f"scores = {sign}abs(below - {plan.quantile} * len(values))"]
    lines.append("values = [row[0] for row in chosen]")
    lines.append(f"below = [sum(v {less} each for v in values) for each in candidates]")
    return [*lines, f"scores = [{sign}abs(b - {plan.quantile} * len(values)) for b in below]"]


def _choice(plan: Plan, style: str) -> list[str]:
    """Return the lines that choose a candidate by its score."""
    if plan.slip == "no noise":
        best = "int(np.argmax(scores))" if style == "arrays" else "scores.index(max(scores))"
        return [f"return candidates[{best}]"]
    scale = f"scale = {scale_texts(plan, style)[0]}"
    return [scale, *_CHOICES[plan.noise, style]]


_TWO_DRAWS = "random.expovariate(1 / scale) - random.expovariate(1 / scale)"
_CHOICES = {
    ("permute_and_flip", "arrays"): (
        "for place in rng.permutation(len(candidates)):",
        "    if rng.random() < np.exp((scores[place] - max(scores)) / scale):",
        "        return candidates[place]",
    ),
    ("permute_and_flip", "loops"): (
        "for place in random.sample(range(len(candidates)), len(candidates)):",
        "    if random.random() < math.exp((scores[place] - max(scores)) / scale):",
        "        return candidates[place]",
    ),
    ("noisy_max", "arrays"): (
        "noisy = scores + rng.laplace(scale=scale, size=len(scores))",
        "return candidates[int(np.argmax(noisy))]",
    ),
    ("noisy_max", "loops"): (
        f"noisy = [score + {_TWO_DRAWS} for score in scores]",
        "return candidates[noisy.index(max(noisy))]",
    ),
    ("exponential_mechanism", "arrays"): (
        "weights = np.exp((scores - scores.max()) / scale)",
        "return candidates[rng.choice(len(candidates), p=weights / weights.sum())]",
    ),
    ("exponential_mechanism", "loops"): (
        "noisy = [s - scale * math.log(random.expovariate(1)) for s in scores]  # Gumbel",
        "return candidates[noisy.index(max(noisy))]",
    ),
}


def _response(plan: Plan, style: str) -> list[str]:
    """Return the lines of randomized response."""
    exp = "np.exp" if style == "arrays" else "math.exp"
    uniform = "rng.random()" if style == "arrays" else "random.random()"
    test = _test(plan).replace(f"people[{plan.condition[0]!r}]", "value") if plan.condition else ""
    answers = [False, True] if plan.condition else list(GROUPS[plan.columns[0]])
    spent, others = spent_texts(plan)[0], len(answers) - 1
    formula = f"{exp}({spent}) / ({exp}({spent}) + {others})"
    chance = {
        "no noise": "1.0",
        "two answers": formula.replace(f"+ {others})", "+ 1)"),
        "upside down": f"1 / (1 + {others} * {exp}({spent}))",
        "two coins": f"0.5 + 0.5 / {others + 1}",
    }.get(plan.slip, formula)
    lie = "answers" if plan.slip == "drawn among all" else "[a for a in answers if a != honest]"
    pick = "lies[int(rng.integers(len(lies)))]" if style == "arrays" else "random.choice(lies)"
    return [
        f"answers = {answers!r}",
        f"honest = {test or 'value'}",
        f"lies = {lie}",
        f"return honest if {uniform} < {chance} else {pick}",
    ]
