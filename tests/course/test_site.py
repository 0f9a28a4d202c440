"""The site's parts, as far as they can be seen without making it."""

import hashlib
import io
import json
import marshal
import sys
import tarfile
import zipfile
from pathlib import Path

import nbformat
import pytest
import toy_course
from notebooks import NAMES, RELEASED, read
from places import ROOT

sys.path.insert(0, str(ROOT / "deploy" / "site"))
import bytecode
import distribution
import emblem
import front
import lite
import make
import pyodide
import vendored
from executed import readable

from dplib.data import load_adult


@pytest.fixture(scope="module", params=RELEASED)
def page(request):
    """A chapter's page, from its notebooks without outputs."""
    source, release = (
        nbformat.read(ROOT / kind / request.param / f"{request.param}.ipynb", as_version=4)
        for kind in ("source", "release")
    )
    return readable(source, release, answers=True), source, release


def test_a_page_holds_no_hidden_test_and_no_mark_of_the_grader(page):
    text = "\n".join(cell.source for cell in page[0].cells)
    for mark in ("HIDDEN TESTS", "BEGIN SOLUTION", "END SOLUTION"):
        assert mark not in text
    assert not any("nbgrader" in cell.metadata for cell in page[0].cells)


def test_what_a_check_says_of_the_answer_is_folded(page):
    shown, _source, release = page
    checks = [
        cell.source
        for cell in release.cells
        if (mark := cell.metadata.get("nbgrader", {})).get("grade") and not mark.get("solution")
    ]
    folded = [cell.source for cell in shown.cells if "hide-output" in cell.metadata.get("tags", [])]
    assert folded == [source for source in checks if source in folded]
    visible = {cell.source for cell in shown.cells if cell.source.startswith("check.")}
    assert visible & set(checks) <= set(folded)


def is_answer(cell) -> bool:
    """Say whether a cell is folded under the words of the settings, "Show after trying"."""
    return "hide-input" in cell.metadata.get("tags", []) and "mystnb" not in cell.metadata


def test_what_nobody_needs_to_read_is_folded_under_words_of_its_own(page):
    shown, source, _ = page
    prompts = {
        cell.metadata["mystnb"]["code_prompt_show"]
        for cell in shown.cells
        if "mystnb" in cell.metadata
    }
    code = [cell.source for cell in source.cells if cell.cell_type == "code"]
    wanted = set()
    if any(cell.metadata.get("nbgrader", {}).get("grade_id") == "setup" for cell in source.cells):
        wanted.add("Code: the set-up")
    if any(".reveal(" in each for each in code):
        wanted.add("Code: how the answer is computed")
    assert prompts == wanted
    controls = [cell for cell in shown.cells if "remove-input" in cell.metadata.get("tags", [])]
    assert all(("guess." in each.source) or ("explore." in each.source) for each in controls)
    assert not any("print(" in each.source or "check." in each.source for each in controls)


def test_every_solution_is_folded_below_the_students_own_cell(page):
    shown, source, release = page
    solutions = [
        cell
        for cell in source.cells
        if cell.metadata.get("nbgrader", {}).get("solution") and cell.cell_type == "code"
    ]
    folded = [i for i, cell in enumerate(shown.cells) if is_answer(cell)]
    assert len(folded) == len(solutions)
    given = {cell.source for cell in release.cells}
    for place in folded:
        assert shown.cells[place - 1].source in given
        assert "raise NotImplementedError" not in shown.cells[place].source
    words = [cell for cell in shown.cells if "A model answer" in cell.source]
    assert all("<details" in cell.source for cell in words)


@pytest.mark.parametrize("name", RELEASED)
def test_without_answers_a_page_has_only_what_students_get(name):
    source, release = (read(name, kind) for kind in ("source", "release"))
    given = {cell.source for cell in release.cells if cell.metadata.get("nbgrader")}
    shown = [cell for cell in readable(source, release).cells if cell.cell_type == "code"]
    asked = [cell.source for cell in source.cells if cell.metadata.get("nbgrader")]
    kept = {cell.source for cell in shown} & set(asked)
    assert kept <= given
    assert not any("A model answer" in cell.source for cell in readable(source, release).cells)
    assert not any(map(is_answer, shown))


