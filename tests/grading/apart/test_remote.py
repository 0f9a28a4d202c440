"""A judge and an answer in two processes: the same verdicts, the same sentences, plain data."""

import ast
import collections
import contextlib
import inspect
import math
import multiprocessing
import os
import re
import subprocess
import sys
import textwrap
import time
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from wrong_answers import ZOO

from autograder.apart.proxy import NotJudged, Remote
from autograder.apart.remote import Gone, Link
from autograder.apart.server import Server
from autograder.apart.wire import packed, unpacked
from autograder.check import CheckFailure
from autograder.check.additive import AdditiveClaim
from autograder.check.audit import AuditClaim, Pair
from autograder.check.claims import CLAIMS
from autograder.check.counterexample import CounterexampleClaim
from autograder.check.elsewhere import remembered
from autograder.check.function_claim import FunctionClaim
from autograder.check.mistakes import Mistake
from autograder.check.outcomes import OutcomeClaim
from autograder.check.programs_claim import ProgramsClaim
from autograder.check.rates import RateClaim
from autograder.check.remade_argument import RemadeArgument
from autograder.check.several import SeveralClaims
from dplib import PureDP

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="only a fork has the answer")


def serve(connection, names):
    """Be the process of the answers."""
    server = Server(connection, names)
    with contextlib.suppress(EOFError):
        while True:
            server.serve()


@contextlib.contextmanager
def linked(**names):
    """Yield the link to a process that has these names."""
    with _process(serve, names) as connection:
        yield Link(connection)


@contextlib.contextmanager
def _process(target, *given):
    # Only fork hands an answer written in a test to a child without naming it.
    fork = multiprocessing.get_context("fork")
    here, there = fork.Pipe()

    def run():
        here.close()  # or the end of the connection would never be seen
        target(there, *given)

    child = fork.Process(target=run)
    child.start()
    there.close()
    try:
        yield here
    finally:
        here.close()
        child.join(20)
        child.kill()


def words(claim, function) -> str:
    """Return what a claim says, without its numbers, what it could have seen, and its last run.

    Numbers and runs are drawn anew each time; what is seen depends on how many draws there are.
    """
    try:
        said = repr(claim.check(function))
    except CheckFailure as failure:
        said = str(failure)
    said = " ".join(re.sub(r"[-+]?\d[\d,.]*(e[-+]?\d+)?", "#", said).split())
    return re.sub(r"; would have seen [^(]*|; in the last one .*(?= A correct answer)", "", said)


def far_words(claim, function) -> str:
    with linked(answer=function) as link:
        return words(claim, link.named("answer"))


def test_a_call_that_does_not_return_there_is_ended_with_the_same_sentence(monkeypatch):
    monkeypatch.setattr("autograder.check.calls._TICK", 0.1)
    monkeypatch.setattr("autograder.check.calls.LONGEST_CALL", 0.3)

    def endless_answer(value, *, sensitivity, epsilon):
        while True:
            with contextlib.suppress(Exception):
                _ = value + epsilon

    said = far_words(CLAIMS["laplace_mechanism"], endless_answer)
    assert "a call does not return" in said


# --- one claim of each kind -------------------------------------------------------------------


def coin(share):
    """Return an answer that gives 1 with the probability that `share` makes of epsilon."""
    return lambda epsilon: int(np.random.default_rng().random() < share(epsilon))


COIN = OutcomeClaim(
    name="coin",
    established="the reply is the truth with probability e^epsilon / (1 + e^epsilon)",
    arguments=lambda p: ((p["epsilon"],), {}),
    situation=lambda p: f"epsilon {p['epsilon']}",
    parameters=lambda generator: [{"epsilon": round(generator.uniform(1.5, 2), 2)}] * 2,
    mistakes=(Mistake("an even coin is tossed", lambda p: {0: 0.5, 1: 0.5}, "why?"),),
    law=lambda p: {0: 1 / (1 + math.exp(p["epsilon"])), 1: 1 / (1 + math.exp(-p["epsilon"]))},
    outcome=lambda answer, p: answer,
)


def _pairs(generator):
    value = round(generator.uniform(0, 9), 2)
    return [Pair({"value": value}, {"value": value + 1}, 1.0, "too little noise", "how much?")]


AUDIT = AuditClaim(
    name="audited",
    established="audited",
    arguments=lambda p: ((p["value"],), {}),
    situation=lambda p: f"value {p['value']}",
    pairs=_pairs,
)


def zoo(name, right=0, wrong=""):
    """Return an exercise's claim, a right answer, and the first wrong one that is named so."""
    answer = next(answer for answer, named in ZOO.wrong[name] if wrong in str(named))
    return CLAIMS[name], ZOO.right[name][right], answer


