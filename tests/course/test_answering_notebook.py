"""What it takes to answer on a page, as far as it can be seen without a browser."""

import hashlib
import json
import re
import sys
import zipfile

import nbformat
import pytest
from notebooks import RELEASED_CHAPTERS, mark
from places import ROOT

sys.path.insert(0, str(ROOT / "deploy" / "site"))
sys.path.insert(0, str(ROOT / "deploy" / "site" / "page" / "python"))
import answering
import page_cells
import policy
from executed import CHECK, EXERCISE, readable
from vendored import SiteError

PAGE = ROOT / "deploy" / "site" / "page"


def cells(*codes):
    return [{"name": f"cell {place}", "code": code} for place, code in enumerate(codes)]


def names(cells):
    return [int(cell["name"].split()[1]) for cell in cells]


@pytest.mark.parametrize(
    ("above", "code", "wanted"),
    [
        (["import numpy as np", "x = 1", "y = x"], "np.sum(y)", [0, 1, 2]),
        (["x = 1", "y = 2"], "def f(x):\n    y = 3\n    return x + y", []),
        (["x = 1", "y = 2"], "def f():\n    def g():\n        return y\n    return g", [1]),
        (["x = 1"], "x = 2\nprint(x)", []),
        (["x = 1"], "x = x + 1", [0]),
        (["table = {}", "table['a'] = 1", "table.clear()", "print(table)"], "table", [0, 1, 2]),
        (["def f(): return g()", "def g(): return 1"], "f()", [0]),
        (["def g(): return 1", "def f(): return g()"], "f()", [0, 1]),
        (["a = 1", "if a:\n    b = 2"], "[b for _ in range(a)]", [0, 1]),
        (["class A: pass", "x: int = 1"], "class B(A):\n    y = x", [0, 1]),
        (["from dplib import explore", "explore.show()"], "1", []),
        (["x = 1", "x = = 2"], "x", [0]),
        (["x = 1"], "x = = 2", []),
    ],
)
def test_an_answer_gets_the_cells_that_it_needs(above, code, wanted):
    assert names(page_cells.needed(cells(*above), code)) == wanted


def test_a_cell_whose_text_cannot_be_read_counts_as_what_it_is_called():
    above = [{"name": "noisy_sum", "code": "def noisy_sum(: ..."}]
    assert page_cells.needed(above, "noisy_sum(3)") == above
    assert page_cells.needed(above, "3") == []


def test_the_last_line_is_the_value():
    body, last = page_cells.parted("x = 2\nx + 1", "<f>")
    names = {}
    exec(body, names)
    assert eval(last, names) == 3
    assert page_cells.parted("x = 2", "<f>")[1] is None
    with pytest.raises(SyntaxError):
        page_cells.parted("x = = 2", "<f>")


@pytest.mark.parametrize("name", RELEASED_CHAPTERS)
def test_a_page_marks_each_place_for_an_answer_and_its_check(name):
    source, release = (
        nbformat.read(ROOT / kind / name / f"{name}.ipynb", as_version=4)
        for kind in ("source", "release")
    )
    page = readable(source, release, editors=True)
    tags = [tag for cell in page.cells for tag in cell.metadata.get("tags", [])]
    places = [each for each in release.cells if mark(each).get("solution")]
    text = "\n".join(cell.source for cell in page.cells)
    for cell in places:
        name = mark(cell)["grade_id"]
        if cell.cell_type == "markdown":
            assert f'<div class="tag_{EXERCISE}{name}"></div>' in text
        else:
            assert EXERCISE + name in tags and f"{CHECK}{name}_visible" in tags
    # The script finds an exercise's check by its name, and its place by a class.
    assert all(re.fullmatch(r"\w+", mark(cell)["grade_id"]) for cell in places)
    plain = readable(source, release)
    assert not any(EXERCISE in str(cell.metadata) + cell.source for cell in plain.cells)


def test_a_page_lets_its_own_scripts_run_and_no_other():
    page = '<head><script>one()</script><script src="a.js"></script>\n<script>two()</script>'
    said = policy.policy(page)
    rules = dict(rule.split(" ", 1) for rule in said.split("; "))
    assert len(re.findall("'sha256-", rules["script-src"])) == 2
    assert "unsafe-inline" not in rules["script-src"] and "'unsafe-eval'" not in said
    assert rules["default-src"] == "'none'" and rules["connect-src"] == "'self'"
    assert policy.policy(page.replace("two", "three")) != said


def test_the_policy_stands_before_what_it_speaks_of(tmp_path):
    (tmp_path / "a.html").write_text("<html><head><script>1</script></head>", "utf-8")
    policy.set_policies(tmp_path)
    page = (tmp_path / "a.html").read_text("utf-8")
    assert page.index("Content-Security-Policy") < page.index("<script>")


def wheel(folder, name, files):
    path = folder / name
    with zipfile.ZipFile(path, "w") as packed:
        for inside, text in files.items():
            packed.writestr(inside, text)
    return path


