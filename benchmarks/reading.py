"""How many minutes it takes to read forty answers: with the page, and with the table.

Run: python benchmarks/reading.py (a minute)

One and the same reader reads, decides and comments on each answer, and enters it in both ways: a
script plays the page in Chromium, where its key presses are counted as the browser gets them; those
of the table are counted for somebody who has both windows open, knows the keys of a spreadsheet,
and lets it complete words. What each kind of action takes is that of Card, Moran and Newell (1980),
"The keystroke-level model for user performance time with interactive systems". Reading and thinking
are the same in both ways, and are counted once: 238 words a minute (Brysbaert 2019), and as long
again to decide.
"""

import random
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from _figures import ROOT, figure

sys.path.insert(0, str(ROOT / "tests"))
sys.path.insert(0, str(ROOT / "tests" / "browser"))
import class_to_read
import labserver
from class_to_read import STUDENTS, recorded
from reading_page import come_in, reading, saved

KEY, LOOK = 0.28, 1.35  # seconds: a key of an average typist; a look at where one is
WORDS_A_MINUTE = 238
WORDS = 110  # of an answer; the task asks for at most 120
COMMENTS = (
    "Name the attacker, and what they know before.",
    "By which factor? The bound is on a change of odds.",
    "What others' rows tell about you is not covered.",
    "Good.",
)
COMPLETED = 3  # letters until a spreadsheet completes a comment that stands in the column


@dataclass
class Effort:
    """What was done with the hands, and how often the eyes had to find their place."""

    keys: int = 0
    looks: int = 0

    def seconds(self) -> float:
        """Return the time of all of it."""
        return self.keys * KEY + self.looks * LOOK


def decisions() -> list[tuple[tuple[int, ...], str]]:
    """Return for each answer which items are given, and the comment, if there is one."""
    draw = random.Random(40)
    items = [(), (1,), (1, 2), (1, 3), (1, 2, 3)]
    return [
        (draw.choice(items), draw.choice(COMMENTS) if draw.random() < 0.5 else "")
        for _ in range(len(STUDENTS) - 1)
    ]


def by_table(decided: list[tuple[tuple[int, ...], str]]) -> Effort:
    """Count the actions with all answers in one window, and a spreadsheet in another."""
    done, known = Effort(), set()
    done.keys += len("autograder read 03_l\t --table\n") + 2 * len("reports/03\t\n")
    for items, comment in decided:
        done.keys += 1  # a page on, to the next answer
        done.looks += 1  # where it begins
        done.keys += 2  # to the other window
        done.looks += 1  # is this the line of this student?
        done.looks += len(items) > 1  # the sum of the items
        done.keys += 1  # the points
        if comment:
            written = COMPLETED if comment in known else len(comment)
            done.keys += 1 + written + 1  # to its column, the words, and back
            known.add(comment)
        done.keys += 1 + 2  # a line down, and to the answers
    # Saved as CSV, with the question for the form answered, and taken in.
    done.keys += 3 + len("autograder read 03_l\t --points reports/03\t-r\tc\t\n")
    done.looks += 2
    return done


def by_page(course: Path, decided: list[tuple[tuple[int, ...], str]]) -> Effort:
    """Play the page; return the actions, the keys as the browser has counted them."""
    done = Effort(keys=len("autograder read 03_l\t\nann\n"))
    with labserver.chromium() as browser, reading(course) as (address, _):
        page = labserver.patient_page(browser.new_context())
        come_in(page, address)
        page.evaluate("() => { window.pressed = 0; addEventListener('keydown', () => pressed++); }")
        for items, comment in decided:
            saved(page)  # a reader would take a minute from one to the next
            page.locator("#answer:not([aria-busy])").wait_for()
            for item in items:
                page.keyboard.press(str(item))
            if not items:
                page.keyboard.press("0")
            done.looks += 1  # have the right items lit up?
            _enter(page, comment, done)
        saved(page)
        done.keys += page.evaluate("() => pressed")
    return done


def _enter(page, comment: str, done: Effort) -> None:
    """Write a comment, or use it again by its number, and go on."""
    used = page.locator(".used span").all_inner_texts()[:9]
    if comment in used:
        page.keyboard.down("Shift")  # counted as a key of its own
        page.keyboard.press(f"Digit{used.index(comment) + 1}")
        page.keyboard.up("Shift")
        done.looks += 1  # which number is it?
    elif comment:
        page.keyboard.press("c")
        page.keyboard.type(comment)
        page.keyboard.down("Control")
        page.keyboard.press("Enter")
        page.keyboard.up("Control")
        return
    page.keyboard.press("Enter")


def main() -> None:
    """Print both ways."""
    decided = decisions()
    with tempfile.TemporaryDirectory() as folder:
        course = class_to_read.make(Path(folder))
        page = by_page(course, decided)
        given = [recorded(course, student)[0] for student in STUDENTS]
        if sorted(len(items) for items, _ in decided) != sorted(g for g in given if g is not None):
            sys.exit("the page has not written what the reader gave")
    table = by_table(decided)
    thinking = 2 * len(decided) * WORDS / WORDS_A_MINUTE
    for name, done in (("page", page), ("table", table)):
        minutes = done.seconds() / 60
        words = f"{done.keys} keys, {done.looks} looks, {minutes:.1f} minutes"
        print(f"{name}: {words}; with reading and deciding {thinking + minutes:.0f} minutes")
    figure("reading.page_to_table_minutes", page.seconds() / table.seconds(), 0.7)


if __name__ == "__main__":
    main()
