"""docs/security.md is what the last run of the battery wrote, and holds every attack."""

from battery import BATTERY, GROUPS
from security_page import PAGE, expected_page


def test_the_page_shows_a_run_in_which_all_was_as_it_should_be():
    """After a change: `make test-hostile` writes the page anew."""
    assert PAGE.read_text("utf-8") == expected_page()


def test_every_attack_has_its_own_name_and_row():
    attacks = [attack for group in GROUPS.values() for attack in group]
    assert len(attacks) == len(BATTERY)
    text = PAGE.read_text("utf-8")
    for attack in attacks:
        assert text.count(f"(`{attack.name}`)") == 1
        assert attack.plain and attack.ours


def test_the_moment_decides_between_two_outcomes_and_no_more():
    attack = BATTERY["garbage_in_descriptors"]
    assert attack.usual("plain", attack.sometimes["plain"]) == attack.plain
    assert attack.usual("ours", attack.sometimes["plain"]) == attack.sometimes["plain"]
    assert BATTERY["loop"].usual("ours", "no score") == "no score"
