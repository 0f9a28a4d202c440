"""All attacks, in the order of the table."""

import attacks_files
import attacks_load
import attacks_locked
import attacks_machine
import attacks_pages
import attacks_tests

NOT_STOPPED = "Not stopped"

GROUPS = {
    "The notebook's cells and their metadata": attacks_files.CELLS,
    "The files that are handed in": attacks_files.FILES,
    "Odd, and harmless": attacks_files.ODD,
    "Tests that share a process with the answer": attacks_tests.ATTACKS,
    "Names that tests take, and the library": attacks_locked.ATTACKS,
    "The machine, the course, and the others": attacks_machine.ATTACKS,
    "Too much of everything": attacks_load.ATTACKS,
    "The grader's own process, and its pages": attacks_pages.ATTACKS,
    NOT_STOPPED: attacks_tests.NOT_STOPPED,
}
BATTERY = {attack.name: attack for attacks in GROUPS.values() for attack in attacks}