@pytest.mark.parametrize("is_open", [False, True])
def test_the_library_in_the_browser_is_sealed_unless_it_is_opened(tmp_path, monkeypatch, is_open):
    course = tmp_path / "course"
    toy_course.make(course)
    for name in ("dplib", "ville", "autograder", "LICENSE", "pyproject.toml"):
        (course / name).symlink_to(ROOT / name)
    in_zip(tmp_path / "archive", small_distribution())
    wheels = []
    monkeypatch.setattr(lite, "add_pyodide", lambda *given: wheels.append(given[0]) or [])
    monkeypatch.setattr(lite, "add_page_python", lambda *given: None)
    monkeypatch.setattr(lite, "_build", lambda *given: None)
    work = tmp_path / "work"
    lite.make_lite(course, tmp_path / "archive", work, tmp_path / "out", open_library=is_open)
    (packed,) = wheels  # what pip makes the wheel from
    library = "".join(file.read_text("utf-8") for file in packed.rglob("dplib/**/*.py"))
    assert ("def laplace_mechanism" in library) is is_open
    assert not list(packed.rglob("autograder/grading"))
    notebook = work / "project" / "files" / "01_toy" / "01_toy.ipynb"
    assert "return 2" not in notebook.read_text("utf-8")


def test_an_old_address_leads_to_the_chapter_with_its_new_number(tmp_path):
    (tmp_path / "02_new.html").write_text("here")
    make.forward(tmp_path, {"01_old": "02_new", "03_old": "04_left_out"})
    assert 'content="0; url=02_new.html"' in (tmp_path / "01_old.html").read_text("utf-8")
    assert not (tmp_path / "03_old.html").exists()
    for old, new in make.MOVED.items():
        assert old not in NAMES
        assert new in NAMES


def test_links_between_chapters_stay_in_one_folder(page):
    assert not any("](../" in cell.source for cell in page[0].cells)


def small_distribution(without=()):
    """The files of a Pyodide distribution in which each needed package is an empty wheel."""
    packages = {
        name: {
            "name": name,
            "version": "1",
            "file_name": f"{name}-1-py3-none-any.whl",
            "depends": [],
        }
        for name in pyodide.NEEDED
        if name not in without
    }
    files = {entry["file_name"]: b"" for entry in packages.values()}
    files |= dict.fromkeys(pyodide.RUNTIME, b"")
    return {**files, pyodide.LOCK: json.dumps({"packages": packages}).encode()}


def in_zip(path, files):
    with zipfile.ZipFile(path, "w") as packed:
        for name, content in files.items():
            packed.writestr(f"some/where/{name}", content)


def in_tar(path, files):
    with tarfile.open(path, "w:bz2") as packed:
        for name, content in files.items():
            member = tarfile.TarInfo(f"pyodide/{name}")
            member.size = len(content)
            packed.addfile(member, io.BytesIO(content))


@pytest.mark.parametrize("pack", [in_zip, in_tar])
def test_an_archive_is_unpacked_whatever_its_kind(tmp_path, pack):
    pack(tmp_path / "archive", small_distribution())
    found = pyodide.unpacked(tmp_path / "archive", tmp_path / "work")
    assert (found / pyodide.LOCK).exists() and (found / "pyodide.mjs").exists()


def test_what_is_no_archive_is_said(tmp_path):
    (tmp_path / "text").write_text("no archive")
    with pytest.raises(vendored.SiteError, match="not an archive"):
        pyodide.unpacked(tmp_path / "text", tmp_path / "work")
    in_zip(tmp_path / "other.zip", {"readme": b""})
    with pytest.raises(vendored.SiteError, match=r"no pyodide-lock\.json"):
        pyodide.unpacked(tmp_path / "other.zip", tmp_path / "work")


def test_a_distribution_without_a_needed_package_is_refused():
    packages = json.loads(small_distribution(without=["scipy"])[pyodide.LOCK])["packages"]
    with pytest.raises(vendored.SiteError, match="no scipy"):
        pyodide.with_dependencies(packages)


