"""Every attack works on plain nbgrader, and not on ours: run by `make test-hostile`.

As root, the whole battery runs a second time as an ordinary user.
"""

import pytest
from attack import HONEST
from battery import BATTERY, GROUPS, NOT_STOPPED
from class_under_attack import POINTS
from security_page import PAGE, page

pytestmark = pytest.mark.hostile
USERS = ("user", "root")
# Right answers in odd clothes; and what the page says is not stopped: mended, it moves to a table.
OTHERS = [attack.name for title in ("Odd, and harmless", NOT_STOPPED) for attack in GROUPS[title]]


@pytest.mark.parametrize("name", BATTERY)
def test_plain_nbgrader_lets_it_through(seen, name):
    """The attack is really mounted."""
    attack, words = BATTERY[name], seen.plain.seen[name].words()
    assert attack.usual("plain", words) == attack.plain


@pytest.mark.parametrize("user", USERS)
@pytest.mark.parametrize("name", BATTERY)
def test_it_comes_to_nothing(seen, name, user):
    _need(seen, user)
    attack, words = BATTERY[name], seen.ours[user].seen[name].words()
    assert attack.usual("ours", words) == attack.ours


@pytest.mark.parametrize("user", USERS)
@pytest.mark.parametrize("name", [name for name in BATTERY if name not in OTHERS])
def test_no_points_are_stolen_in_silence(seen, name, user):
    """Whatever an attack earns, the second opinion does not give, and somebody is told."""
    _need(seen, user)
    found = seen.ours[user].seen[name]
    assert not found.harm and not found.batch
    assert not found.score or (found.flagged and found.second == 0)


@pytest.mark.parametrize("user", USERS)
def test_the_others_are_graded(seen, user):
    _need(seen, user)
    assert seen.ours[user].finished
    chapters = {attack.chapter for attack in BATTERY.values()}
    assert seen.ours[user].honest == [POINTS] * len(HONEST) * len(chapters)


def test_the_page_is_what_was_seen(seen):
    assert PAGE.read_text("utf-8") == page(seen.plain, next(iter(seen.ours.values())))


def _need(seen, user: str) -> None:
    if user not in seen.ours:
        pytest.skip(seen.users[user])
