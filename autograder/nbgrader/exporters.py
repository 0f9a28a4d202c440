"""Exporters of nbconvert, which run preprocessors over a notebook one after the other."""

from collections.abc import Sequence

import nbformat
from nbconvert.exporters import NotebookExporter
from nbconvert.preprocessors import Preprocessor
from nbformat import validator
from nbgrader import preprocessors
from nbgrader.converters.base import BaseConverter
from traitlets.utils.importstring import import_item

_KEEP_NOTHING = ("nbgrader.", "nbconvert.", "autograder.")


class _Exporter(NotebookExporter):
    """nbconvert's exporter, for a notebook that it may change.

    nbconvert makes three copies of each notebook to be safe, and a fourth to write it.
    """

    def from_notebook_node(self, nb, resources=None, **kw):
        resources = self._init_resources(resources)
        resources["output_suffix"] = ".nbconvert"
        _, nb = validator.normalize(nb)
        for step in self._preprocessors:
            nb, resources = step(nb, resources)
        if self._preprocessors:
            nbformat.validate(nb, relax_add_props=True)
        if self.nbformat_version != nb.nbformat:
            resources["output_suffix"] = f".v{self.nbformat_version}"
            nb = nbformat.convert(nb, self.nbformat_version)
        return nbformat.versions[self.nbformat_version].writes_json(nb) + "\n", resources


class Exporters:
    """The exporters of a run, with the settings of a converter.

    nbgrader reads the settings of its dozen steps for each notebook, which costs as much as running
    them. Its own steps keep no state between notebooks, so they are made once. An instructor's own
    step may keep state, so it is made anew for each notebook, as in nbgrader.
    """

    def __init__(self, converter: BaseConverter):
        self._converter = converter
        self._kept: dict[tuple, NotebookExporter] = {}

    def make(self, steps: Sequence[type[Preprocessor] | Preprocessor]) -> NotebookExporter:
        """Return a new exporter."""
        # The exporter needs the settings by name: it does not take them from its parent.
        converter = self._converter
        theirs = converter.exporter_class
        kind = _Exporter if theirs is NotebookExporter else theirs
        exporter = kind(parent=converter, config=converter.config)
        exporter._preprocessors = []
        exporter.optimistic_validation = bool(steps)  # check the notebook after the last step
        for step in steps:
            exporter.register_preprocessor(step)
        return exporter

    def of(self, steps: Sequence[type[Preprocessor] | Preprocessor]) -> NotebookExporter:
        """Return an exporter for one notebook: a kept one where that makes no difference."""
        kinds = [step if isinstance(step, type) else type(step) for step in steps]
        if not all(kind.__module__.startswith(_KEEP_NOTHING) for kind in kinds):
            return self.make(steps)
        key = tuple(steps)
        if key not in self._kept:
            self._kept[key] = self.make(steps)
        self._kept[key]._nb_metadata.clear()  # of all notebooks, their sliders' states too
        return self._kept[key]


def split(steps: list) -> tuple[list, bool, list]:
    """Return the steps before nbgrader's Execute, whether it is there, and the steps after."""
    steps = classes(steps)
    if preprocessors.Execute not in steps:
        return [], False, steps
    at = steps.index(preprocessors.Execute)
    return steps[:at], True, steps[at + 1 :]


def classes(steps: list) -> list:
    """Return preprocessors as classes; the settings may name them in words."""
    return [import_item(step) if isinstance(step, str) else step for step in steps]