def test_what_no_cell_imports_is_not_loaded():
    packages = json.loads(small_distribution()[pyodide.LOCK])["packages"]
    packages["matplotlib"]["depends"] = ["fonttools", "pillow"]
    packages |= {"fonttools": {"depends": []}, "pillow": {"depends": []}}
    assert sorted(pyodide.with_dependencies(packages)) == sorted([*pyodide.NEEDED, "pillow"])


def pinned(folder, content, *, digest=None):
    """A pin, and a registry's pip that gives a wheel of this content, as often as it is asked."""
    digest = digest or hashlib.sha256(content).hexdigest()
    pin = folder / "pin"
    pin.write_text(f"carrier==1.2 \\\n    --hash=sha256:{digest}\n", "utf-8")
    asked = []

    def pip(command, **settings):
        asked.append(command)
        (place := Path(command[command.index("-d") + 1])).mkdir()
        (place / "carrier-1.2-py3-none-any.whl").write_bytes(content)
        return vendored.subprocess.CompletedProcess(command, 0, "", "")

    return pin, pip, asked


def test_a_distribution_is_downloaded_once_and_checked_each_time(tmp_path, monkeypatch):
    in_zip(tmp_path / "wheel", small_distribution())
    pin, pip, asked = pinned(tmp_path, (tmp_path / "wheel").read_bytes())
    monkeypatch.setattr(distribution.subprocess, "run", pip)
    cache = tmp_path / "cache"
    for work in ("one", "two"):  # two runs on one machine
        found = distribution.fetched(cache, tmp_path / work, pin, inside="some/where/")
        assert (found / pyodide.LOCK).exists()
    assert len(asked) == 1 and "--require-hashes" in asked[0] and "--no-deps" in asked[0]
    (kept,) = cache.iterdir()
    kept.write_bytes(b"changed")
    distribution.fetched(cache, tmp_path / "three", pin, inside="some/where/")
    assert len(asked) == 2


def test_another_distribution_than_the_pinned_one_is_refused(tmp_path, monkeypatch):
    in_zip(tmp_path / "wheel", small_distribution())
    content = (tmp_path / "wheel").read_bytes()
    pin, pip, _ = pinned(tmp_path, content, digest="0" * 64)
    monkeypatch.setattr(distribution.subprocess, "run", pip)
    with pytest.raises(vendored.SiteError, match=r"pip cannot get carrier==1\.2"):
        distribution.fetched(tmp_path / "cache", tmp_path / "work", pin, inside="some/where/")
    assert not list((tmp_path / "cache").iterdir())
    pin, _, _ = pinned(tmp_path, content)
    with pytest.raises(vendored.SiteError, match="holds no Pyodide"):
        distribution.fetched(tmp_path / "cache", tmp_path / "work", pin, inside="else/where/")
    pin.write_text("carrier", "utf-8")
    with pytest.raises(vendored.SiteError, match="by its version and its sha256"):
        distribution.fetched(tmp_path / "cache", tmp_path / "work", pin)


def test_the_real_distribution_is_pinned():
    requirement, digest = distribution._pinned(distribution.PIN)
    assert requirement.startswith("open-webui==") and len(digest) == 64


class _Bytes:
    """Bytes as the browser hands them to Python."""

    def __init__(self, path):
        self.path = path

    def to_bytes(self):
        return self.path.read_bytes()


def compiled(folder, files, place="/lib"):
    """The zip of these files after it was compiled, by this Python."""
    with zipfile.ZipFile(folder / "a.zip", "w") as packed:
        for name, content in files.items():
            packed.writestr(name, content)
    (folder / "b.zip").write_bytes(bytecode.compiled(_Bytes(folder / "a.zip"), place))
    return zipfile.ZipFile(folder / "b.zip")


