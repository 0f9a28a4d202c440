"""Asks for a person, by the gradebook's own state, where no machine and no blank cell decides.

That is where an answer was not judged to the end, and where an answer in words stands in a cell of
the student's own: in nbgrader it would be one that was not given."""

from nbgrader.api import Gradebook
from nbgrader.preprocessors import NbGraderPreprocessor

from autograder.graded_notebook import marks
from autograder.graded_notebook.outputs import unjudged


class Unjudged(NbGraderPreprocessor):
    """Runs after the scores are written, which it leaves as they are."""

    def preprocess(self, nb, resources):
        cells, where = [*unjudged(nb), *marks.beside(nb)], resources["nbgrader"]
        if not cells:
            return nb, resources
        place = where["notebook"], where["assignment"], where["student"]
        with Gradebook(where["db_url"]) as gradebook:
            for cell in cells:
                gradebook.find_grade(cell, *place).needs_manual_grade = True
            gradebook.db.commit()
        return nb, resources
