"""Wrong answers to exercises with programs that leak, made from a right one."""

from collections.abc import Callable

from autograder.check.claims import CLAIMS


def wrong_leaks(exercise: str, right: Callable[[], tuple]) -> list[tuple[Callable, str]]:
    """Return wrong answers, each with the words that must name what it lacks."""
    name, *said = right()
    leaking = next(k for k, each in enumerate(said) if each != "private")
    table, neighbor, event = said[leaking]
    words = CLAIMS[exercise].family(name)[leaking].program.words
    row = {words.group: words.groups[0], words.number: words.top}
    low, far = {**row, words.number: 0}, [*neighbor, row, row, row]
    if words.added:
        other = [[row, row], [row, low]], [[row, row, low], [low, row]]
    else:
        other = [[row, row], [row]], [[low, row], [row, low]]

    def instead(given):
        return lambda: (name, *said[:leaking], given, *said[leaking + 1 :])

    return [
        (lambda: (name, *["private"] * 3), "at least one of the three programs leaks"),
        (lambda: (name, said[0], said[1]), "four things are wanted"),
        (lambda: ("", *said), "your name is missing"),
        (lambda: ("Karrie  Trusslove", *said), "these are not your programs"),
        (instead((table, neighbor)), "nor three things"),
        (instead("leaks"), "nor three things"),
        (instead((table, table, event)), "the two tables are equal"),
        (instead((table, far, event)), "not neighbors"),
        (instead((*other[0], event)), "neighbors of the other kind"),
        (instead((*other[1], event)), "the rows stand in another order"),
        (instead(([row] * 7, [row] * 6, event)), "a list of at most 6 rows"),
        (instead(([{**row, "name": "Karrie"}], [], event)), "a row is one that"),
        (instead(([{**row, words.number: words.top + 1}], [], event)), "a row is one that"),
        (instead((table, neighbor, True)), "the event is not a function"),
        (instead((table, neighbor, lambda output: output.size)), "stops with an error"),
        (instead((table, neighbor, lambda output: True)), "every output is in the event"),
        (instead((table, neighbor, lambda output: output == "?")), "no output is in the event"),
        (instead((neighbor, table, event)), "stand in the wrong order"),
    ]
