"""Answers that are made of another answer."""


def then(answer, change):
    """Return the answer, but for what `change` makes of what comes back."""
    return lambda *given, **named: change(answer(*given, **named))


def given(answer, **otherwise):
    """Return the answer, but for some arguments that it gets otherwise."""
    return lambda *arguments, **named: answer(*arguments, **{**named, **otherwise})