def test_the_small_scipy_is_one_binary_and_calls_itself_what_it_is(tmp_path):
    made = answering.small_scipy(
        wheel(
            tmp_path,
            "scipy-1-py3.whl",
            {
                "scipy/special/_special_ufuncs.x.so": "binary",
                "scipy/special/_ufuncs.x.so": "other",
                "scipy-1.dist-info/METADATA": "Metadata-Version: 2.1\nName: scipy\nVersion: 1\n",
                "scipy/stats/__init__.py": "",
            },
        ),
        tmp_path,
    )
    with zipfile.ZipFile(made) as packed:
        assert sorted(packed.namelist()) == [
            "scipy/__init__.py",
            "scipy/special/__init__.py",
            "scipy/special/_special_ufuncs.x.so",
            "scipy_special-1.dist-info/METADATA",
        ]
        assert b"Name: scipy-special\n" in packed.read("scipy_special-1.dist-info/METADATA")
    with pytest.raises(SiteError, match="stand alone"):
        answering.small_scipy(wheel(tmp_path, "scipy-2.whl", {"scipy/a.py": ""}), tmp_path)


def test_what_a_page_loads_is_named_with_its_bytes(tmp_path):
    for name in answering.RUNTIME:
        (tmp_path / name).write_text("x" * 1000, "utf-8")
    binary = {"scipy/special/_special_ufuncs.so": "binary"}
    wheel(tmp_path, "scipy-1-py3.whl", binary | {"scipy/stats.py": "x" * 9})
    ours = {"dplib/__init__.py": "", "dplib/plots/a.py": "", "autograder/check/__init__.py": ""}
    wheel(tmp_path, "privacy_workbook-1-py3.whl", ours)
    wheel(tmp_path, "numpy-1.whl", {})
    wheel(tmp_path, "pandas-1.whl", {})
    wheel(tmp_path, "matplotlib-1.whl", {})
    packages = {
        name: {"name": name, "depends": depends, "file_name": file}
        for name, depends, file in (
            ("numpy", [], "numpy-1.whl"),
            ("pandas", ["numpy"], "pandas-1.whl"),
            ("scipy", ["numpy"], "scipy-1-py3.whl"),
            ("matplotlib", [], "matplotlib-1.whl"),
            ("privacy-workbook", ["matplotlib"], "privacy_workbook-1-py3.whl"),
        )
    }
    (tmp_path / answering.LOCK).write_text(json.dumps({"info": 1, "packages": packages}), "utf-8")
    answering.add_page_python(tmp_path)
    lock = json.loads((tmp_path / answering.PAGE_LOCK).read_text("utf-8"))
    assert sorted(lock["packages"]) == [
        "numpy",
        "pandas",
        "scipy",
        "scipy-special",
        "workbook-page",
    ]
    mine = lock["packages"]["workbook-page"]
    data = (tmp_path / mine["file_name"]).read_bytes()
    assert mine["sha256"] == hashlib.sha256(data).hexdigest()
    with zipfile.ZipFile(tmp_path / mine["file_name"]) as packed:
        assert "dplib/plots/a.py" not in packed.namelist()
        assert {"dplib/__init__.py", "page_runtime.py"} <= set(packed.namelist())
    about = json.loads((tmp_path / answering.FILES).read_text("utf-8"))
    small, whole = about["sizes"]["small"], about["sizes"]["whole"]
    assert "scipy-1-py3.whl" not in small and "scipy-1-py3.whl" in whole
    wasm, wheel_ = small["pyodide.asm.wasm"], small["numpy-1.whl"]
    assert wasm["whole"] == 1000 > wasm["sent"] and wheel_["whole"] == wheel_["sent"]
    assert json.loads((tmp_path / answering.LOCK).read_text("utf-8"))["packages"] == packages


def test_the_scripts_pins_name_no_place_where_they_were_found():
    text = (PAGE / "package-lock.json").read_text("utf-8")
    lock = json.loads(text)
    others = [each for path, each in lock["packages"].items() if path]
    assert "://" not in text and "resolved" not in text
    assert all(each["integrity"].startswith("sha512-") for each in others)
    wanted = json.loads((PAGE / "package.json").read_text("utf-8"))
    pins = [*wanted["dependencies"].values(), *wanted["devDependencies"].values()]
    assert all(re.fullmatch(r"\d+\.\d+\.\d+", pin) for pin in pins)


@pytest.mark.site
def test_the_scripts_have_the_types_that_they_say_and_pass_their_tests(tmp_path):
    try:
        folder = answering.page_scripts(ROOT / "build" / "site" / "page")
        answering.npm(folder, "run", "types")
        answering.npm(folder, "run", "test")
    except SiteError as error:
        if "fails: " in str(error):
            raise
        pytest.skip(f"THE PAGE'S SCRIPTS ARE NOT TESTED: {error}")
    broken = folder / "src" / "broken.ts"
    broken.write_text('import { inLines } from "./notebook";\ninLines(3);\n', "utf-8")
    try:
        with pytest.raises(SiteError, match="broken"):
            answering.npm(folder, "run", "types")
    finally:
        broken.unlink()
