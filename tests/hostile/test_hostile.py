"""Every attack works on plain nbgrader, and not on ours: run by `make test-hostile`.

As root, a part of the battery runs a second time: the attacks where it matters who runs the grader.
"""

import pytest
from attack import HONEST, Measured
from battery import BATTERY, GROUPS, NOT_STOPPED
from class_under_attack import COURSE, POINTS
from everything import AS_ROOT
from security_page import PAGE, page

pytestmark = pytest.mark.hostile
USERS = ("user", "root")
CASES = [(name, user) for name in BATTERY for user in (USERS if name in AS_ROOT else ("anybody",))]
# Right answers in odd clothes; and what the page says is not stopped: mended, it moves to a table.
OTHERS = [attack.name for title in ("Odd, and harmless", NOT_STOPPED) for attack in GROUPS[title]]


def test_plain_nbgrader_lets_each_attack_through(seen):
    """It is really mounted: now, or when the record of it was made, which is current."""
    words = {name: seen.plain.seen[name].words() for name in BATTERY}
    usual = {name: attack.usual("plain", words[name]) for name, attack in BATTERY.items()}
    assert usual == {name: attack.plain for name, attack in BATTERY.items()}


@pytest.mark.parametrize(("name", "user"), CASES)
def test_it_comes_to_nothing(seen, name, user):
    attack, words = BATTERY[name], _ours(seen, user).seen[name].words()
    assert attack.usual("ours", words) == attack.ours


@pytest.mark.parametrize(("name", "user"), [case for case in CASES if case[0] not in OTHERS])
def test_no_points_are_stolen_in_silence(seen, name, user):
    """Whatever an attack earns, beside a test that calls no check, somebody is told of it."""
    found = _ours(seen, user).seen[name]
    assert not found.harm and not found.batch
    assert not found.score or (found.flagged and BATTERY[name].chapter == COURSE)


@pytest.mark.parametrize("user", USERS)
def test_the_others_are_graded(seen, user):
    ours = _ours(seen, user)
    assert ours.finished
    chapters = {BATTERY[name].chapter for name in ours.seen}
    assert ours.honest == [POINTS] * len(HONEST) * len(chapters)


def test_the_page_is_what_was_seen(seen):
    assert PAGE.read_text("utf-8") == page(seen.plain, seen.whole)


def _ours(seen, user: str) -> Measured:
    if user == "anybody":
        return seen.whole
    if user not in seen.ours:
        pytest.skip(seen.users[user])
    return seen.ours[user]