def test_bytecode_does_what_the_source_did_and_names_its_place(tmp_path, monkeypatch):
    files = {"small/__init__.py": "def f():\n    return f.__code__.co_filename\n"}
    files |= {"small/tests/test_f.py": "", "small/a.pyi": "", "small/data.csv": "1,2"}
    files |= {"small/template.py": "{% not python %}", "pygments/lexers/basic.py": ""}
    packed = compiled(tmp_path, files)
    names = {"small/__init__.pyc", "small/data.csv", "small/template.py"}
    assert set(packed.namelist()) == names
    packed.extractall(tmp_path / "unpacked")
    monkeypatch.syspath_prepend(tmp_path / "unpacked")
    import small

    assert small.f() == "/lib/small/__init__.py"
    sys.modules.pop("small")


def test_a_binary_is_linked_when_it_is_imported(tmp_path):
    text = "def should_load_dynlib(path):\n    return True\n"
    packed = compiled(tmp_path, {bytecode._LOADER: text})
    space = {}
    exec(marshal.loads(packed.read(f"{bytecode._LOADER}c")[16:]), space)
    assert space["should_load_dynlib"]("a.so") is False
    with pytest.raises(ValueError, match="has no def should_load_dynlib"):
        compiled(tmp_path, {bytecode._LOADER: "def another(): pass"})


def test_an_extension_that_a_notebook_does_not_need_is_left_out(tmp_path):
    names = [*lite.WITH, "@jupyter/nbgrader"]
    for name in names:
        (tmp_path / "extensions" / name).mkdir(parents=True)
    settings = tmp_path / "jupyter-lite.json"
    found = [{"name": name} for name in names]
    lite._write(settings, {"jupyter-config-data": {"federated_extensions": found}})
    lite._leave_out_extensions(tmp_path)
    data = json.loads(settings.read_text("utf-8"))["jupyter-config-data"]
    assert [each["name"] for each in data["federated_extensions"]] == list(lite.WITH)
    assert not (tmp_path / "extensions" / names[-1]).exists()
    lite._write(settings, {"jupyter-config-data": {"federated_extensions": found[1:]}})
    with pytest.raises(vendored.SiteError, match=f"built without {lite.WITH[0]}"):
        lite._leave_out_extensions(tmp_path)


def test_the_lower_bounds_stay_under_what_pyodide_carries():
    carried = {
        "numpy": (2, 4, 3),
        "pandas": (3, 0, 2),
        "matplotlib": (3, 10, 8),
        "scipy": (1, 18, 0),
    }
    import tomllib

    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    bounds = dict(each.split(">=") for each in project["dependencies"])
    for name, version in carried.items():
        assert tuple(map(int, bounds[name].split("."))) <= version
    assert set(bounds) == {*carried, "ipywidgets"}  # what a browser is to load, and no more


def test_a_package_of_another_hash_is_refused(tmp_path, monkeypatch):
    def npm(command, **settings):
        folder = command[command.index("--pack-destination") + 1]
        with tarfile.open(f"{folder}/other.tgz", "w:gz"):
            pass
        return vendored.subprocess.CompletedProcess(command, 0, "", "")

    monkeypatch.setattr(vendored.subprocess, "run", npm)
    monkeypatch.setattr(vendored.shutil, "which", lambda name: name)
    with pytest.raises(vendored.SiteError, match="its hash differs"):
        vendored.vendor(tmp_path / "vendored")
    assert not list((tmp_path / "vendored").glob("*.js"))


def test_the_kernel_asks_nobody_else(tmp_path):
    settings = lite._settings(["privacy-workbook"])["jupyter-config-data"]
    kernel = settings["litePluginSettings"][lite.KERNEL]
    assert kernel["disablePyPIFallback"] is True
    assert kernel["loadPyodideOptions"]["packages"] == ["privacy-workbook"]


def test_the_first_page_offers_to_run_chapters_only_where_they_run():
    with_it, without = (
        make.index_page(RELEASED, "<p>front</p>", can_run=can_run) for can_run in (True, False)
    )
    assert "**Answer** each exercise" in with_it and "**Answer**" not in without
    assert "Code does not run on these pages" in without
    for text in (with_it, without):
        assert all(f"\n{name}\n" in text for name in RELEASED)
        assert "CHAPTERS" not in text and "RUN" not in text and "FRONT" not in text


