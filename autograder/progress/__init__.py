"""How far a learner is: which checks passed on this machine, by chapter.

A check that passes in a notebook is noted in a small file beside it. `tiles()` shows all chapters
in a notebook, `autograder progress` in a terminal. It is the learner's own: grading neither
collects nor reads it, and nothing leaves the machine.
"""

from autograder.progress.chapters import Chapter, chapter, chapters
from autograder.progress.kept import FILE, keep
from autograder.progress.shown import Tiles, printed, tiles

__all__ = ["FILE", "Chapter", "Tiles", "chapter", "chapters", "keep", "printed", "tiles"]
