"""Practice tasks: the grammar, the laws, the texts, and what is said to an answer."""

import dataclasses
import itertools
import json
import re

import numpy as np
import pytest
from practice.proof import RIGHT, answer, plan_of, said
from scipy import integrate, stats

from autograder import practice
from autograder.authoring import generate
from autograder.check.effort import SHORT, at_length, effort
from autograder.check.result import CheckFailure
from autograder.practice.columns import GROUPS, NUMBERS, drawn, meets
from autograder.practice.draw import drawn_plan
from autograder.practice.exact import exact
from autograder.practice.memory import FILE, Memory
from autograder.practice.program import STYLES, program
from autograder.practice.quadrature import noisy_max_chances, quotient
from autograder.practice.scale import sensitivities
from autograder.practice.task_claim import claim_of
from autograder.practice.task_mistakes import essence_of, mistakes
from autograder.practice.task_plan import CHOICES, GAUSSIAN, GROUPED, Plan, refused
from autograder.practice.task_words import describe, worked

pytestmark = pytest.mark.quick

COUNT = Plan("count", condition=("Age", ">=", 45))
PLANS = [plan_of(seed) for seed in range(120)]


def test_the_parts_are_as_many_as_were_asked_for():
    assert len({plan.question for plan in PLANS}) >= 6
    assert len({plan.noise for plan in PLANS}) >= 6
    assert len({plan.split[0] for plan in PLANS}) >= 4
    assert len({plan.after for plan in PLANS}) >= 4
    bounds = {(plan.relation, plan.rows_each > 1) for plan in PLANS}
    assert len(bounds) >= 3


@pytest.mark.parametrize(
    ("plan", "why"),
    [
        (Plan("count", after="per_row"), "the number of rows is not public"),
        (Plan("count", noise="discrete_laplace", after="tens"), "two nearest tens"),
        (Plan("histogram", ("Race",), split=("each",)), "in one group only"),
        (Plan("sum", ("Age",), bounds=((2, 70),)), "no check tells them apart"),
        (Plan("sum", ("Age",), ("Sex", "==", "Male"), ((20, 70),), "replace_one"), "two readings"),
        (Plan("sum", ("Age",), ("Age", ">", 30), ((20, 70),)), "changes its bounds"),
        (Plan("sum", ("Age",)), "bounds that are public"),
        (Plan("count", noise="noisy_max"), "a selection mechanism"),
        (Plan("count", split=("share", 3, 2)), "not at 3/2"),
        (
            Plan("mean", ("Age",), bounds=((20, 70),), split=("two", 1, 4), after="bounds"),
            "hides whether the count has any",
        ),
        (Plan("median"), "there is no question 'median'"),
        (Plan("histogram", ("Zip",)), "none of the census"),
    ],
)
def test_an_ambiguous_task_is_refused_with_its_reason(plan, why):
    assert why in refused(plan)
    with pytest.raises(ValueError, match=re.escape(why)):
        Plan.read(plan.text())


def test_a_plan_is_read_as_it_was_written():
    assert all(Plan.read(plan.text()) == plan for plan in PLANS)
    with pytest.raises(ValueError, match=r"text must be a task's plan, got '\[1\]'"):
        Plan.read("[1]")


def changed_tables(plan, generator):
    """A table, and one that differs by one person's rows: extreme ones every other time."""
    rows, each = 12, plan.rows_each
    columns = plan.columns or ("Age",)
    table = drawn(columns, plan.condition, rows, generator)
    people = drawn(columns, plan.condition, each, generator)
    others = drawn(columns, plan.condition, each, generator)
    for name in set(columns) & set(NUMBERS) if generator.random() < 0.7 else ():
        people[name], others[name] = [NUMBERS[name].largest] * each, [0] * each
    for name in set(columns) & set(GROUPS) if generator.random() < 0.7 else ():
        people[name], others[name] = [GROUPS[name][0]] * each, [GROUPS[name][1]] * each
    if plan.condition and plan.condition[1] == "==":
        people[plan.condition[0]] = [plan.condition[2]] * each
        if generator.random() < 0.5:
            others[plan.condition[0]] = [plan.condition[2]] * each
    one = {name: table[name] + people[name] for name in table}
    other = {name: table[name] + others[name] for name in table}
    return one, other if plan.relation == "replace_one" else table


