"""Every wrong answer loses its points by name, every right style keeps them, in every chapter.

`make test` runs the first answers of each exercise where that is soon done, `make test-answers` all
of them; `make test-check` runs the whole study.
"""

import re

import numpy as np
import pytest
from study.tasks import parts_with_chance
from wrong_answers import ZOO, Zoo, anybodys, assert_named, failure, fragments

from autograder import check
from autograder.check.claim import StatisticalClaim
from autograder.check.claims import CLAIMS
from autograder.check.door import Door

LEAST_WRONG = {"random": 12, "exact": 5}
LEAST_RIGHT = {"random": 5, "exact": 3}
MOST_AGAIN = 5


# In these exercises the first answer takes a quarter of a second or more to be rejected or to pass.
SLOW_WRONG = {
    "above_threshold", "auto_clipping_bound", "auto_mean", "beat_privelet", "choose_clipping_bound",
    "epsilon_lower_bound", "exponential_mechanism", "find_liars",
    "intersection_attack", "linkage_attack", "membership_inference", "noisy_max_with_gap",
    "noisy_vote", "permute_and_flip", "perturb", "private_histogram",
    "private_marginal", "private_median", "private_survey", "propose_test_release",
    "pure_smooth_median", "range_error", "range_queries_above", "report_noisy_max",
    "sampled_gaussian_epsilon", "sparse", "synthesize", "synthesize_from_pairs", "unique_fraction",
    "vector_sensitivities",
}  # fmt: skip
SLOW_RIGHT = {
    "above_threshold", "assign_chunks", "auto_clipping_bound", "auto_mean", "beat_privelet",
    "best_private_model", "choose_clipping_bound", "choose_tree",
    "discrete_laplace",
    "epsilon_lower_bound", "exponential_mechanism", "find_liars", "intersection_attack",
    "linkage_attack", "membership_inference", "noisy_gradient_descent", "noisy_max_with_gap",
    "noisy_vote", "permute_and_flip", "perturb", "private_count",
    "private_histogram", "private_marginal", "private_median", "private_survey",
    "propose_test_release", "publish_records", "pure_smooth_median", "range_queries_above",
    "report_noisy_max", "sample_and_aggregate", "sampled_gaussian_epsilon", "shuffled_delta",
    "sparse", "synthesize", "synthesize_from_pairs",
}  # fmt: skip


def entries(answers: dict, slow: set[str] = frozenset()) -> list:
    """Every answer of every exercise; `make quick` and `make test` look at the first ones.

    The first ones that take long are among the others, too: `make test-answers`.
    """
    late = [pytest.mark.slow, pytest.mark.answers]
    first = {name: [pytest.mark.quick, *late * (name in slow)] for name in answers}
    return [
        pytest.param(
            name,
            number,
            id=f"{name}-{number}",
            marks=pytest.mark.answers if number else first[name],
        )
        for name, given in answers.items()
        for number in range(len(given))
    ]


WRONG = "(lambda value: 2, 'doubled')"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("WRONG, RIGHT = [], {}", "WRONG is a list, wanted is {exercise: a list of (answer, words"),
        (
            "WRONG, RIGHT = [], {}\nWRONG['a'] = [(abs, 'doubled')]",
            "WRONG is a list, wanted is {exercise: a list of (answer, words",
        ),
        ("WRONG, RIGHT = {}, []\nRIGHT['a'] = [abs]", "RIGHT is a list, wanted is {exercise: a"),
        ("WRONG = {}", "RIGHT is missing, wanted is {exercise: a list of answers}"),
        ("WRONG, RIGHT = {}, {'a': [abs]}", "'a' is in RIGHT and not in WRONG"),
        (f"WRONG, RIGHT = {{'a': [{WRONG}]}}, {{}}", "'a' is in WRONG and not in RIGHT"),
        (
            f"WRONG, RIGHT = {{'a': [{WRONG}]}}, {{'a': {{}}}}",
            "RIGHT['a'] is a dict, wanted is a list of answers",
        ),
        (
            "WRONG, RIGHT = {'a': [abs]}, {'a': [abs]}",
            "WRONG['a'][0] is a builtin_function_or_meth",
        ),
        (
            f"WRONG, RIGHT = {{'a': [{WRONG}, (3, 'three')]}}, {{'a': [abs]}}",
            "WRONG['a'][1] holds an int where the answer should be: a function",
        ),
        (
            "WRONG, RIGHT = {'a': [(abs, 3)]}, {'a': [abs]}",
            "WRONG['a'][0] has an int for the words",
        ),
        (
            f"WRONG, RIGHT = {{'a': [{WRONG}]}}, {{'a': [abs, 'abs']}}",
            "RIGHT['a'][1] holds a str where the answer should be: a function",
        ),
    ],
)
def test_an_author_s_slip_is_met_with_a_sentence(tmp_path, text, said):
    path = tmp_path / "18_shuffling.py"
    path.write_text(text)
    with pytest.raises(ValueError, match=re.escape(f"18_shuffling.py: {said}")):
        Zoo().add(path)


