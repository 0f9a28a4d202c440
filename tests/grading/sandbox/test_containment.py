"""Containment: what a process cannot do, can use, and leaves behind, as root and as any user."""

import contextlib
import dataclasses
import json
import os
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import ordinary
import payloads
import pytest
from nbformat.v4 import new_code_cell, new_notebook
from traitlets import TraitError
from traitlets.config import Config
from traitlets.config.loader import PyFileConfigLoader
from waiting import until

from autograder.course_folders.course import Course, GradingError
from autograder.execution.execute import Execute
from autograder.grading.options import Options, limits_of
from autograder.kernels import Zygote
from autograder.sandbox import availability, containment, root, seccomp, variables
from autograder.sandbox.containment import Containment, unavailable
from autograder.sandbox.limits import Limits

HERE = Path(__file__).parent


@pytest.fixture(autouse=True)
def _contained(request):
    if unavailable() and request.function is not test_where_others_can_make_namespaces_so_can_we:
        pytest.skip(f"NOTHING IS CONTAINED HERE, so nothing of it is tested: {unavailable()}")


@pytest.mark.skipif(shutil.which("unshare") is None, reason="needs unshare, of util-linux")
def test_where_others_can_make_namespaces_so_can_we():
    command = ["unshare", "--map-root-user", "--mount", "--pid", "--net", "--fork"]
    mount = ["mount", "-t", "proc", "proc", "/proc"]
    done = subprocess.run([*command, *mount], capture_output=True, text=True, check=False)
    assert (done.returncode == 0) <= (unavailable() == ""), unavailable()


# What is counted and drawn, whoever runs it: nothing of it asks the system for a right.
SAME_FOR_ALL = "is_cut or too_long or alarm or figures or without_containment or time_together"


@pytest.mark.skipif(os.geteuid() != 0, reason="these tests are run by an ordinary user already")
@pytest.mark.load
def test_what_depends_on_the_user_as_an_ordinary_user():
    program = "import pytest, sys; sys.exit(pytest.main(sys.argv[1:]))"
    with ordinary.folder() as folder:
        where = f"--basetemp={folder / 'temporary'}"
        arguments = [__file__, "-p", "no:cacheprovider", "-n0", "-x", where]
        arguments += ["-k", f"not ({SAME_FOR_ALL})"]
        report = ordinary.run(program, *arguments, folder=folder)
    assert re.search(r"\d+ passed, 1 skipped", report), report


@pytest.fixture(scope="module")
def zygote():
    """Where contained processes come from."""
    limits = dataclasses.replace(payloads.LIMITS, seconds=20, output_megabytes=1)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(HERE))
        zygote = Zygote([], limits, ["contained_entry"])
    with contextlib.closing(zygote):
        zygote.ready()
        yield zygote


def run(zygote, folder, *sources, timeout=20):
    """Return a notebook of these cells, executed in a folder."""
    notebook = new_notebook(cells=[new_code_cell(source) for source in sources])
    step = Execute(zygote=zygote, timeout=timeout, iopub_timeout=2, allow_errors=True)
    step.preprocess(notebook, {"metadata": {"path": str(folder)}})
    return notebook


def said(notebook, cell=-1):
    return payloads.outputs(new_notebook(cells=[notebook.cells[cell]]))


def errors(notebook):
    return [[o.ename for o in cell.outputs if o.output_type == "error"] for cell in notebook.cells]


