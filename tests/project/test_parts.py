"""Parts of tests with many cases: together they are all, and a test with few is in each."""

from types import SimpleNamespace

import parts
import pytest

pytestmark = pytest.mark.quick
NAMES = ["few"] * (parts.MANY - 1) + ["many"] * (4 * parts.MANY + 1) + ["one"] + ["many", "few"][:1]


@pytest.mark.parametrize("number", [1, 2, 3, 7])
def test_each_case_of_many_is_in_one_part_and_each_other_test_in_all(number):
    kept = [
        set(range(len(NAMES))) - parts.left_out(NAMES, (part, number))
        for part in range(1, number + 1)
    ]
    for place, name in enumerate(NAMES):
        assert sum(place in each for each in kept) == (1 if name == "many" else number)
    sizes = [len(each) for each in kept]
    assert max(sizes) - min(sizes) <= 1


def test_the_whole_leaves_nothing_out():
    assert parts.left_out(NAMES, parts.WHOLE) == set()


def test_a_part_is_read():
    assert parts.part("2/4") == (2, 4)


@pytest.mark.parametrize("text", ["0/4", "5/4", "2", "2/4/8", "", "a/b", "-1/4", "1/0"])
def test_what_is_no_part_is_refused(text):
    with pytest.raises(ValueError, match="like 2/4"):
        parts.part(text)


def test_each_test_may_take_its_turn():
    items = [SimpleNamespace(nodeid=f"file.py::test[{place}]") for place in range(3)]
    assert parts.tests_of(items, each=False) == ["file.py::test"] * 3
    names = parts.tests_of([*items, SimpleNamespace(nodeid="file.py::other")] * 5, each=True)
    kept = [set(range(20)) - parts.left_out(names, (part, 4)) for part in range(1, 5)]
    assert set.union(*kept) == set(range(20)) and {len(each) for each in kept} == {5}
