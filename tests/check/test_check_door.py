"""The door to the answer: what it hides, what it puts back, what it lets through, what it finds."""
# ruff: noqa: NPY002

import contextlib
import logging
import math
import os
import random
import re
import signal
import subprocess
import sys
import time
import warnings
from dataclasses import replace

import numpy as np
import pytest

import dplib
from autograder import check
from autograder.check import calls, door, effort
from autograder.check.answers import BadAnswer, as_number, as_whole_number
from autograder.check.claims import CLAIMS
from autograder.check.counterexample import CounterexampleClaim
from autograder.check.door import Door


def right(value, *, sensitivity, epsilon, rng=None):
    return value + np.random.laplace(0, sensitivity / epsilon)


def test_global_generators_are_reseeded_and_put_back():
    states = np.random.get_state(), random.getstate()
    expected = np.random.random(), random.random()
    seen = []

    def answer(value, *, sensitivity, epsilon):
        seen.append((np.random.random(), random.random()))
        return right(value, sensitivity=sensitivity, epsilon=epsilon)

    np.random.set_state(states[0])
    random.setstate(states[1])
    check.laplace_mechanism(answer)
    assert (np.random.random(), random.random()) == expected
    # Reseeded from the system's entropy: equal with probability below 1e-30.
    assert seen[0] != expected


def test_nothing_an_answer_prints_gets_out(capfd):
    def answer(value, *, sensitivity, epsilon):
        print("shown" * 10)
        sys.stderr.write("an error")
        warnings.warn("a warning", stacklevel=1)
        logging.getLogger("answer").warning("a log")
        return right(value, sensitivity=sensitivity, epsilon=epsilon) + np.log(0.0) * 0 * 0

    def quiet(value, *, sensitivity, epsilon):
        np.float64(1) / np.float64(0)
        return right(value, sensitivity=sensitivity, epsilon=epsilon)

    with pytest.raises(check.CheckFailure, match="not a finite number"):
        check.laplace_mechanism(answer)
    result = check.laplace_mechanism(quiet)
    assert "prints" not in repr(result)
    assert capfd.readouterr() == ("", "")


def test_an_answer_that_prints_passes_with_a_note(capfd):
    def answer(value, *, sensitivity, epsilon):
        print(value)
        return right(value, sensitivity=sensitivity, epsilon=epsilon)

    assert "your function prints" in repr(check.laplace_mechanism(answer))
    assert capfd.readouterr().out == ""


def test_strict_floating_point_settings_do_not_disturb():
    before = np.seterr(all="raise")
    try:
        check.laplace_mechanism(right)
        check.discrete_laplace(
            lambda value, *, sensitivity, epsilon: (
                value + np.diff(np.random.geometric(-math.expm1(-epsilon / sensitivity), 2))[0]
            )
        )
    finally:
        np.seterr(**before)


def test_one_mishap_in_a_run_is_let_through_and_two_are_not():
    def sometimes(places):
        calls = iter(range(10**9))

        def answer(value, *, sensitivity, epsilon):
            if next(calls) in places:
                raise ValueError("math domain error")
            return right(value, sensitivity=sensitivity, epsilon=epsilon)

        return answer

    check.laplace_mechanism(sometimes({100}))
    with pytest.raises(check.CheckFailure, match="ValueError: math domain error"):
        check.laplace_mechanism(sometimes({100, 900}))


def test_an_answer_that_waits_is_not_judged_to_the_end(monkeypatch):
    monkeypatch.setattr(effort, "SHORT", replace(effort.SHORT, idle=0.3))

    def answer(value, *, sensitivity, epsilon):
        time.sleep(0.015)
        return right(value, sensitivity=sensitivity, epsilon=epsilon)

    # Some 20 answers cannot refute a scale that is sqrt(2) too large: no answer counts more than
    # ln(sqrt(2)) = 0.35 against it, and 13.8 are needed.
    result = check.laplace_mechanism(answer)
    assert result.draws < 39
    assert "not judged to the end: your function waited for" in repr(result)


def test_an_answer_that_hangs_for_a_while_is_not_waited_for_long(monkeypatch):
    monkeypatch.setattr(door, "_LONGEST_SAMPLE", 0.02)
    monkeypatch.setattr(effort, "SHORT", replace(effort.SHORT, idle=0.4))

    def answer(value, *, sensitivity, epsilon):
        time.sleep(0.15)
        return right(value, sensitivity=sensitivity, epsilon=epsilon)

    # One answer at each of the four settings, then it has waited for long enough: the first batch
    # would be 16. A setting that seems cheap, because another was held up, may have a few more.
    result = check.laplace_mechanism(answer)
    assert 4 <= result.draws < 12
    assert "not judged to the end" in repr(result)


def test_work_never_decides_against_an_answer(monkeypatch):
    monkeypatch.setattr(effort, "SHORT", replace(effort.SHORT, patience=0.0, work=1e-9))
    result = check.laplace_mechanism(right)
    assert "no departure found" in repr(result)
    assert "(not judged to the end: not ruled out: " in repr(result)
    assert re.search(r"\d draws in 0 seconds of work, and about [\d,]+ would have", repr(result))


def test_where_points_are_given_work_in_vain_waits_for_a_person():
    """Too few draws are left to tell noise that is half as large again from the right one."""

    def burning(value, *, sensitivity, epsilon):
        enough = time.process_time() + 0.02
        while time.process_time() < enough:
            pass
        return right(value, sensitivity=sensitivity, epsilon=epsilon / 1.5)

    few = replace(effort.LONG, work=0.02, patience=0.02, rounds=1)
    with pytest.raises(check.CheckFailure) as failure, effort.at_length("", few):
        CLAIMS["laplace_mechanism"].check(burning)
    words = " ".join(str(failure.value).split())
    assert "laplace_mechanism: not judged to the end not ruled out: " in words
    assert re.search(r"about [\d,]+ would have been needed", words)
    assert words.endswith("Try: what takes so long in each call?")


