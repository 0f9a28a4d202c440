"""What the text of a notebook's cells, or of an answer's file, says about its generators."""

import ast
import contextlib
import functools
import inspect
import linecache
import types
import warnings
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any

import numpy as np

from autograder.check.chance.replay import names_in, reached
from autograder.check.elsewhere import beside

_MOST_NAMES = 5  # that are made one from another


def constants_beside(function: Callable) -> set[int | bytes]:
    """Return the numbers and the texts, as bytes, that stand in the text beside an answer.

    A float is there by its `hash`, as Python's `random` takes it for a seed.
    """
    return set().union(*map(_constants, _texts(function)))


def made_again(function: Callable, thing: Any) -> Any:
    """Return what the statement that made a global thing of an answer makes now; None if unknown.

    What the statement names is made again, too: `SEED = secrets.randbits(32)` gives another seed.
    This runs code of the answer's author, which has run before.
    """
    for each in _functions(function):
        space = each.__globals__
        for name in [name for name, value in space.items() if value is thing]:
            with contextlib.suppress(Exception):
                return _evaluated(name, space, _texts_of(each), _MOST_NAMES)
    return None


@beside
@contextlib.contextmanager
def at_its_beginning(function: Callable) -> Iterator[bool]:
    """Give what an answer keeps from call to call its state at a session's beginning, for a while.

    These are the globals that it reads, its default arguments, and its own attributes. Yield
    whether there are any, and the statements that make them are known.
    """
    kept: list[Callable[[], Any]] = []
    known = True
    try:
        for each in _functions(function):
            space, texts = each.__globals__, _texts_of(each)
            for name in sorted(names_in(each.__code__) & space.keys()):
                if _may_change(space[name]):
                    try:
                        made = _begun(name, space, texts)
                    except Exception:
                        known = known and isinstance(space[name], str | bytes)
                    else:
                        kept.append(partial(space.__setitem__, name, space[name]))
                        space[name] = made
            if space is getattr(function, "__globals__", None):
                kept += [*_attributes_begun(each, texts), *_defaults_begun(each, texts)]
        yield known and bool(kept)
    finally:
        for put_back in reversed(kept):
            put_back()


def _begun(name: str, space: dict, texts: list[str]) -> Any:
    """Return what a session begins with under a name.

    Raises:
      LookupError: another statement than the one that is known has made what is there now: the
        known one always gives a generator of the same seed, and what is there has another one.
    """
    made = _evaluated(name, space, texts, _MOST_NAMES)
    seed, now = _entropy(made), _entropy(space[name])
    is_another = None not in (seed, now) and now != seed
    if is_another and _entropy(_evaluated(name, space, texts, _MOST_NAMES)) == seed:
        raise LookupError(name)
    return made


def _entropy(thing: Any) -> Any:
    """Return the seed that a generator of numpy's was made from; None if it tells none."""
    bits = getattr(thing, "bit_generator", getattr(thing, "_bit_generator", thing))
    return getattr(getattr(bits, "seed_seq", None), "entropy", None)


def _attributes_begun(function: types.FunctionType, texts: list[str]) -> Iterator[Callable]:
    """Give a function the attributes that the text gives it; yield what puts its own ones back."""
    now = {name: thing for name, thing in vars(function).items() if _may_change(thing)}
    if not now:
        return
    yield partial(vars(function).update, now)
    for name in now:
        del vars(function)[name]
        with contextlib.suppress(Exception):
            whole = f"{function.__name__}.{name}"
            vars(function)[name] = _evaluated(whole, function.__globals__, texts, _MOST_NAMES)


def _defaults_begun(function: types.FunctionType, texts: list[str]) -> Iterator[Callable]:
    """Make the lists, sets and dictionaries among the defaults anew; yield what puts them back."""
    given, named = function.__defaults__ or (), function.__kwdefaults__ or {}
    if not any(isinstance(each, list | set | dict) for each in (*given, *named.values())):
        return
    own = [each for text in texts for each in _defined(text) if each.name == function.__name__]
    with contextlib.suppress(Exception):
        space, arguments = function.__globals__, own[-1].args
        made = [_made(each, space) for each in arguments.defaults]
        pairs = zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
        by_name = {name.arg: _made(each, space) for name, each in pairs if each}
        function.__defaults__, function.__kwdefaults__ = tuple(made) or None, by_name or None
        yield partial(setattr, function, "__defaults__", given or None)
        yield partial(setattr, function, "__kwdefaults__", named or None)