def noisy(scale):
    return lambda value: value + np.random.default_rng().laplace(0, scale)


KINDS = {
    "noise": (AdditiveClaim, *zoo("laplace_mechanism")),
    "values": (FunctionClaim, *zoo("epsilon_for_error")),
    "a counterexample": (CounterexampleClaim, *zoo("classical_sigma_counterexample")),
    "events": (ProgramsClaim, *zoo("leaks_in_counts")),
    "rates": (RateClaim, *zoo("membership_inference", wrong="no interval")),
    "an audit": (AuditClaim, AUDIT, noisy(1.0), noisy(0.2)),
    "outcomes": (OutcomeClaim, COIN, coin(lambda e: 1 / (1 + math.exp(-e))), coin(lambda _: 0.5)),
    "several": (
        SeveralClaims,
        SeveralClaims(name="audited", established="both", parts=(AUDIT,)),
        noisy(1.0),
        noisy(0.2),
    ),
    "a class": (SeveralClaims, *zoo("privacy_ledger")),
    "a query": (FunctionClaim, *zoo("differencing_attack")),
    "a predicate": (AdditiveClaim, *zoo("private_count", wrong="all rows")),
    "black boxes": (RateClaim, *zoo("find_liars", wrong="accuses the same two boxes")),
    "another session of Python": (CounterexampleClaim, *zoo("assign_chunks")),
}


@pytest.mark.long
@pytest.mark.parametrize("kind", KINDS)
def test_verdict_and_sentence_are_the_same(kind):
    # A right answer fails with probability below 1e-9. The wrong ones are far off: their names
    # were wrong in none of 10,000 runs. A sentence is tried up to four times: on a machine whose
    # cores others take, a look may end before all of its draws, and says so.
    base, claim, right, wrong = KINDS[kind]
    assert isinstance(claim, base)
    for answer, begins in ((right, "✓ "), (wrong, "✗ ")):
        assert any(far_words(claim, answer) == words(claim, answer) for _ in range(4))
        assert far_words(claim, answer).startswith(begins)


# What can be seen only beside the answer: each of these fragments comes from there.
BESIDE = {
    "laplace_mechanism": (
        *("not answered yet", "np.random.seed is called inside", "random.seed is called inside"),
        *("the library's own version", "returns nothing", "some answers have no noise"),
    ),
    "privacy_ledger": ("the library's own version",),
    "range_error": ("the time grows",),
    "assign_chunks": ("hash of a text", "the state of the global random generator", "changes what"),
    "private_count": ("predicate is not used", "not called with the table", "changes what it is"),
    "differencing_attack": ("one person alone", "the query is never asked"),
}


@pytest.mark.parametrize(("name", "fragment"), [(n, each) for n in BESIDE for each in BESIDE[n]])
def test_what_is_seen_beside_the_answer_is_seen_from_afar(name, fragment):
    answers = [answer for answer, named in ZOO.all_wrong(name) if fragment in str(named)]
    assert answers
    for answer in answers:
        assert fragment in far_words(CLAIMS[name], answer)


def test_noise_that_follows_the_clock_is_seen_from_afar():
    def answer(value, *, sensitivity, epsilon):
        generator = np.random.default_rng(time.time_ns())
        return value + generator.laplace(0, sensitivity / epsilon)

    assert "the time of the call" in far_words(CLAIMS["laplace_mechanism"], answer)


def test_the_exponents_are_read_across():
    # An exponent that no catalogue has.
    def answer(value, *, sensitivity, epsilon):
        return value + 0.7 * np.random.default_rng().laplace(0, sensitivity / epsilon**1.5)

    assert "shrinks as #/epsilon**#" in far_words(CLAIMS["laplace_mechanism"], answer)


def test_what_a_remote_answer_prints_is_noted(capfd):
    def answer(value, *, sensitivity, epsilon):
        print("shown")
        return value + np.random.default_rng().laplace(0, sensitivity / epsilon)

    assert "your function prints" in far_words(CLAIMS["laplace_mechanism"], answer)
    assert capfd.readouterr().out == ""


def test_one_array_for_all_answers_is_no_mistake():
    noise = np.zeros(1)

    def answer(value, *, sensitivity, epsilon):
        noise[0] = value + np.random.default_rng().laplace(0, sensitivity / epsilon)
        return noise

    assert far_words(CLAIMS["laplace_mechanism"], answer).startswith("✓ ")