def test_a_keyboard_interrupt_gets_through_and_all_is_put_back():
    def answer(value, *, sensitivity, epsilon):
        raise KeyboardInterrupt

    state = random.getstate()
    with pytest.raises(KeyboardInterrupt):
        check.laplace_mechanism(answer)
    assert random.getstate() == state
    assert sys.stdout is not None
    dplib.laplace_mechanism(1.0, sensitivity=1.0, epsilon=1.0)


def test_an_answer_that_exits_is_told_so():
    def answer(value, *, sensitivity, epsilon):
        sys.exit("enough")

    with pytest.raises(check.CheckFailure, match="SystemExit: enough"):
        check.laplace_mechanism(answer)


def test_the_library_works_again_after_a_check():
    with pytest.raises(check.CheckFailure, match="library's own version"):
        check.laplace_mechanism(dplib.laplace_mechanism)
    assert np.isfinite(dplib.laplace_mechanism(1.0, sensitivity=1.0, epsilon=1.0))


def test_the_library_is_found_in_a_closure_and_behind_a_broad_except():
    library = dplib.laplace_mechanism

    def answer(value, *, sensitivity, epsilon):
        try:
            return library(value, sensitivity=sensitivity, epsilon=epsilon)
        except Exception:
            return right(value, sensitivity=sensitivity, epsilon=epsilon)

    with pytest.raises(check.CheckFailure, match="library's own version"):
        check.laplace_mechanism(answer)


def test_an_answer_that_shadows_the_library_is_fine():
    def laplace_mechanism(value, *, sensitivity, epsilon, rng=None):
        rng = np.random.default_rng() if rng is None else rng
        return value + rng.laplace(0, sensitivity / epsilon)

    check.laplace_mechanism(laplace_mechanism)


@pytest.mark.parametrize(
    ("given", "read"),
    [
        (1.5, 1.5),
        (3, 3.0),
        (np.float32(0.5), 0.5),
        (np.int64(4), 4.0),
        (np.array(2.5), 2.5),
        ([7], 7.0),
        (np.array([[1.25]]), 1.25),
    ],
)
def test_what_counts_as_one_number(given, read):
    assert as_number(given) == read


@pytest.mark.parametrize(
    "given", [None, "3", True, [1, 2], [], [[1], [1, 2]], math.inf, math.nan, 1j, {}, object()]
)
def test_what_does_not_count_as_one_number(given):
    with pytest.raises(BadAnswer):
        as_number(given)


def test_whole_numbers_may_be_floats():
    assert as_whole_number(np.float64(4)) == 4
    with pytest.raises(BadAnswer, match="whole"):
        as_whole_number(4.5)


def test_a_changed_argument_is_noticed():
    def answer(numbers):
        numbers.append(1)
        return 0

    claim = CounterexampleClaim(
        name="numbers",
        established="",
        arguments=lambda given: ((list(given["numbers"]),), {}),
        situation=str,
        cases=lambda generator: [],
        verify=lambda parameters, answer: None,
    )
    door = Door(claim, answer, [{"numbers": [1, 2]}])
    door.call(0)
    with pytest.raises(BadAnswer, match="changes what it is given"):
        door.raise_if_written(0)
    untouched = Door(claim, len, [{"numbers": [1, 2]}])
    untouched.call(0)
    untouched.raise_if_written(0)


def test_the_import_is_light():
    # What a notebook needs at once, and what must also run in a browser.
    program = (
        "import sys; from autograder import check; heavy = {'matplotlib', 'pandas', 'IPython', "
        "'nbgrader', 'scipy.stats', 'dplib'} & set(sys.modules); sys.exit(' '.join(heavy) or 0)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, env=os.environ
    )
    assert (done.returncode, done.stderr) == (0, "")


@pytest.fixture
def short_calls(monkeypatch):
    """Let a call be too long after three tenths of a second of work."""
    monkeypatch.setattr(calls, "_TICK", 0.1)
    monkeypatch.setattr(calls, "LONGEST_CALL", 0.3)


def rejecting(value, *, sensitivity, epsilon):
    """Draw uniform noise until one is kept: for ever where hardly any is."""
    while True:
        noise = random.uniform(-3_000, 3_000)
        with contextlib.suppress(Exception):  # an answer may catch what it likes
            if random.random() < math.exp(-1e9 * epsilon * abs(noise) / sensitivity):
                return value + noise


def test_a_call_that_does_not_return_is_ended_with_a_sentence(short_calls):
    before = signal.getsignal(signal.SIGALRM)
    with pytest.raises(check.CheckFailure, match="a call does not return") as failure:
        check.laplace_mechanism(rejecting)
    assert "sensitivity" in str(failure.value), "at which input"
    assert signal.getsignal(signal.SIGALRM) is before
    assert signal.getitimer(signal.ITIMER_REAL) == (0, 0)


def test_many_calls_may_take_longer_together_than_one(short_calls):
    def slow(value, *, sensitivity, epsilon):
        until = time.process_time() + 0.08
        while time.process_time() < until:
            pass
        return right(value, sensitivity=sensitivity, epsilon=epsilon)

    # Six of them would do to show it; a whole look at so slow an answer takes four seconds.
    with effort.at_length("laplace_mechanism", replace(effort.SHORT, patience=1.0)):
        assert CLAIMS["laplace_mechanism"].check(slow).share == 1


def test_the_limit_around_a_check_goes_on_after_it(short_calls):
    with calls.calls_that_end() as outer:
        check.laplace_mechanism(right)
        with pytest.raises(calls.CallEnded), outer:
            while True:
                pass
