"""Finds the seed that a Mersenne Twister was made from, from its state alone.

numpy's `RandomState(3)` and Python's `random.Random("Karrie")` keep no seed. But a step of the
twister can be undone, and its first state follows from a seed by a rule that hardly any other state
keeps.
"""

import functools
import hashlib

import numpy as np

# Matsumoto and Nishimura (1998), and their initialisation of 2002: words, distance, numbers.
_WORDS, _DISTANCE = 624, 397
_TWIST = np.uint32(0x9908B0DF)
_UPPER, _LOWER = np.uint32(0x80000000), np.uint32(0x7FFFFFFF)
_BY_NUMBER, _BY_LIST_FIRST, _BY_LIST_THEN = map(np.uint32, (1812433253, 1664525, 1566083941))
_START_OF_LIST = 19650218
_PLACES = np.arange(_WORDS, dtype=np.uint32)

# So many blocks of 312 floats are undone: more were drawn if somebody has worked with it for long.
_MOST_BLOCKS = 300
# A text of 190 letters, with the hash that Python puts behind it, has so many words of 32 bits.
_LONGEST_LIST = 64
_HASH_BYTES = 64


def seed_before(words: np.ndarray) -> int | bytes | None:
    """Return the seed that a Mersenne Twister was made from: a number, or the bytes of a text.

    None if it was made in another way, as from numpy's own entropy: such a state keeps the rule
    with probability below 2**-60.

    Args:
      words: its state, 624 words, after few draws.
    """
    words = np.array(words, dtype=np.uint32)
    return _seed_before(words.tobytes()) if words.shape == (_WORDS,) else None


# The state that a check begins with is often the last one's: chance of its own was undone since.
@functools.lru_cache(maxsize=16)
def _seed_before(state: bytes) -> int | bytes | None:
    words = np.frombuffer(state, dtype=np.uint32)
    for _ in range(_MOST_BLOCKS):
        seed = _number_before(words)
        seed = _list_before(words) if seed is None else seed
        if seed is not None:
            return _text_in(seed) or seed
        words = _untwisted(words)
    return None


def _untwisted(words: np.ndarray) -> np.ndarray:
    """Return the state before. (The first word of the very first one comes out wrong.)"""
    found = np.zeros(_WORDS, dtype=np.uint32)
    gap = _WORDS - _DISTANCE
    # The last words first: those before them need them.
    pairs = _pairs(words[gap:] ^ words[:_DISTANCE])
    found[gap:] = pairs & _UPPER
    found[gap + 1 :] |= pairs[:-1] & _LOWER
    pairs = _pairs(words[:gap] ^ found[_DISTANCE:])
    found[:gap] = pairs & _UPPER
    found[1 : gap + 1] |= pairs & _LOWER
    found[:1] |= _pairs(found[-1:] ^ found[_DISTANCE - 1 : _DISTANCE]) & _LOWER
    return found


def _pairs(mixed: np.ndarray) -> np.ndarray:
    """Return the upper bit of a word and the lower bits of the next, which were mixed to this."""
    odd = mixed >> np.uint32(31)
    return ((mixed ^ (odd * _TWIST)) << np.uint32(1)) | odd


def _mixed(words: np.ndarray) -> np.ndarray:
    return words ^ (words >> np.uint32(30))


def _number_before(words: np.ndarray) -> int | None:
    """Return the whole number from which a first state was made, or None."""
    if np.any(words[2:] != _mixed(words[1:-1]) * _BY_NUMBER + _PLACES[2:]):
        return None
    inverse = pow(int(_BY_NUMBER), -1, 2**32)
    mixed = (int(words[1]) - 1) * inverse % 2**32
    return mixed ^ (mixed >> 30)


def _list_before(words: np.ndarray) -> int | None:
    """Return the number that was cut in words, from which a first state was made, or None."""
    before = (words[3:] + _PLACES[3:]) ^ (_mixed(words[2:-1]) * _BY_LIST_THEN)
    added = before[1:] - (_start_of_list()[4:] ^ (_mixed(before[:-1]) * _BY_LIST_FIRST))
    # The words of the list are added in turn: the last one was added one round earlier, too.
    for place in np.flatnonzero(added[-1 - _LONGEST_LIST : -1] == added[-1])[::-1]:
        length = _LONGEST_LIST - int(place)
        if np.array_equal(added[length:], added[:-length]):
            # At place i stands the word number i - 1 of the list, and that number is added to it.
            numbers = (_PLACES[4:] - np.uint32(1)) % np.uint32(length)
            found = dict(zip(numbers.tolist(), (added - numbers).tolist(), strict=True))
            return sum(word << 32 * place for place, word in found.items())
    return None


def _text_in(seed: int) -> bytes | None:
    """Return the text from which Python's `random` made this seed, or None if it is a number."""
    whole = seed.to_bytes((seed.bit_length() + 7) // 8, "big")
    text, ending = whole[:-_HASH_BYTES], whole[-_HASH_BYTES:]
    return text if text and hashlib.sha512(text).digest() == ending else None


@functools.cache
def _start_of_list() -> np.ndarray:
    words = [_START_OF_LIST]
    for place in range(1, _WORDS):
        words.append(((words[-1] ^ (words[-1] >> 30)) * int(_BY_NUMBER) + place) % 2**32)
    return np.array(words, dtype=np.uint32)