# Harm -------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def attempts(tmp_path_factory):
    folder = tmp_path_factory.mktemp("payloads")
    done = subprocess.run(
        [sys.executable, payloads.__file__],
        cwd=folder,
        env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.long
@pytest.mark.parametrize("payload", payloads.PAYLOADS)
def test_a_payload_harms_only_where_nothing_is_contained(attempts, payload):
    (contained, words), (free, free_words) = attempts[payload]
    assert free, f"the payload does nothing: {free_words}"
    assert not contained, words


def test_a_submission_with_all_its_processes_leaves_the_others_theirs(zygote, tmp_path):
    bomb, others = tmp_path / "bomb", tmp_path / "others"
    bomb.mkdir()
    others.mkdir()
    source = (
        "import os, time\nwhile True:\n    try:\n        if not os.fork():\n"
        "            time.sleep(60)\n    except OSError:\n        break\nprint('full')"
    )
    begin = "import os\nprint('before', os.getpid())"
    with _kernel(zygote, bomb, begin, source) as answers:
        assert "full" in answers
        many = "import os\nfor _ in range(9):\n    os.fork() or os._exit(0)\nprint('nine')"
        assert said(run(zygote, others, many)) == "nine\n"


@contextlib.contextmanager
def _kernel(zygote, folder, *sources):
    """Run cells in a kernel that stays; yield what it printed."""
    from autograder.kernels import pipe

    child, connection = zygote.fork(folder=str(folder), environment=dict(os.environ))
    answers = []
    try:
        for number, source in enumerate(sources):
            request = {"msg_id": str(number), "code": source, "store_history": True}
            pipe.send(connection, {**request, "stop_on_error": False})
            while True:
                message = pipe.receive(connection)
                answers.append(message["content"].get("text", ""))
                if message["content"].get("execution_state") == "idle":
                    break
        yield "".join(answers)
    finally:
        zygote.kill(child)
        connection.close()


# Work that must go on as ever --------------------------------------------------------------------


def test_an_interrupt_ends_the_cell_and_what_it_waits_for(zygote, tmp_path):
    notebook = run(
        zygote,
        tmp_path,
        "import subprocess\nchild = subprocess.Popen(['sleep', '60'])\nchild.wait()",
        "while True:\n    pass",
        "child.poll() is not None",
        timeout=1,
    )
    assert errors(notebook)[:2] == [["KeyboardInterrupt", "CellTimeoutError"]] * 2
    assert said(notebook) == str({"text/plain": "True"})


def test_what_ignores_the_interrupt_is_killed(zygote, tmp_path):
    loop = "import signal\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\nwhile True:\n    pass"
    notebook = run(zygote, tmp_path, "1", loop, "2", timeout=1)
    assert errors(notebook) == [[], ["CellTimeoutError"], ["CellNotRun"]]


def test_the_cells_have_a_time_together(tmp_path):
    limits = Limits(seconds=3)
    with contextlib.closing(Zygote([], limits)) as zygote:
        notebook = run(zygote, tmp_path, *["import time\ntime.sleep(1.2)"] * 5)
    assert errors(notebook)[:2] == [[], []]
    assert errors(notebook)[2][-1] == "CellTimeoutError"  # in its middle
    assert errors(notebook)[3:] == [["CellTimeoutError"], ["CellNotRun"]]
    assert "3 seconds" in said(notebook, 3)


@pytest.mark.parametrize(
    "source",
    [
        "while True:\n    print('x' * 1000)",
        "print('x' * (30 << 20))",
        "import os\nos.system('yes | head -c 3000000')",
        "for _ in range(100):\n    display({'text/plain': 'x' * 100_000}, raw=True)",
        "import sys\nsys.stderr.write('x' * (30 << 20))",
    ],
)
def test_output_is_cut_and_the_notebook_goes_on(zygote, tmp_path, source):
    notebook = run(zygote, tmp_path, source, "print('after')\n6 * 7", "1 / 0", timeout=2)
    size = sum(len(json.dumps(output)) for output in notebook.cells[0].outputs)
    assert 900_000 < size < 1_300_000
    assert "The output was cut here: the notebook has shown 1 MB" in said(notebook, 0)
    assert said(notebook, 1) == "after\n\n" + str({"text/plain": "42"})
    assert errors(notebook)[2] == ["ZeroDivisionError"]


@pytest.mark.long
def test_without_containment_the_other_limits_hold(tmp_path):
    limits = Limits(contained=False, output_megabytes=1, seconds=2)
    with contextlib.closing(Zygote([], limits)) as zygote:
        look = "import os\nprint(os.getcwd(), os.getppid())"
        notebook = run(zygote, tmp_path, look, "print('x' * (3 << 20))", "while True:\n    pass")
    assert said(notebook, 0) == f"{tmp_path} {zygote._process.pid}\n"
    assert "cut here" in said(notebook, 1)
    assert "CellTimeoutError" in errors(notebook)[2]


def test_a_result_or_an_error_that_is_too_long_is_an_error(zygote, tmp_path):
    long = "class Long:\n    def __repr__(self):\n        return 'x' * (3 << 20)\nLong()"
    notebook = run(zygote, tmp_path, long, "raise ValueError('x' * (3 << 20))", "1")
    assert errors(notebook) == [["OutputTooLong"], ["ValueError"], []]
    assert "cut here" in said(notebook, 1)


def test_the_courses_own_packages_can_be_imported(zygote, tmp_path):
    assert errors(run(zygote, tmp_path, "import dplib, autograder.check", timeout=60)) == [[]]


def test_modules_and_helper_files_of_the_submission_can_be_imported(zygote, tmp_path):
    (tmp_path / "my_helpers.py").write_text("answer = 42")
    (tmp_path / "part").mkdir()
    (tmp_path / "part" / "data.csv").write_text("1,2")
    source = "import my_helpers\nprint(my_helpers.answer, open('part/data.csv').read())"
    assert said(run(zygote, tmp_path, source)) == "42 1,2\n"


def test_processes_that_a_cell_forks_can_work_and_print(zygote, tmp_path):
    source = (
        "import multiprocessing\n"
        "def square(x):\n    print('at', x, flush=True)\n    return x * x\n"
        "with multiprocessing.get_context('fork').Pool(3) as pool:\n"
        "    print(sum(pool.map(square, range(600))))"
    )
    text = said(run(zygote, tmp_path, source))
    assert f"{sum(number**2 for number in range(600))}\n" in text
    # They write at the same time, and nothing is lost.
    assert {f"at {number}" for number in range(600)} <= set(text.splitlines())


def test_a_process_that_a_cell_forks_does_not_take_the_next_cell(zygote, tmp_path):
    pid = "import os\nprint('pid', os.getpid())"
    forks = "for _ in range(3):\n    os.fork()"
    notebook = run(zygote, tmp_path, pid, forks, *[pid] * 5)
    assert errors(notebook) == [[]] * 7
    assert {said(notebook, cell) for cell in (0, *range(2, 7))} == {"pid 1\n"}


def test_an_entry_is_contained_and_gets_what_is_given(zygote, tmp_path):
    given = {"secret": str(HERE.parent / "conftest.py"), "text": "é"}
    child, connection = zygote.fork(
        folder=str(tmp_path), environment={}, entry="contained_entry", given=given
    )
    with connection:
        connection.settimeout(20)
        heard = json.loads(connection.makefile().readline())
    zygote.kill(child)
    assert heard == {"given": given, "pid": 1, "sees": False, "folder": "/submission"}
    assert not any(tmp_path.iterdir())  # what an entry writes is not kept


# What is left behind -----------------------------------------------------------------------------


def test_what_a_notebook_writes_is_there_for_the_next_one(zygote, tmp_path):
    (tmp_path / "old.txt").write_text("old")
    source = (
        "import os\nos.makedirs('a/b')\nopen('a/b/new.txt', 'w').write('new')\n"
        "open('old.txt', 'a').write(' and new')\n"
        "os.symlink('/etc/passwd', 'link')\nos.symlink('/etc', 'a/folder')\nos.mkfifo('pipe')\n"
        "os.mkdir('closed')\nopen('closed/x', 'w').write('x')\nos.chmod('closed', 0)"
    )
    assert errors(run(zygote, tmp_path, source)) == [[]]
    found = {path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*")}
    assert found - {"closed", "closed/x"} == {"old.txt", "a", "a/b", "a/b/new.txt"}
    assert (tmp_path / "old.txt").read_text() == "old and new"
    assert (tmp_path / "a" / "b" / "new.txt").stat().st_uid == os.geteuid()
    assert said(run(zygote, tmp_path, "print(open('a/b/new.txt').read())")) == "new\n"


def test_no_more_is_brought_back_than_may_be_written(zygote, tmp_path):
    source = "for i in range(9):\n    open(f'{i}', 'wb').truncate(7 << 20)"  # they hold nothing
    run(zygote, tmp_path, source)
    assert sum(path.stat().st_size for path in tmp_path.iterdir()) <= 8 << 20


def test_a_deep_tree_does_not_stop_anything(zygote, tmp_path):
    source = "import os\nfor _ in range(3000):\n    os.mkdir('d')\n    os.chdir('d')"
    assert said(run(zygote, tmp_path, source, "print('on')")) == "on\n"


@pytest.mark.parametrize("sign", [signal.SIGKILL, signal.SIGTERM])
def test_contained_processes_die_with_the_grader(tmp_path, sign):
    program = (
        "import os, sys, time\n"
        "from autograder.kernels import Limits, Zygote\n"
        "zygote = Zygote([], Limits())\n"
        "child, connection = zygote.fork(folder=sys.argv[1], environment={})\n"
        "print(child, zygote._process.pid, flush=True)\ntime.sleep(60)"
    )
    with subprocess.Popen([sys.executable, "-c", program, str(tmp_path)], stdout=-1) as grader:
        children = [int(word) for word in grader.stdout.readline().split()]
        assert all(alive(child) for child in children)
        grader.send_signal(sign)
    until(lambda: not any(alive(child) for child in children))


def test_a_contained_process_dies_with_the_zygote(tmp_path):
    zygote = Zygote([], Limits())
    child, connection = zygote.fork(folder=str(tmp_path), environment={})
    zygote._process.kill()
    until(lambda: not alive(child))
    assert connection.recv(1) == b""
    with pytest.raises((EOFError, OSError)):
        zygote.fork(folder=str(tmp_path), environment={})
    zygote.close()


def test_a_process_that_has_ended_is_waited_for_and_nothing_is_left(zygote, tmp_path):
    run(zygote, tmp_path, "import os\nos._exit(3)")
    run(zygote, tmp_path, "1")
    children = Path(f"/proc/{zygote._process.pid}/task/{zygote._process.pid}/children")
    until(lambda: children.read_text() == "")


def alive(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


# What it is made of ------------------------------------------------------------------------------


def test_a_folder_that_cannot_be_entered_is_an_error_with_its_step(zygote, tmp_path):
    with pytest.raises(RuntimeError, match=r"could not start.*No such file"):
        zygote.fork(folder=str(tmp_path / "nowhere"), environment={})
    assert said(run(zygote, tmp_path, "print('on')")) == "on\n"


def test_a_kernels_process_that_cannot_start_says_why(tmp_path):
    zygote = Zygote([], Limits(), ["no_such_entry"])
    with pytest.raises(RuntimeError, match="No module named 'no_such_entry'"):
        zygote.ready()
    zygote.close()


def test_a_library_that_fails_is_the_notebooks_to_report(tmp_path, monkeypatch):
    (tmp_path / "fails_at_import.py").write_text("raise ValueError('no')")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    with contextlib.closing(Zygote(["fails_at_import"], Limits())) as zygote:
        assert errors(run(zygote, tmp_path, "import fails_at_import", "1")) == [["ValueError"], []]


def test_a_grader_that_lets_nobody_read_its_new_files_contains_as_well(tmp_path):
    before = os.umask(0o077)
    try:
        zygote = Zygote([], Limits())
    finally:
        os.umask(before)
    with contextlib.closing(zygote):
        source = "import colorsys, pwd, os\nprint(pwd.getpwuid(os.getuid()).pw_name)"
        assert said(run(zygote, tmp_path, source)) == "student\n"


@pytest.mark.parametrize("end", ["os.abort()", "os._exit(1)", "ctypes.string_at(0)"])
def test_a_process_that_breaks_ends(zygote, tmp_path, end):
    notebook = run(zygote, tmp_path, f"import ctypes, os\n{end}", "1")
    assert errors(notebook) == [["DeadKernelError"], ["CellNotRun"]]


def test_an_alarm_that_prints_does_not_spoil_what_is_printed(zygote, tmp_path):
    source = (
        "import signal\nalarms = 0\n"
        "def tell(*_):\n    global alarms\n    alarms += 1\n    print('alarm', flush=True)\n"
        "signal.signal(signal.SIGALRM, tell)\nsignal.setitimer(signal.ITIMER_REAL, 2e-3, 2e-3)\n"
        "for _ in range(4000):\n    print('x', flush=True)\n"
        "signal.setitimer(signal.ITIMER_REAL, 0)"
    )
    notebook = run(zygote, tmp_path, source, "alarms > 10")
    assert said(notebook) == str({"text/plain": "True"})
    printed = "".join(o.text for o in notebook.cells[0].outputs if o.output_type == "stream")
    assert printed.replace("alarm", "").replace("\n", "") == "x" * 4000
    assert errors(notebook) == [[], []]


def test_figures_can_be_drawn_by_what_nobody_has_imported_before(zygote, tmp_path):
    source = "import matplotlib.pyplot as plt\nplt.plot([1, 2])\nplt.show()"
    assert "image/png" in said(run(zygote, tmp_path, source, timeout=60))


def test_of_an_environment_in_the_course_folder_only_its_own_folders_are_shown(
    tmp_path, monkeypatch
):
    for name in ("lib", "bin", "source", "submitted", "elsewhere"):
        (tmp_path / name).mkdir()
    (tmp_path / "gradebook.db").touch()
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    shown = [Path(place) for place in root.needed([str(tmp_path / "elsewhere")])]
    below = {place.relative_to(tmp_path).as_posix() for place in shown if tmp_path in place.parents}
    assert below == {"lib", "bin", "elsewhere"}
    assert not any(tmp_path.is_relative_to(place) for place in shown)


def test_the_project_itself_shows_its_packages_and_not_its_course():
    shown = [Path(place) for place in root.needed()]
    package = Path(containment.__file__).parents[1]
    assert any(package.is_relative_to(place) for place in shown)
    for name in ("course", "source", "submitted", "nbgrader_config.py"):
        assert not any((package.parent / name).is_relative_to(place) for place in shown)


def test_a_folder_in_what_is_shown_is_empty_and_what_python_needs_of_it_is_there(tmp_path):
    for name in ("shown/course/venv/lib", "shown/exchange", "other"):
        (tmp_path / name).mkdir(parents=True)
        (tmp_path / name / "file").touch()
    (tmp_path / "link").symlink_to(tmp_path / "shown")
    (tmp_path / "found").symlink_to(tmp_path / "shown" / "exchange")
    hidden = [tmp_path / "shown/course", tmp_path / "found", tmp_path / "other"]
    needed = [tmp_path / "link", tmp_path / "shown/course/venv"]
    limits = dataclasses.replace(
        payloads.LIMITS, readable=tuple(map(str, needed)), hidden=tuple(map(str, hidden))
    )
    looks = "import glob, os\nprint(*sorted(glob.glob('**/file', root_dir={!r}, recursive=True)))"
    with contextlib.closing(Zygote([], limits)) as zygote:
        (tmp_path / "submission").mkdir()
        notebook = run(zygote, tmp_path / "submission", looks.format(str(tmp_path)))
    assert said(notebook) == "shown/course/venv/lib/file\n"


def test_a_folder_of_the_system_that_holds_private_files_is_empty(tmp_path):
    if not (folder := Path("/usr/share/doc")).is_dir():
        pytest.skip(f"no {folder} on this machine")
    limits = dataclasses.replace(payloads.LIMITS, hidden=(str(folder),))
    looks = f"import os\nprint(os.listdir('{folder}'), len(os.listdir('/usr/share')) > 3)"
    tries = f"open('{folder}/mine', 'w')"
    with contextlib.closing(Zygote([], limits)) as zygote:
        notebook = run(zygote, tmp_path, looks, tries)
    assert said(notebook, 0) == "[] True\n"
    assert errors(notebook) == [[], ["OSError"]]


def test_a_course_in_a_folder_that_is_readable_is_refused(course):
    for folder in (course, course.parent):
        with (course / "nbgrader_config.py").open("a") as settings:
            settings.write(f"\nc.Containment.readable = [{str(folder)!r}]\n")
        with pytest.raises(GradingError, match="a folder of its own"):
            limits_of(Course(course), Options())


def test_the_course_the_exchange_and_the_home_are_always_hidden(course, monkeypatch):
    monkeypatch.setenv("HOME", "/usr/share/somebody")
    hidden = limits_of(Course(course), Options()).hidden
    assert hidden == (str(course), "/usr/local/share/nbgrader/exchange", "/usr/share/somebody")
    with (course / "nbgrader_config.py").open("a") as settings:
        settings.write('\nc.Exchange.root = "/usr/share/exchange"\n')
    assert "/usr/share/exchange" in limits_of(Course(course), Options()).hidden


def test_of_usr_only_what_programs_are_made_of_is_shown():
    shown = [Path(place) for place in root.needed()]
    for place in ("/usr/src/x", "/usr/local/course/x", "/usr/games/x", "/opt/x", "/srv/x"):
        assert not any(Path(place).is_relative_to(each) for each in shown)


def test_only_variables_that_programs_need_go_in():
    given = {"PATH": "/bin", "LC_ALL": "C", "OMP_NUM_THREADS": "1", "NBGRADER_EXECUTION": "x"}
    secret = {"SSH_AUTH_SOCK": "/x", "AWS_SECRET": "x", "HOME": "/home/me", "GITHUB_TOKEN": "x"}
    assert variables.allowed({**given, **secret}) == given
    inside = variables.inside({**given, **secret})
    assert inside["HOME"] == inside["TMPDIR"] == "/tmp"
    assert "SSH_AUTH_SOCK" not in inside


@pytest.mark.parametrize(
    ("header", "place"),
    [
        ("/usr/include/x86_64-linux-gnu/asm/unistd_64.h", 0),
        ("/usr/include/asm-generic/unistd.h", 1),
    ],
)
def test_the_numbers_of_system_calls_are_linux_own(header, place):
    if not Path(header).exists():
        pytest.skip(f"no {header} on this machine")
    found = re.findall(r"#define __NR(?:3264)?_(\w+)\s+(\d+)", Path(header).read_text())
    known = {name: int(number) for name, number in found}
    wrong = {
        name: numbers[place]
        for name, numbers in {**seccomp.REFUSED, **seccomp.HINTS}.items()
        if known.get(name, numbers[place]) != numbers[place]
    }
    assert not wrong
    assert len(seccomp.REFUSED.keys() & known.keys()) > 40


def test_it_says_why_nothing_can_be_contained(monkeypatch):
    availability.trial.cache_clear()
    monkeypatch.setattr(sys, "platform", "darwin")
    assert unavailable() == "only Linux can contain a process, and this is darwin"
    availability.trial.cache_clear()
    monkeypatch.undo()
    machine = os.uname_result(("Linux", "host", "6", "1", "riscv64"))
    monkeypatch.setattr(os, "uname", lambda: machine)
    assert "riscv64" in unavailable()
    monkeypatch.undo()
    availability.trial.cache_clear()
    assert unavailable() == ""


def test_it_says_that_namespaces_are_switched_off():
    program = (
        "import ctypes, os\nfrom autograder.sandbox import system\n"
        "user = os.getuid()\nassert ctypes.CDLL(None).unshare(system.NEW_USERS) == 0\n"
        "system.write('/proc/self/uid_map', f'{user} {user} 1')\n"
        "system.write('/proc/sys/user/max_user_namespaces', '0')\n"
        "from autograder.sandbox.containment import unavailable\nprint(unavailable())"
    )
    with ordinary.folder() as folder:
        words = ordinary.run(program, folder=folder)
    assert words == "clone: No space left on device: this user may not make namespaces here\n"


# The settings ------------------------------------------------------------------------------------


def test_the_settings_are_read_and_checked():
    config = Config()
    config.Containment.memory_megabytes = 512
    config.Containment.readable = ["/srv/data"]
    limits = Containment(config=config).limits()
    assert limits == Limits(memory_megabytes=512, readable=("/srv/data",))
    config.Containment.seconds = -1
    with pytest.raises(TraitError):
        Containment(config=config)


def test_the_courses_settings_name_every_limit_with_its_usual_value():
    name = "nbgrader_config.py"
    text = (HERE.parents[2] / name).read_text()
    for field in dataclasses.fields(Limits):
        assert f"c.Containment.{field.name} = " in text
    settings = PyFileConfigLoader(name, path=str(HERE.parents[2])).load_config()
    assert Containment(config=settings).limits() == Limits()
