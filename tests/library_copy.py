"""The library's own functions as answers, for tests of the library: a check refuses them."""

from types import FunctionType


def copy_of(library: FunctionType) -> FunctionType:
    """Return a function that does what the library's does, as if its text stood elsewhere."""
    code = library.__code__
    words = () if code.co_consts[0] is None else ("",)  # in the docstring's place, if it has one
    constants = (*words, *code.co_consts[len(words) :])
    code = code.replace(co_filename="answer", co_consts=constants)
    copied = FunctionType(code, library.__globals__, library.__name__)
    copied.__defaults__, copied.__kwdefaults__ = library.__defaults__, library.__kwdefaults__
    return copied