@pytest.mark.slow
@pytest.mark.parametrize("plan", [plan for plan in PLANS[:60] if plan.question != "answer"])
def test_a_sensitivity_is_the_largest_change_between_neighbors(plan):
    # The oracle: random and extreme neighbors, whose exact answers are compared.
    generator, widest = np.random.default_rng(3), 0.0
    for _ in range(200):
        one, other = (exact(plan, table) for table in changed_tables(plan, generator))
        change = np.abs(one - other)
        if plan.question in (*GROUPED, "sums") and plan.split[0] != "each":
            norm = np.linalg.norm(change) if plan.noise in GAUSSIAN else change.sum()
            change = np.full(len(change), norm)
        if plan.noise in CHOICES:
            change = np.array([change.max()])
        share = change / sensitivities(plan)
        assert np.all(share <= 1 + 1e-9)
        widest = max(widest, share.max())
    assert widest > 0.9


@pytest.mark.slow
def test_a_quotient_s_law_is_the_integral():
    for bell, density in ((True, stats.norm), (False, stats.laplace)):
        law = quotient(bell, (310.0, 55.0), (9.0, 3.5))
        for x in (-20.0, 0.0, 11.0, 34.0, 90.0):

            def inside(c, x=x, density=density):
                below = density.cdf((x * c - 310.0) / 55.0)
                return below * density.pdf((c - 9.0) / 3.5) / 3.5

            points = sorted({1.0, 9.0, *([310.0 / x] if x > 0 else [])})
            pieces = [*points, 9.0 + 45 * 3.5]
            whole = sum(
                integrate.quad(inside, a, b, epsabs=1e-13, limit=200)[0]
                for a, b in itertools.pairwise(pieces)
                if a < b
            )
            start = density.cdf((1.0 - 9.0) / 3.5) * density.cdf((x - 310.0) / 55.0)
            assert abs(law(np.array([x]))[0] - whole - start) < 1e-10


@pytest.mark.slow
def test_the_largest_of_noisy_scores_is_as_likely_as_the_integral_says():
    scores = np.array([0.0, 0.7, 2.5, 2.5])
    chances = noisy_max_chances(scores)
    assert abs(chances.sum() - 1) < 1e-12
    assert chances[2] == pytest.approx(chances[3], abs=1e-13)
    law = stats.laplace

    def inside(x):
        return law.pdf(x) * np.prod([law.cdf(x - score) for score in scores[1:]])

    pieces = [-40.0, 0.0, 0.7, 2.5, 40.0]
    wanted = sum(integrate.quad(inside, *pair)[0] for pair in itertools.pairwise(pieces))
    assert abs(chances[0] - wanted) < 1e-9


# A right answer fails with probability 1e-9 at most. A name is a best guess, wrong in at most 5 %
# of the runs: three wrong ones in a row come with probability 1e-4, four tasks of five in 1e-20.
@pytest.mark.long
@pytest.mark.slow
@pytest.mark.parametrize("seed", [0, 1, 2, 4, 5])
def test_right_styles_pass_and_a_mistake_is_named(seed):
    plan = plan_of(seed)
    known = mistakes(plan)
    claim = claim_of(plan, known)
    assert [said(claim, answer(plan, style)) for style in STYLES] == [RIGHT, RIGHT]
    names = 0
    for mistake in known[:3]:
        came = said(claim, answer(mistake.plan))
        assert came != RIGHT
        names += came == mistake.name
    assert names > 0


@pytest.mark.slow
def test_what_never_comes_is_told_by_the_mistake_that_gives_it():
    plan = Plan("count", condition=("Age", ">=", 45), after="clamp", noise="discrete_laplace")
    claim = claim_of(plan, mistakes(plan))
    assert min(claim.trial(np.random.default_rng(2)).rates().values()) > 0.012
    with pytest.raises(CheckFailure, match="negative answers are kept"):
        claim.check(answer(next(m.plan for m in mistakes(plan) if m.plan.slip == "no step")))
    with pytest.raises(CheckFailure, match="is not a whole number"):
        claim.check(lambda people, *, epsilon: len(people) + 0.25)


# How an answer may know that it is asked for the first time.
MEMORIES = {
    "a global": "CALLS = []\ndef release(people, **budget):\n    calls = CALLS",
    "a default": "def release(people, calls=[], **budget):",
    "an attribute": "def release(people, **budget):\n    calls = release.calls",
}


def remembering(path, plan, memory, first):
    """The answer that gives the `first` of two programs at a session's first call."""
    texts = {"right": program(plan), "exact": program(slipped(plan, "no noise"))}
    lines = [text.replace("def release(", f"def {name}(") for name, text in texts.items()]
    lines += [MEMORIES[memory], "    calls.append(1)"]
    lines += [f"    return ({first} if len(calls) == 1 else right)(people, **budget)"]
    lines += ["release.calls = []"]
    path.write_text("\n".join(lines))
    space: dict = {}
    exec(compile(path.read_text(), str(path), "exec"), space)
    return space["release"]