def _may_change(thing: Any) -> bool:
    """Say whether a global may be another in the next session: no table, no code."""
    return not (_is_imported(thing) or isinstance(thing, types.FunctionType)) and not hasattr(
        thing, "iloc"
    )


def _evaluated(name: str, space: dict, texts: list[str], most: int) -> Any:
    """Return what the last statement `name = ...` gives. LookupError: it may not be run again."""
    made = [sides[name] for sides in map(_assigned, texts) if name in sides]
    if not made or most == 0:
        raise LookupError(name)
    needed = {node.id for node in ast.walk(made[-1]) if isinstance(node, ast.Name)}
    own = {each: space[each] for each in needed if each in space and not _is_imported(space[each])}
    again = {each: _evaluated(each, space, texts, most - 1) for each in own}
    return _made(made[-1], {**space, **again})


def _made(expression: ast.expr, space: dict) -> Any:
    return eval(compile(ast.Expression(expression), "<text>", "eval"), space)


def _is_imported(thing: Any) -> bool:
    """Say whether a thing comes from a library, and needs no statement of the notebook's."""
    return isinstance(thing, types.ModuleType | types.BuiltinFunctionType | type | np.ufunc)


def _functions(function: Callable) -> list[types.FunctionType]:
    return [thing for thing in reached(function) if isinstance(thing, types.FunctionType)]


def _texts(function: Callable) -> list[str]:
    return list(dict.fromkeys(text for each in _functions(function) for text in _texts_of(each)))


def _texts_of(function: types.FunctionType) -> list[str]:
    """Return the text of the function's file, and of its session's cells in their order."""
    texts = []
    with contextlib.suppress(TypeError):
        texts.append("".join(linecache.getlines(inspect.getfile(function))))
    cells = function.__globals__.get("In")  # IPython keeps each cell that was run
    return texts + [each for each in (cells if isinstance(cells, list) else []) if each]


@functools.lru_cache(maxsize=512)
def _assigned(text: str) -> dict[str, ast.expr]:
    """Return the right side of a text's last statement `name = ...`, for each name that has one.

    `name.attribute = ...` is such a statement, too.
    """
    return {
        ast.unparse(target): node.value
        for node in _parsed(text).body
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value
        for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
        if isinstance(target, ast.Name | ast.Attribute)
    }


def _defined(text: str) -> list[ast.FunctionDef]:
    """Return the functions that a text defines, in their order."""
    return [node for node in ast.walk(_parsed(text)) if isinstance(node, ast.FunctionDef)]


@functools.lru_cache(maxsize=512)
def _parsed(text: str) -> ast.Module:
    """Return a text's tree; an empty one if it is no Python, as a cell in another language."""
    with contextlib.suppress(SyntaxError, ValueError):
        return ast.parse(text)
    return ast.Module(body=[], type_ignores=[])


@functools.lru_cache(maxsize=512)
def _constants(text: str) -> frozenset[int | bytes]:
    """Return the constants of a text; none if it is no Python, as a cell in another language."""
    with contextlib.suppress(SyntaxError, ValueError), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return frozenset(_as_seeds(_of_code(compile(text, "<text>", "exec"))))
    return frozenset()


def _of_code(code: types.CodeType) -> Iterator:
    for each in code.co_consts:
        yield from _of_code(each) if isinstance(each, types.CodeType) else [each]


def _as_seeds(constants: Iterable) -> Iterator[int | bytes]:
    for each in constants:
        if isinstance(each, tuple | frozenset):
            yield from _as_seeds(each)
        elif isinstance(each, str):
            yield each.encode(errors="replace")
        elif isinstance(each, bytes):
            yield each
        elif isinstance(each, int | float):
            yield abs(each if isinstance(each, int) else hash(each))
