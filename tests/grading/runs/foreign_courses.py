"""Two assignments as other teachers write them, with nbgrader alone in mind, and their students.

Imports stand in a cell without a mark, cells have no ids that mean anything, and tests look at what
an answer made: classes, files, figures, what a shell command printed.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import nbformat
import toy
from marks import hidden
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

CONFIG = """
c = get_config()
c.CourseDirectory.course_id = "cs555"
c.ClearSolutions.code_stub = {"python": "# YOUR CODE HERE"}
c.Execute.timeout = 60
"""


@dataclass(frozen=True)
class Course:
    """A course of one assignment.

    Attributes:
      cells: by name, the instructor's cells, in order.
      students: by name, the cells that a student changed.
      files: what lies beside the notebook, for everybody.
    """

    chapter: str
    kernel: str
    cells: Mapping[str, NotebookNode]
    students: Mapping[str, Mapping[str, str]]
    files: Mapping[str, str] = field(default_factory=dict)

    def make(self, root: Path) -> Path:
        """Write the course and all that was handed in."""
        folders = {student: root / "submitted" / student for student in self.students}
        for folder, changed in {
            root / "source": {},
            **{f: self.students[s] for s, f in folders.items()},
        }.items():
            place = folder / self.chapter
            place.mkdir(parents=True)
            nbformat.write(self.notebook(changed), place / f"{self.chapter}.ipynb")
            for name, text in self.files.items():
                (place / name).write_text(text, "utf-8")
        (root / "nbgrader_config.py").write_text(CONFIG, "utf-8")
        return root

    def notebook(self, changed: Mapping[str, str]) -> NotebookNode:
        """Return the notebook with these cells changed."""
        cells = []
        for name, cell in self.cells.items():
            cell = nbformat.from_dict({**cell, "id": name.replace("_", "-")})
            cell.source = changed.get(name, cell.source)
            cells.append(cell)
        kernel = {"name": self.kernel, "display_name": "Python", "language": "python"}
        return new_notebook(cells=cells, metadata={"kernelspec": kernel})


def text(source: str) -> NotebookNode:
    return new_markdown_cell(source)


def free(source: str) -> NotebookNode:
    return new_code_cell(source)


def answer(source: str) -> NotebookNode:
    return new_code_cell(source, metadata=toy.mark("", solution=True))


def test(points: float, source: str) -> NotebookNode:
    return new_code_cell(source, metadata=toy.mark("", points=points))


def by_hand(points: float, source: str) -> NotebookNode:
    return new_code_cell(source, metadata=toy.mark("", points=points, solution=True))


def written(points: float, source: str) -> NotebookNode:
    return new_markdown_cell(source, metadata=toy.mark("", points=points, solution=True))


def task(points: float, source: str) -> NotebookNode:
    cell = new_markdown_cell(source, metadata=toy.mark("", points=points))
    cell.metadata.nbgrader |= {"grade": False, "task": True, "locked": True}
    return cell


def named(cells: dict[str, NotebookNode]) -> dict[str, NotebookNode]:
    """Give each marked cell its name."""
    for name, cell in cells.items():
        if "nbgrader" in cell.metadata:
            cell.metadata.nbgrader["grade_id"] = name
    return cells


SOLUTION = "### BEGIN SOLUTION\n{}\n### END SOLUTION"


def solved(source: str) -> NotebookNode:
    return answer(SOLUTION.format(source))


BANK = Course(
    chapter="ps2_bank",
    kernel="cs555",
    files={
        "money.py": "class Money(float):\n    pass\n\ndef parse(line):\n"
        "    name, amount = line.split(',')\n    return name, Money(amount)\n",
        "moves.csv": "ann,10\nbob,-4\nann,2.5\n",
    },
    cells=named(
        {
            "title": text("# Problem set 2: a bank"),
            "imports": free(
                "import json\nimport os\nimport numpy as np\nimport pandas as pd\n"
                "from money import Money, parse"
            ),
            "account": solved(
                "class Account:\n    def __init__(self, owner, balance=0):\n"
                "        self.owner, self.balance = owner, balance\n"
                "    def deposit(self, amount):\n        if amount <= 0:\n"
                "            raise ValueError('amount')\n        self.balance += amount\n"
                "    def __lt__(self, other):\n        return self.balance < other.balance\n"
                "    def __repr__(self):\n        return f'Account({self.owner!r}, {self.balance})'"
            ),
            "account_kind": test(
                2,
                "a = Account('ann')\nassert isinstance(a, Account)\nassert a.balance == 0\n"
                "a.deposit(5)\nassert a.balance == 5",
            ),
            "account_errors": test(
                1,
                "try:\n    Account('ann').deposit(-1)\nexcept ValueError:\n    pass\nelse:\n"
                "    raise AssertionError('no ValueError')\n"
                + hidden("assert sorted([Account('a', 2), Account('b', 1)])[0].owner == 'b'"),
            ),
            "savings": solved(
                "class Savings(Account):\n    rate = 0.1\n    def grow(self):\n"
                "        self.balance *= 1 + self.rate"
            ),
            "savings_kind": test(
                2,
                "s = Savings('bob', 100)\nassert isinstance(s, Account)\n"
                "assert issubclass(Savings, Account)\ns.grow()\n"
                "assert np.isclose(s.balance, 110)\nassert s > Account('x', 1)",
            ),
            "read_moves": solved(
                "def read_moves(path):\n    with open(path) as file:\n"
                "        return [parse(line) for line in file]"
            ),
            "read_moves_test": test(
                2,
                "moves = read_moves('moves.csv')\nassert [name for name, _ in moves] == "
                "['ann', 'bob', 'ann']\nassert all(isinstance(m, Money) for _, m in moves)",
            ),
            "save": solved(
                "def save(balances, path):\n    with open(path, 'w') as file:\n"
                "        json.dump(balances, file)"
            ),
            "save_test": test(
                2,
                "save({'ann': 12.5}, 'out.json')\nassert os.path.exists('out.json')\n"
                "assert json.load(open('out.json')) == {'ann': 12.5}\nos.remove('out.json')",
            ),
            "totals": solved(
                "def totals(moves):\n    table = pd.DataFrame(moves, columns=['name', 'amount'])\n"
                "    return table.groupby('name').amount.sum()"
            ),
            "totals_parts": test(
                4,
                "points = 0\nfound = totals([('a', 1.0), ('b', 2.0), ('a', 3.0)])\n"
                "points += isinstance(found, pd.Series)\npoints += float(found['a']) == 4\n"
                "points += 2 * (list(found.index) == ['a', 'b'])\npoints",
            ),
            "why": written(3, "Why is a balance no float?"),
        }
    ),
    students={
        "s01_as_taught": {"why": "Cents are counted."},
        "s02_dataclass": {
            "account": "from dataclasses import dataclass\n@dataclass(order=True)\nclass Account:\n"
            "    owner: str\n    balance: float = 0\n    def deposit(self, amount):\n"
            "        if not amount > 0:\n            raise ValueError(amount)\n"
            "        self.balance = self.balance + amount\n    def __lt__(self, other):\n"
            "        return self.balance < other.balance",
            "why": "Rounding.",
        },
        "s03_pathlib": {
            "save": "from pathlib import Path\ndef save(balances, path):\n"
            "    Path(path).write_text(json.dumps(balances))",
            "read_moves": "def read_moves(path):\n"
            "    return list(map(parse, open(path).read().split()))",
        },
        "s04_no_kind": {
            "read_moves": "def read_moves(path):\n    return [(line.split(',')[0], "
            "float(line.split(',')[1])) for line in open(path)]",
        },
        "s05_partly": {
            "totals": "def totals(moves):\n    out = {}\n    for name, amount in moves:\n"
            "        out[name] = out.get(name, 0) + amount\n    return out",
        },
        "s06_nothing": dict.fromkeys(
            ("account", "savings", "read_moves", "save", "totals"), "# YOUR CODE HERE"
        ),
        "s07_alone": {
            "savings": "class Savings:\n    def __init__(self, owner, balance):\n"
            "        self.balance = balance\n    def grow(self):\n"
            "        self.balance += 0.1 * self.balance\n    def __gt__(self, other):\n"
            "        return self.balance > other.balance"
        },
        "s08_prints": {
            "save": "def save(balances, path):\n    print('saving', balances)\n"
            "    json.dump(balances, f := open(path, 'w'))\n    f.close()"
        },
        "s09_error": {"account": "class Account\n    pass"},
        "s10_own_module": {
            "save": "open('mine.py', 'w').write('import json\\ndef put(b, p):\\n"
            '    open(p, "w").write(json.dumps(b))\\n\')\nfrom mine import put as save',
        },
    },
)

SHELL = Course(
    chapter="lab3_shell",
    kernel="python",
    files={"heights.csv": "name,height\nann,1.71\nbob,1.84\ncy,1.60\n"},
    cells=named(
        {
            "title": text("# Lab 3: the shell and a figure"),
            "imports": free(
                "%matplotlib inline\nimport matplotlib.pyplot as plt\nimport numpy as np\n"
                "import pandas as pd"
            ),
            "files": solved("names = !ls"),
            "files_test": test(2, "assert 'heights.csv' in list(names)"),
            "lines": solved("out = !wc -l heights.csv\nlines = int(out[0].split()[0])"),
            "lines_test": test(2, "assert lines == 4"),
            "shell": answer("%%bash\nhead -2 heights.csv > two.csv\necho done"),
            "shell_test": test(2, "assert open('two.csv').read().splitlines()[1] == 'ann,1.71'"),
            "load": solved("table = pd.read_csv('heights.csv')"),
            "load_test": test(
                2,
                "assert isinstance(table, pd.DataFrame)\n"
                "pd.testing.assert_frame_equal(table, pd.read_csv('heights.csv'))",
            ),
            "draw": solved(
                "def draw(table):\n    figure, axes = plt.subplots()\n"
                "    axes.bar(table.name, table.height)\n    axes.set_ylabel('height (m)')\n"
                "    return axes\naxes = draw(table)"
            ),
            "draw_test": test(
                3,
                "assert axes.get_ylabel() == 'height (m)'\nassert len(axes.patches) == 3\n"
                "assert isinstance(axes, plt.Axes)",
            ),
            "sample": solved(
                "np.random.seed(3)\ndef sample(n):\n    return np.random.choice(table.height, n)"
            ),
            "sample_test": test(
                2,
                "np.random.seed(7)\nmine = sample(5)\nnp.random.seed(7)\n"
                "assert np.array_equal(mine, np.random.choice(table.height, 5))",
            ),
            "figure_by_hand": by_hand(2, SOLUTION.format("draw(table).set_title('Heights')")),
            "report": task(4, "Write a cell or two on what the figure shows."),
        }
    ),
    students={
        "s01_as_taught": {},
        "s02_python": {
            "files": "import os\nnames = os.listdir()",
            "lines": "lines = sum(1 for _ in open('heights.csv'))",
        },
        "s03_shown": {"files": "!ls\nnames = !ls *.csv", "shell": "!head -2 heights.csv > two.csv"},
        "s04_magic": {"shell": "%%bash\nls -la\nhead -n 2 heights.csv | tee two.csv"},
        "s05_pyplot": {
            "draw": "def draw(table):\n    plt.figure()\n    plt.bar(table['name'], "
            "table['height'])\n    plt.ylabel('height (m)')\n    return plt.gca()\n"
            "axes = draw(table)\nplt.show()"
        },
        "s06_no_label": {
            "draw": "axes = table.plot.bar(x='name', y='height')\ndraw = lambda t: axes"
        },
        "s07_nothing": dict.fromkeys(
            ("files", "lines", "shell", "load", "draw", "sample"), "# YOUR CODE HERE"
        ),
        "s08_own_generator": {
            "sample": "def sample(n):\n    rng = np.random.default_rng()\n"
            "    return rng.choice(table.height, n)"
        },
        "s09_system": {
            "lines": "!wc -l heights.csv\nimport subprocess\n"
            "lines = int(subprocess.check_output(['wc', '-l', 'heights.csv']).split()[0])"
        },
        "s10_sizes": {"load": "table = pd.read_csv('heights.csv', usecols=['name'])"},
    },
)
COURSES = {course.chapter: course for course in (BANK, SHELL)}
