"""Pairs of students whose answers in words are alike: the same words in a row, several times.

Left out, as in code: what everybody was given, and what many have written.
"""

import itertools
import re
from collections import Counter
from collections.abc import Mapping
from difflib import SequenceMatcher

from autograder.similarity.found import AlikePair

_GRAM = 6  # words in a row: fewer are often the same by chance
_SHARE, _FEWEST_GRAMS = 0.3, 10  # of the shorter one's own text, and at least so many
_MANY, _FEWEST = 0.2, 3  # as in pairs.py
_EXCERPT = 80  # words
# Where words are not written apart, each sign is one.
_WORD = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]|[^\W_]+")


def alike_in_words(
    texts: Mapping[str, str], given: str, earlier: frozenset[str] = frozenset()
) -> list[AlikePair]:
    """Return the pairs of students whose texts are alike, the most alike first.

    Args:
      texts: by student.
      given: what everybody was given.
      earlier: who is of an earlier term: two of them are not compared.
    """
    words = {name: _WORD.findall(text.casefold()) for name, text in texts.items()}
    grams = {name: set(_grams(found)) for name, found in words.items()}
    having = Counter(gram for found in grams.values() for gram in found)
    many = max(_FEWEST, _MANY * len(texts))
    known = set(_grams(_WORD.findall(given.casefold())))
    known |= {gram for gram, number in having.items() if number >= many}
    own = {name: found - known for name, found in grams.items()}
    pairs = []
    for one, other in itertools.combinations(sorted(texts), 2):
        if {one, other} <= earlier or not own[one] or not own[other]:
            continue
        shared = len(own[one] & own[other])
        share = shared / min(len(own[one]), len(own[other]))
        if share >= _SHARE and shared >= _FEWEST_GRAMS:
            excerpts = (_longest(texts[one], texts[other]), _longest(texts[other], texts[one]))
            pairs.append(AlikePair(one, other, round(share, 3), excerpts, "words"))
    return sorted(pairs, key=lambda pair: -pair.share)


def _grams(words: list[str]) -> list[tuple[str, ...]]:
    return [tuple(words[at : at + _GRAM]) for at in range(len(words) - _GRAM + 1)]


def _longest(text: str, other: str) -> str:
    """Return the longest part of a text whose words stand in the other too, as it is written."""
    places = list(_WORD.finditer(text))
    words = [each[0].casefold() for each in places]
    those = _WORD.findall(other.casefold())
    found = SequenceMatcher(None, words, those, autojunk=False).find_longest_match()
    last = min(found.size, _EXCERPT) - 1
    return text[places[found.a].start() : places[found.a + last].end()] if found.size else ""