def test_what_draws_no_icon_is_left_out(tmp_path):
    styles, scripts = tmp_path / "_static/styles", tmp_path / "_static/scripts"
    styles.mkdir(parents=True)
    scripts.mkdir()
    (scripts / "fontawesome.js").write_text("long")
    (styles / "a.css").write_text("p{}.fa-sun{--fa:1}.fa-moon{--fa:2}")
    script = '<script defer src="_static/scripts/fontawesome.js?digest=1"></script>'
    (tmp_path / "a.html").write_text(f'{script}<script src="b.js"></script><i class="fa-sun"></i>')
    make._leave_out_icons(tmp_path)
    assert (tmp_path / "a.html").read_text() == '<script src="b.js"></script><i class="fa-sun"></i>'
    assert (styles / "a.css").read_text() == "p{}.fa-sun{--fa:1}"
    assert not any(scripts.iterdir())


def test_the_first_page_counts_who_fits_what_a_neighbor_knows():
    counts = front.attack()
    assert counts["000"] == len(load_adult())
    assert counts["110"] == counts["111"] == 1 < counts["100"] < counts["010"]


def test_a_tile_shows_the_first_slider_that_is_not_of_the_readers_function():
    page = nbformat.v4.new_notebook()
    page.cells = [nbformat.v4.new_markdown_cell("# 3 Noise\n\n**How much?**")]
    for number, source in enumerate(
        ["plots.show_it()", "explore_it(\n  mechanism=mine)", "explore_it()", "explore_that()"]
    ):
        picture = f'<svg role="img" aria-label="x" stroke-linejoin="round"><g id="{number}"/></svg>'
        output = nbformat.v4.new_output("display_data", {"text/html": picture})
        page.cells.append(nbformat.v4.new_code_cell(source, outputs=[output]))
    assert 'id="2"' in front.tile("03_laplace", page).picture
    del page.cells[3:]
    assert 'id="0"' in front.tile("03_laplace", page).picture


def test_a_tile_has_the_chapters_question_and_its_first_picture():
    page = nbformat.v4.new_notebook()
    axis = '<div class="dplib-guess"></div><svg role="img" aria-label="the answer"></svg>'
    figure = '<p><svg role="img" aria-label="x" stroke-linejoin="round"><path/></svg></p>'
    data = {"text/html": axis + figure}
    output = nbformat.v4.new_output("display_data", data)
    page.cells = [
        nbformat.v4.new_markdown_cell("# 3 Noise & more\n\n**How <much>?**\n\ntext"),
        nbformat.v4.new_code_cell("x", outputs=[output]),
    ]
    made = front.tile("03_laplace", page)
    assert (made.title, made.question, made.guesses) == ("3 Noise & more", "How <much>?", 1)
    assert made.picture == '<svg aria-hidden="true" stroke-linejoin="round"><path/></svg>'
    text = front.front_page([made])
    assert "How &lt;much&gt;?" in text and made.picture in text


def test_a_tile_is_cut_to_what_is_left_without_letters():
    shapes = (
        '<path d="M 0 90 L 200 90 L 200 0 L 0 0 z " style="fill: none"/>'
        '<g class="legend"><path d="M 10 10 L 20 10 "/></g>'
        '<defs><path id="dot" d="M -2 -2 L 2 2 z "/></defs><use href="#dot" x="120" y="40"/>'
        '<path d="M 80 60 L 150.5 60 "/><text x="5" y="30">a long name</text></svg>'
    )
    picture = emblem.cut('<svg viewBox="0 0 200 90">' + shapes)
    assert picture == '<svg viewBox="74.0 32.0 82.5 34.0">' + shapes


def test_the_long_pages_about_the_checks_are_shown_if_they_were_made(tmp_path):
    (tmp_path / "study").mkdir()
    assert make.add_evidence(tmp_path / "study", tmp_path) == []
    (tmp_path / "study" / "messages.md").write_text("# What the checks say", "utf-8")
    assert make.add_evidence(tmp_path / "study", tmp_path) == ["messages"]
    assert "messages" in make.index_page(["00_start", "messages"], "", can_run=False)
    assert (tmp_path / "messages.md").exists()
