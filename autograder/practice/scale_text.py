"""The scale of a plan's noise as an expression: what an answer computes from its budget."""

from autograder.practice.task_plan import CHOICES, GAUSSIAN, GROUPED, Plan


def scale_texts(plan: Plan, style: str) -> list[str]:
    """Return the scale of each entry as an expression; one where all entries have the same."""
    sensitivities, spent, deltas = _sensitivity_texts(plan), spent_texts(plan), _deltas(plan)
    if len(spent) == 1:
        spent, deltas = spent * len(sensitivities), deltas * len(sensitivities)
    root, log = ("np.sqrt", "np.log") if style == "arrays" else ("math.sqrt", "math.log")
    two = "" if plan.slip == "two missing" else "2 * "
    found = []
    for sensitivity, part, delta in zip(sensitivities, spent, deltas, strict=True):
        if plan.noise == "gaussian":
            text = f"{sensitivity} * {root}({two}{log}(1.25 / ({delta}))) / ({part})"
        elif plan.noise == "gaussian_rho":
            text = f"{sensitivity} / {root}({two}{part})"
        elif plan.noise in CHOICES:
            text = f"{two}{sensitivity} / ({part})"
        else:
            text = f"{sensitivity} / ({part})"
        if plan.slip == "upside down":
            text = f"1 / ({text})"
        found.append(f"({text}) ** 2" if plan.slip == "variance" else text)
    return found


def _sensitivity_texts(plan: Plan) -> list[str]:
    if plan.slip == "unit sensitivity":
        return ["1"] * {"mean": 2, "sums": len(plan.columns)}.get(plan.question, 1)
    each = f"{plan.rows_each} * " if plan.rows_each > 1 else ""
    replaced = plan.relation == "replace_one"
    two_norm = (plan.noise in GAUSSIAN) != (plan.slip == "other norm")
    if plan.question in ("sum", "sums", "mean"):
        widths = [f"({b} - {a})" if replaced else str(b) for a, b in plan.bounds]
        if plan.question == "mean":
            widths.append("1")
        together = plan.question == "sums" and plan.split[0] != "each" and plan.slip != "one entry"
        if together and two_norm:
            widths = ["(" + " + ".join(f"{width}**2" for width in widths) + ") ** 0.5"]
        elif together:
            widths = ["(" + " + ".join(widths) + ")"]
        return [each + width for width in widths]
    if plan.question in GROUPED and replaced and plan.slip != "one entry":
        return [each + ("2**0.5" if two_norm else "2")]
    if plan.question == "quantile" and not replaced:
        return [each + str(max(plan.quantile, 1 - plan.quantile))]
    return [each + "1"]


def _part_texts(plan: Plan, whole: str) -> list[str]:
    """Return each entry's part of something that is shared."""
    kind, *numbers = plan.split
    if kind == "whole" or plan.slip == "whole budget":
        return [whole, whole] if kind == "two" else [whole]
    swapped = plan.slip == "other share"
    if kind in ("equal", "each"):
        releases = numbers[0] if kind == "equal" else len(plan.columns)
        return [f"{whole} {'*' if swapped else '/'} {releases}"]
    a, b = numbers
    parts = [f"{whole} * {a} / {b}", f"{whole} * {b - a} / {b}"]
    parts = parts[::-1] if swapped else parts
    return parts if kind == "two" else parts[:1]


def spent_texts(plan: Plan) -> list[str]:
    whole = "rho" if plan.noise == "gaussian_rho" else "epsilon"
    return _part_texts(plan, "1.0" if plan.slip == "budget ignored" else whole)


def _deltas(plan: Plan) -> list[str]:
    if plan.slip == "whole delta":
        return ["delta"] * len(spent_texts(plan))
    if plan.slip == "delta ignored":
        return ["1"] * len(spent_texts(plan))
    return _part_texts(plan, "delta")
