"""Answers that are alike: in words, and with those of earlier terms, said without a charge."""

import random

import pytest
import toy

from autograder.report.write import report
from autograder.similarity.alike_words import alike_in_words

pytestmark = pytest.mark.quick

GIVEN = "Say in your own words what is wrong with the sentence of the newspaper, in 120 words."
ONE = (
    "The sentence promises that nobody learns anything at all, and that is more than the "
    "definition gives. Somebody who knows every other patient in the hospital can still change "
    "the odds."
)
PARAPHRASED = (
    "Differential privacy never says that nothing is learned; it limits how far one row moves the "
    "answer. A person with all the other rows gains a little, and that bound is what counts here."
)


def pairs(texts, **more):
    return [(each.one, each.other, each.share) for each in alike_in_words(texts, GIVEN, **more)]


def test_the_same_words_are_found_whatever_their_case_and_signs():
    other = f"I think this:\n\n> {ONE.upper().replace(',', ' -')}\n\nSo it is wrong."
    (found,) = alike_in_words({"ann": ONE, "bo": other}, GIVEN)
    assert (found.one, found.other, found.share, found.kind) == ("ann", "bo", 1.0, "words")
    assert found.excerpts[0] == ONE.rstrip(".")
    assert found.excerpts[1].startswith("THE SENTENCE PROMISES")


def test_what_all_were_given_and_what_each_says_in_own_words_is_not_alike():
    assert pairs({"ann": f"{GIVEN}\n\n{ONE}", "bo": f"{GIVEN}\n\n{PARAPHRASED}"}) == []
    assert pairs({"ann": GIVEN, "bo": GIVEN, "cy": ""}) == []


def test_what_many_wrote_is_not_alike():
    many = {f"s{place}": f"{ONE} {place}" for place in range(4)}
    assert pairs(many) == []
    assert len(pairs({name: many[name] for name in ("s0", "s1")})) == 1


def test_two_of_an_earlier_term_are_not_compared():
    texts = {"ann": PARAPHRASED, "old/bo": ONE, "old/cy": ONE}
    assert pairs(texts, earlier=frozenset({"old/bo", "old/cy"})) == []
    assert len(pairs({"ann": ONE, "old/bo": ONE}, earlier=frozenset({"old/bo"}))) == 1


def test_words_of_a_language_without_spaces_are_compared():
    text = "この文は誰も何も学べないと約束していますが、それは定義が与えるもの以上です。"
    assert pairs({"ann": text, "bo": f"そして{text}"})[0][2] == 1.0


def test_random_texts_of_common_words_are_not_alike():
    """Six words in a row of fifty: by chance once in 10^10, so not ten of them in a pair."""
    draw, common = random.Random(7), [f"word{place}" for place in range(50)]
    texts = {f"s{place}": " ".join(draw.choices(common, k=120)) for place in range(30)}
    assert pairs(texts) == []


def work(root, student, **cells):
    toy.submit(root, student, toy.answers(**cells))


LOOP = """def double(x):
    total = 0
    for part in (x, x):
        total = total + part
    for nothing in range(3):
        total = total + 0 * nothing
    while total > 2 * x:
        total, rest = divmod(total, 10)
        print("this does not come", total, rest, sep=", ", end="!")
    return total if x is not None else [x for x in range(7) if x % 2]"""


@pytest.fixture
def terms(tmp_path):
    """Last term's course, and this one's: ann and old's zoe are alike in both ways."""
    pytest.importorskip("copydetect")
    old, new = (toy.make(tmp_path / name) for name in ("spring", "autumn"))
    work(old, "zoe", double=LOOP, written=ONE)
    work(old, "yan", written="Something else.")
    work(new, "ann", double=LOOP, written=ONE)
    work(new, "bo", written=PARAPHRASED)
    return old, new


def test_answers_of_earlier_terms_are_named_by_their_term(terms, capsys):
    old, new = terms
    for folder in (old, old / "submitted"):
        assert toy.run(new, "similar", toy.CHAPTER, "--with", str(folder)) == 0
        said = capsys.readouterr().out
        assert "2 students were compared, their code as well as their words, " in said
        assert "with 2 answers of earlier terms" in said
        assert "ann and spring/zoe: 100 % of the shorter one's own words are alike" in said
        assert said.count("ann and spring/zoe: ") == 2 and "own code is alike" in said
        assert "It proves nothing" in said
        assert not any(word in said.lower() for word in ("copied", "cheat", "plagiar", "suspect"))


def test_without_earlier_terms_nothing_of_them_is_said(terms, capsys):
    assert toy.run(terms[1], "similar", toy.CHAPTER) == 0
    said = capsys.readouterr().out
    assert "earlier" not in said and "spring" not in said and "No two are alike" in said


def test_a_folder_without_the_chapter_and_the_course_itself_are_refused(terms, capsys, tmp_path):
    _, new = terms
    (tmp_path / "empty").mkdir()
    assert toy.run(new, "similar", toy.CHAPTER, "--with", str(tmp_path / "empty")) == 1
    assert f"has no work of {toy.CHAPTER}: neither submitted/" in capsys.readouterr().err
    assert toy.run(new, "similar", toy.CHAPTER, "--with", str(new / "submitted")) == 1
    assert "is this course" in capsys.readouterr().err


@pytest.mark.long
def test_the_report_shows_both_texts_and_says_that_it_proves_nothing(course):
    pytest.importorskip("copydetect")
    old = toy.make(course.parent / "spring")
    work(old, "zoe", written=ONE)
    work(course, "alice", written=ONE)
    assert toy.run(course, "similar", toy.CHAPTER, "--with", str(old)) == 0
    page, *_ = report(toy.CHAPTER, root=course)
    text = " ".join(page.read_text("utf-8").split())
    assert "also with 1 of earlier terms" in text and "Being alike proves nothing" in text
    assert "spring/zoe" in text and "<td>words</td>" in text
    assert text.count("The sentence promises that nobody learns anything") >= 2