def test_a_verdict_is_remembered_until_something_else_runs():
    made = []
    with linked(answer=len) as link:
        for _ in range(2):
            remembered("a", link.named("answer"), lambda: made.append(1))
        remembered("b", link.named("answer"), lambda: made.append(2))
        link.verdicts.clear()
        remembered("a", link.named("answer"), lambda: made.append(3))
    assert made == [1, 2, 3]
    for _ in range(2):
        remembered("a", len, lambda: made.append(4))
    assert made[3:] == [4, 4]


# --- what crosses -----------------------------------------------------------------------------

Point = collections.namedtuple("Point", "x y")


@pytest.mark.parametrize(
    "value",
    [
        *(None, True, 3, 10**30, 0.1, -math.inf, "words", "\ud800", b"\0\xff", 2 - 1j),
        *([], [1, [2.5, "a"]], (1, (2, 3)), {"a": 1, 2: (3,), (1, 2): None}, {1, 2}),
        *(frozenset([2]), range(2, 9, 3), Fraction(13, 2), Decimal("0.10"), Point(1, [2])),
        *([0.5] * 9, [np.float64(0.5)] * 9, np.int8(3), np.bool_(True), np.str_("é")),
        *({"!": "tuple", "of": [1]}, PureDP(0.5, "replace_one"), [Fraction(1, 3)] * 5),
    ],
    ids=repr,
)
def test_plain_data_arrives_as_it_was(value):
    arrived = unpacked(packed(value))
    assert arrived == value
    assert type(arrived) is type(value) or type(arrived)._fields == type(value)._fields
    if isinstance(value, list):
        assert [*map(type, arrived)] == [*map(type, value)]


@pytest.mark.parametrize(
    "array",
    [
        *(np.arange(6.0).reshape(2, 3).T, np.array([True]), np.array(["a", "bc"]), np.array(3)),
        *(np.zeros((0, 3)), np.array([1, "a", None], dtype=object), np.array(["2020-01-01"], "M8")),
    ],
    ids=repr,
)
def test_arrays_arrive(array):
    arrived = unpacked(packed(array))
    assert arrived.dtype == array.dtype
    np.testing.assert_array_equal(arrived, array)
    for each in unpacked(packed([array] * 5)):
        np.testing.assert_array_equal(each, array)


def test_a_generator_arrives_with_its_state():
    generator = np.random.Generator(np.random.MT19937(4))
    generator.normal()
    assert unpacked(packed(generator)).normal() == generator.normal()


TABLE = pd.DataFrame(
    {
        "number": [1, 2, 3],
        "name": ["x", None, "z"],
        "share": [0.5, np.nan, np.inf],
        "kind": pd.Categorical(["b", "a", None], categories=["b", "a", "c"], ordered=True),
        "count": pd.array([1, None, 3], dtype="Int64"),
        "day": pd.to_datetime(["2020-01-01", None, "2021-05-06"]),
        "any": pd.Series([1, "two", (3,)], dtype=object),
    },
    index=pd.Index([7, 7, 9], name="row"),
)


@pytest.mark.parametrize(
    "table",
    [TABLE, TABLE.T, TABLE.set_index(["name", "kind"]), TABLE.iloc[:0], TABLE[[]], pd.DataFrame()],
    ids=["frame", "turned", "two levels", "no rows", "no columns", "nothing"],
)
def test_tables_arrive(table):
    pd.testing.assert_frame_equal(unpacked(packed(table)), table)
    pd.testing.assert_index_equal(unpacked(packed(table.index)), table.index)
    for _, column in table.items():
        pd.testing.assert_series_equal(unpacked(packed(column)), column)


class Trap:
    """Raises for whoever looks at it, and would run code if it were unpickled."""

    def __repr__(self):
        raise RuntimeError

    def __reduce__(self):
        return print, ("unpickled",)


def test_what_is_no_plain_data_is_refused_without_a_look():
    for value in (Trap(), [Trap()], np.array([Trap()], dtype=object), print, type):
        with pytest.raises(ValueError, match="is no plain data"):
            packed(value)
    endless = []
    endless.append(endless)
    with pytest.raises(ValueError, match="holds itself"):
        packed(endless)
    with pytest.raises(ValueError, match="too much"):
        packed(np.zeros(2**24))


def framed(body: bytes, contents: bytes = b"") -> bytes:
    return len(body).to_bytes(4, "big") + body + contents


