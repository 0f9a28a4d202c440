"""What a student sees of three programs."""

from autograder.check.leaks.drawn_program import Program


class Programs(tuple[Program, ...]):
    """Programs; a notebook shows them as Markdown."""

    def __repr__(self) -> str:
        return "\n\n".join(f"program {n}: {each!r}" for n, each in enumerate(self, 1))

    def _repr_markdown_(self) -> str:
        return "\n\n".join(
            f"**Program {place}** claims ε = {each.epsilon:g}"
            f"{f', δ = {each.delta:g}' if each.delta else ''}. "
            f'A row: `{{"{each.words.group}": …, "{each.words.number}": …}}` '
            f"with {each.words.groups[0]!r} or {each.words.groups[1]!r}, and a whole number from "
            f"0 to {each.words.top}.\n\n```python\n{each.text}```"
            for place, each in enumerate(self, 1)
        )


def programs(exercise: str, name: str) -> Programs:
    """Return the three programs that an exercise draws for a name; the same ones at every call.

    Args:
      exercise: the exercise.
      name: yours. Capital letters do not matter.

    Raises:
      ValueError: there is no such exercise, or the name is empty.
    """
    from autograder.check.claims import CLAIMS  # they import the family

    family = getattr(CLAIMS[exercise], "family", None) if exercise in CLAIMS else None
    if family is None:
        raise ValueError(f"exercise must be one with programs, got {exercise!r}")
    if not name.strip():
        raise ValueError(f"name must be yours, got {name!r}")
    return Programs(each.program for each in family(name))
