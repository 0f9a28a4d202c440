"""Asks for a person where an answer was not judged to the end: the gradebook's state for it."""

from nbgrader.api import Gradebook
from nbgrader.preprocessors import NbGraderPreprocessor

from autograder.graded_notebook.outputs import unjudged


class Unjudged(NbGraderPreprocessor):
    """Runs after the scores are written, which it leaves as they are."""

    def preprocess(self, nb, resources):
        cells, where = unjudged(nb), resources["nbgrader"]
        if not cells:
            return nb, resources
        place = where["notebook"], where["assignment"], where["student"]
        with Gradebook(where["db_url"]) as gradebook:
            for cell in cells:
                gradebook.find_grade(cell, *place).needs_manual_grade = True
            gradebook.db.commit()
        return nb, resources