FORGED = [
    b"",
    b"\0\0",
    framed(b"["),
    framed(b"[" * 100_000),
    framed(b'{"!": "code"}'),
    framed(b'{"!": "code", "of": 1}'),
    framed(b'{"!": "array", "of": ["|O", [1], 0]}', b"\0" * 8),
    framed(b'{"!": "array", "of": ["<f8", [9], 0]}', b"\0" * 8),
    framed(b'{"!": "array", "of": ["<f8", [-1], 0]}', b"\0" * 8),
    framed(b'{"!": "array", "of": ["<f8", [4611686018427387904], 0]}', b"\0" * 8),
    framed(b'{"!": "array", "of": ["<U1", [1], 0]}', b"\xff" * 4),
    framed(b'{"!": "dict", "of": [[[], 1]]}'),
    framed(b'{"!": "fraction", "of": [1, 0]}'),
    framed(b'{"!": "named", "of": ["a", ["import os"], [1]]}'),
    framed(b'{"!": "library", "of": ["load_adult", {}]}'),
    framed(b'{"!": "generator", "of": ["default_rng", {}]}'),
    framed(b'{"!": "frame", "of": [1, 2, 3]}'),
    framed(b'{"!": "fraction", "of": ["1e99999999"]}'),
    framed(b'{"!": "fraction", "of": ["1e99999999", 1]}'),
    framed(b'{"!": "decimal", "of": "1e99999999"}'),
    framed(b'{"!": "bytes", "of": 99999999999}'),
    framed(b'{"!": "generator", "of": ["MT19937", []]}'),
    framed(b'{"!": "given", "of": 0}'),
    b"\x7f\xff\xff\xff" + b"1" * 100,
]


@pytest.mark.parametrize("message", FORGED, ids=lambda message: repr(message[4:50]))
def test_bytes_that_nobody_packed_are_refused(message):
    with pytest.raises(ValueError, match=r".+"):
        unpacked(message)


@pytest.mark.parametrize("position", [-5, -1, 625, 10**8, 2**31, 2.0, True, None, "3"])
@pytest.mark.parametrize("name", ["MT19937", "Philox"])
def test_a_generator_reads_none_but_its_own_numbers(name, position):
    """numpy believes a position, and would read beyond them, or end the process."""
    drawing = np.random.Generator(getattr(np.random, name)(5))
    state = drawing.bit_generator.state
    assert unpacked(packed(drawing)).random() == drawing.random()
    (state["state"] if name == "MT19937" else state).update(
        {"MT19937": {"pos": position}, "Philox": {"buffer_pos": position}}[name]
    )
    forged = packed(object(), lambda anything: ("generator", [name, state]))
    with pytest.raises(ValueError, match="a position that"):
        unpacked(forged)