def test_another_slip_in_the_file_is_python_s_to_tell(tmp_path):
    path = tmp_path / "18_shuffling.py"
    path.write_text("WRONG, RIGHT = {}, {}\nabs()\n")
    with pytest.raises(TypeError, match="abs"):
        Zoo().add(path)


@pytest.mark.parametrize("name", CLAIMS)
def test_an_exercise_has_enough_answers(name):
    kind = "random" if isinstance(CLAIMS[name], StatisticalClaim) else "exact"
    assert len(ZOO.all_wrong(name)) >= LEAST_WRONG[kind]
    assert ZOO.wrong[name]  # written as a student would: the semester hands it in
    assert len(ZOO.right[name]) >= LEAST_RIGHT[kind]


@pytest.mark.parametrize("name", CLAIMS)
def test_a_claim_s_own_wrong_functions_are_not_written_again(name):
    """A few come in a student's words too, or by another formula: the semester hands them in."""
    own = [mistake.name for mistake in ZOO.catalogued(name)]
    words = [fragments(each)[0] for _, each in ZOO.wrong[name]]
    assert len([each for each in words if any(each in one for one in own)]) <= MOST_AGAIN


def test_answers_are_for_exercises_that_exist():
    assert set(ZOO.wrong) <= set(CLAIMS)


@pytest.mark.parametrize("name", [name for name in CLAIMS if parts_with_chance(name)])
@pytest.mark.filterwarnings("ignore:a warning of the answer's own")
def test_right_answers_are_read_at_every_edge(name):
    """A check looks at some of its designed settings, by chance: here are all, for each style."""
    for part in parts_with_chance(name):
        settings = [parameters for _, parameters in part.designed(np.random.default_rng(2))]
        for answer in ZOO.right[name]:
            door = Door(part, answer, settings)
            for place in range(len(settings)):
                door.call(place)


@pytest.mark.parametrize(("name", "number"), entries(ZOO.wrong, SLOW_WRONG))
def test_a_wrong_answer_is_rejected_and_its_mistake_named(name, number):
    answer, words = ZOO.wrong[name][number]
    assert_named(name, answer, fragments(words))


@pytest.mark.answers
@pytest.mark.parametrize("name", CLAIMS)
def test_what_anybody_may_hand_in_is_rejected(name):
    for answer, words in anybodys(name):
        assert_named(name, answer, (words,))


@pytest.mark.parametrize(
    ("name", "number"),
    entries({name: ZOO.catalogued(name) for name in CLAIMS}, SLOW_WRONG),
)
def test_a_catalogued_function_is_rejected_under_its_own_name(name, number):
    # No chance decides here: the function that a claim knows as wrong must be known again.
    mistake = ZOO.catalogued(name)[number]
    for _ in range(3):
        assert failure(name, mistake.function).problem == mistake.name


@pytest.mark.parametrize(("name", "number"), entries(ZOO.right, SLOW_RIGHT))
def test_a_right_answer_passes(name, number, request):
    # Fails on a right answer with probability below 1e-9: that is what the judge guarantees.
    for _ in range(request.config.getoption("--runs")):
        result = getattr(check, name)(ZOO.right[name][number])
        assert isinstance(result, check.Result)
        assert repr(result).startswith("✓ ")