def slipped(plan, slip):
    return next(mistake.plan for mistake in mistakes(plan) if mistake.plan.slip == slip)


@pytest.mark.slow
@pytest.mark.parametrize("memory", MEMORIES)
@pytest.mark.parametrize(
    ("plan", "words"),
    [
        (Plan("count", condition=("Age", ">=", 45)), "some answers have no noise"),
        (Plan("count", condition=("Age", ">=", 45), after="clamp"), "some answers have no noise"),
        (
            Plan("count", condition=("Age", ">=", 45), noise="discrete_laplace"),
            "the first answer of a session has another law",
        ),
    ],
)
def test_an_exact_first_answer_is_found(tmp_path, plan, words, memory):
    """Who asks once, in a new session, has the truth."""
    claim = claim_of(plan, mistakes(plan))
    assert said(claim, remembering(tmp_path / "exact.py", plan, memory, "exact")) == words
    assert said(claim, remembering(tmp_path / "right.py", plan, memory, "right")) == RIGHT


def test_an_exam_s_look_gives_points():
    """So an answer that only waits does not pass, and it looks for longer than practice does."""
    lengths = set()
    right = answer(COUNT)

    def release(people, *, epsilon):
        lengths.add(effort())
        return right(people, epsilon=epsilon)

    practice.judge(COUNT.text(), release, "task_1")
    assert [each.graded for each in lengths] == [True]
    assert all(each.work > SHORT.work for each in lengths)


@pytest.mark.slow
def test_noise_from_a_store_comes_again():
    generator = np.random.default_rng()
    noise = generator.laplace(size=2_000)
    without = answer(slipped(COUNT, "no noise"))

    def release(people, *, epsilon):
        return without(people, epsilon=epsilon) + generator.choice(noise) / epsilon

    # Of 2,000 draws from 2,000 numbers hundreds come again, but for a probability below 1e-30.
    enough = dataclasses.replace(SHORT, answers=2_000, work=60)
    with pytest.raises(CheckFailure, match="values come again"), at_length("release", enough):
        claim_of(COUNT, mistakes(COUNT)).check(release)


@pytest.mark.parametrize(
    ("function", "words"),
    [
        (lambda people, *, epsilon: None, "it returns nothing"),
        (lambda people, *, epsilon: [1, 2], "one number is wanted"),
        (lambda people, epsilon, delta: 1.0, "it cannot be called as the task says"),
        (lambda people, *, epsilon: float("nan"), "not a finite number"),
    ],
)
def test_what_is_no_answer_is_met_with_a_sentence(function, words):
    plan = Plan("count", condition=("Age", ">=", 45))
    with pytest.raises(CheckFailure, match=words):
        claim_of(plan, mistakes(plan)).check(function)


def test_several_numbers_and_candidates_are_asked_for_by_name():
    plan = Plan("histogram", ("Race",))
    with pytest.raises(CheckFailure, match="5 numbers are wanted"):
        claim_of(plan, mistakes(plan)).check(lambda people, *, epsilon: [1.0, 2.0])
    plan = Plan("most_common", ("Race",), noise="noisy_max")
    with pytest.raises(CheckFailure, match="not among the possible answers"):
        claim_of(plan, mistakes(plan)).check(lambda people, *, epsilon: ["White"])


@pytest.mark.slow
def test_every_mistake_has_a_law_of_its_own():
    for plan in PLANS[::4]:
        essences = [essence_of(plan), *(essence_of(each.plan) for each in mistakes(plan))]
        assert len(set(essences)) == len(essences)
        assert len(mistakes(plan)) >= 3


SEAMS = re.compile(
    r"\(s\)|None|nan|[{}]|  (?!\w)|\.\.(?!\.)| ,| \.|\b(a) [aeio]\w*|,,|\?\.|\bone \w+s\b"
)


@pytest.mark.slow
def test_texts_have_no_seams():
    for seed in range(100):
        text = describe(plan_of(seed), "release", np.random.default_rng(seed))
        assert not SEAMS.search(text.replace("one sums", "")), text
        assert "Write `release(" in text
        assert 200 < len(text) < 1500


