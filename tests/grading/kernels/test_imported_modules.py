"""The modules in memory before the first fork: those that the instructor's cells import."""

import toy
from nbformat.v4 import new_code_cell, new_notebook

from autograder.kernels import imported


def notebook(locked: list[str], answer: str = ""):
    cells = [
        new_code_cell(source, metadata=toy.mark(f"test_{number}", points=1))
        for number, source in enumerate(locked)
    ]
    answers = new_code_cell(answer, metadata=toy.mark("answer", solution=True))
    return new_notebook(cells=[*cells, answers])


def test_modules_and_what_is_taken_of_them():
    made = notebook(
        ["import numpy as np\nfrom autograder import check", "check.private_count(np.mean)"]
    )
    assert imported([made]) == [
        *("numpy", "autograder", "autograder.check"),
        *("autograder.check.private_count", "numpy.mean"),
    ]


def test_what_only_an_answer_takes_stays_out():
    made = notebook(["import numpy as np"], "import scipy.stats\nnp.linalg.norm")
    assert imported([made]) == ["numpy"]


def test_names_that_are_no_modules_are_nobodys():
    made = notebook(["%matplotlib inline", "x = 1\nx.real\nfrom . import y\ny.z"])
    assert imported([made]) == []
    assert imported([]) == []