@pytest.mark.hostile
def test_no_message_ends_the_reader_or_holds_it():
    """For a minute: what ends a process would end a process of its own."""
    program = Path(__file__).with_name("fuzz_reader.py")
    done = subprocess.run(
        [sys.executable, str(program), "60"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr[-3000:]


def test_there_is_one_truth():
    array = unpacked(framed(b'{"!": "array", "of": ["|b1", [3], 0]}', b"\0\1\xff"))
    assert array.view(np.uint8).tolist() == [0, 1, 1]


# --- what is no plain data there ----------------------------------------------------------------


class Account:
    def __init__(self, total):
        self.total = total

    def add(self, number):
        self.total += number
        return self

    def __len__(self):
        return self.total

    def __iter__(self):
        return iter([self, self.total])

    def __lt__(self, other):
        return True

    __eq__ = __lt__
    __hash__ = None


def test_a_remote_thing_can_be_asked_and_decides_nothing():
    with linked(Account=Account, account=Account(3)) as link:
        account = link.named("account")
        assert isinstance(account, Remote)
        assert type(account).__name__ == "Account"
        assert account.add(4).total == 7 == len(account)
        assert link.named("Account")(5).total == 5
        assert [each is account or each for each in account] == [True, 7]
        for decide in (lambda: account < 9, lambda: account == 9, lambda: account + 1):
            with pytest.raises(NotJudged):
                decide()
        with pytest.raises(AttributeError):
            _ = account.nothing
        with pytest.raises(NameError):
            link.named("nothing")


def test_a_remote_number_of_its_own_kind_is_a_number():
    class Any(float):
        def __lt__(self, other):
            return True

    with linked(number=Any(5)) as link:
        assert type(link.named("number")) is float
        assert not link.named("number") < 3


def test_errors_are_caught_as_what_they_are():
    class Odd(KeyError):
        pass

    def fail(kind):
        raise {"odd": Odd, "exit": SystemExit, "text": UnicodeDecodeError}[kind](*"ab"[:1])

    with linked(fail=fail) as link:
        with pytest.raises(KeyError) as caught:
            link.named("fail")("odd")
        assert type(caught.value).__name__ == "Odd"
        with pytest.raises(SystemExit):
            link.named("fail")("exit")
        with pytest.raises(TypeError):  # it takes five arguments
            link.named("fail")("text")


class Counted(RemadeArgument):
    def __init__(self, factor):
        self.factor, self.calls = factor, 0

    def __call__(self, number):
        self.calls += 1
        return self.factor * number


def test_functions_go_there_and_are_counted():
    seen = []

    def ours(number):
        seen.append(number)
        if number > 2:
            raise ValueError("too large")
        return 10 * number

    def use(function, numbers):
        return [function(number) for number in numbers]

    with linked(use=use) as link:
        counted = Counted(3)
        assert link.named("use")(counted, [1, 2]) == [3, 6]
        assert link.named("use")(counted, [3]) == [9]
        assert counted.calls == 3
        assert link.named("use")(ours, [1, 2]) == [10, 20]
        with pytest.raises(ValueError, match="too large"):
            link.named("use")(ours, [3])
        assert seen == [1, 2, 3]


def test_what_is_not_plain_here_stays_here():
    with linked(use=len) as link, pytest.raises(NotJudged, match="cannot be handed"):
        link.named("use")(Trap())


def _forging(connection, replies):
    """Answer each request with the next of these, whatever it was."""
    with contextlib.suppress(EOFError, OSError):
        for reply in replies:
            connection.recv_bytes()
            connection.send_bytes(reply if isinstance(reply, bytes) else packed(reply))
        connection.recv_bytes()


REPLIES = [
    3,
    ["came"],
    ["judged", "passed"],
    ["failed", 3],
    ["failed", {"kinds": [], "words": 3, "ours": None, "bad": {}}],
    ["failed", {"kinds": ["E"], "words": "", "ours": 7, "bad": {}}],
    ["call", 7, [], {}],
    ["call", "f", [], {}],
    ["came", [[], [], [], [], [0.1, 0.0]]],
    ["came", [[1, 2], [], [], [], [0.1, 0.0]]],
    ["came", [[1], [[7, {}]], [], [], [0.1, 0.0]]],
    ["came", [[1], [], [[7, 1]], [], [0.1, 0.0]]],
    ["came", [[1], [], [["x", 1]], [], [0.1, 0.0]]],
    ["came", [[1], [], [], [[7, 1]], [0.1, 0.0]]],
    framed(b'["came", [[{"!": "remote", "of": 1}], [], [], [], false]]'),
]


@pytest.mark.parametrize("reply", REPLIES, ids=repr)
def test_a_reply_that_nobody_can_read_is_an_error(reply):
    name = framed(b'["came", {"!": "remote", "of": [0, "f", "m", "f", ["__call__"]]}]')
    with _process(_forging, [name, reply, ["came", 1]]) as connection:
        function = Link(connection).named("f")
        with pytest.raises(Gone):
            function([1])


def test_a_forged_count_reaches_remade_arguments_alone():
    class Query:
        calls = 0

        def __call__(self):
            return 1

    name = framed(b'["came", {"!": "remote", "of": [0, "f", "m", "f", ["__call__"]]}]')
    forged = ["came", [[1], [], [], [[0, 5]], [0.1, 0.0]]]
    for given, calls in ((Query(), 0), (Counted(1), 5)):
        with _process(_forging, [name, forged]) as connection:
            assert Link(connection).named("f")(given) == 1
            assert given.calls == calls


def test_a_process_that_ends_is_an_error_and_no_hang():
    with linked(end=lambda: os._exit(0)) as link:
        end = link.named("end")
        with pytest.raises(Gone, match="has ended"):
            end()
        with pytest.raises(Gone):
            link.named("end")


def all_below(kind: type) -> list[type]:
    return [each for one in kind.__subclasses__() for each in (one, *all_below(one))]


def changed_attributes(kind: type) -> set[str]:
    """The attributes that the methods of a class assign, but for what it begins with."""
    (made,) = ast.parse(textwrap.dedent(inspect.getsource(kind))).body
    methods = [each for each in made.body if getattr(each, "name", "__init__") != "__init__"]
    nodes = [node for each in methods for node in ast.walk(each)]
    stored = (each for each in nodes if isinstance(each, ast.Attribute))
    return {each.attr for each in stored if isinstance(each.ctx, ast.Store)}


def test_nothing_but_calls_is_noted_by_what_is_made_anew_beside_the_answer():
    """Only `calls` comes back from there: what else a judge would read stays as it was."""
    assert list(CLAIMS.values())  # their modules are imported when they are asked for
    found = {each.__name__: changed_attributes(each) for each in all_below(RemadeArgument)}
    assert {"Function", "Audited"} <= set(found)
    assert set().union(*found.values()) <= {"calls"}, found