@pytest.mark.parametrize(
    ("plan", "words"),
    [
        # The worked number is the answer's, not a step's on the way to it.
        (Plan("count", condition=("Sex", "==", "Female"), after="per_row"), "give 0.327."),
        (Plan("count", condition=("Sex", "==", "Female"), after="tens"), "rounding, the first"),
        # A person with several rows counts several times.
        (Plan("count", condition=("Sex", "==", "Female"), rows_each=3), "ow counts"),
        # Whose part of the budget it is.
        (
            Plan("histogram", ("Sex",), split=("share", 1, 3), noise="gaussian_rho"),
            "ρ that this release gets",
        ),
        (Plan("sums", ("Age", "Education-Num"), split=("each",)), "each sum's part of ε"),
    ],
)
def test_a_text_leaves_one_reading(plan, words):
    if plan.question == "sums":
        plan = dataclasses.replace(plan, bounds=((20, 70), (4, 12)))
    assert words in describe(plan, "release", np.random.default_rng(1))


def test_all_of_the_best_candidates_are_named(monkeypatch):
    plan = Plan("most_common", ("Race",), noise="noisy_max")
    monkeypatch.setattr(
        "autograder.practice.task_words.exact",
        lambda plan, people: np.array([3.0, 9.0, 9.0, 1.0, 0.0]),
    )
    assert "`Black` and `Asian-Pac-Islander` have the highest score" in worked(plan)


def test_a_seed_gives_the_same_task_again(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    one, again = (practice.new(level=2, seed=41) for _ in range(2))
    assert one.text == again.text
    assert practice.new(seed=41).text == practice.new(seed=41).text
    assert "practice.new(level=2, seed=41)" in repr(one)
    assert practice.new(level=2, seed=42).text != one.text


@pytest.mark.parametrize("seed", ["final-ada", -1, 2.5, True])
def test_a_seed_of_another_kind_is_met_with_a_sentence(seed):
    with pytest.raises(ValueError, match="seed must be a whole number from 0 on"):
        practice.new(level=1, seed=seed)


@pytest.mark.slow
def test_a_level_that_is_none_is_met_with_a_sentence():
    with pytest.raises(ValueError, match="level must be one of 1, 2, 3, 4, 5, 6, got 9"):
        practice.new(level=9, seed=1)
    with pytest.raises(ValueError, match="parts must be a number that tasks of level 1 have"):
        drawn_plan(1, np.random.default_rng(1), parts=8)


@pytest.mark.slow
def test_a_solution_is_shown_after_a_pass_or_when_asked_for_twice(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    task = practice.new(level=1, seed=7)
    assert "Try it first" in task.solution()
    shown = task.solution()
    space = {}
    exec(shown.removeprefix("```python\n").removesuffix("```"), space)
    assert repr(task.check(space["release"])).startswith("✓")
    task = practice.new(level=1, seed=7)
    task.check(space["release"])
    assert "def release" in task.solution()
    with pytest.raises(ValueError, match="release must be a function, got 3"):
        task.check(3)


@pytest.mark.slow
def test_what_was_missed_comes_back_sooner(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    plan = Plan("count", condition=("Age", ">=", 45), split=("equal", 3), level=2)
    memory = Memory()
    for _ in range(6):
        memory.miss("split")
    assert json.loads((tmp_path / FILE).read_text())["missed"] == {"split": 4}
    without = Plan("count", condition=("Age", ">=", 45), level=2)
    assert Memory().weight(plan) == 4 > Memory().weight(without) == 0
    # One of six is the first with a split at worst: with none missed 70 % have one.
    found = [practice.new(level=2).plan.split != ("whole",) for _ in range(12)]
    assert sum(found) >= 9
    Memory().passes(plan)
    assert Memory().missed["split"] == 3


def test_the_memory_is_no_part_of_a_course():
    assert generate.MISSED == FILE


def test_levels_go_up_and_a_damaged_memory_is_begun_anew(tmp_path):
    memory = Memory(tmp_path)
    assert memory.level() == 1
    for _ in range(3):
        memory.passes(Plan("count", condition=("Age", ">=", 45), level=1))
    assert Memory(tmp_path).level() == 2
    (tmp_path / FILE).write_text('{"missed": [1], "passed": {"1": "x"}}')
    assert Memory(tmp_path).level() == 1


def test_a_missed_part_is_remembered(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    task = practice.new(level=1, seed=7)
    wrong = next(each for each in mistakes(task.plan) if each.plan.slip == "no noise")
    with pytest.raises(CheckFailure, match="no noise is added"):
        task.check(answer(wrong.plan))
    assert Memory().missed == {"noise": 1}


def test_the_condition_at_its_limit_is_drawn_often():
    table = drawn(("Age",), ("Age", ">=", 45), 400, np.random.default_rng(1))
    share = np.mean(np.array(table["Age"]) == 45)
    assert 0.15 < share < 0.35
    assert 0.3 < meets(("Age", ">=", 45), table).mean() < 0.8
