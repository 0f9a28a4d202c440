"""nbgrader's gradebook, opened once for a run, with one commit for each step of a submission.

Plain nbgrader opens it some ten times for each submission and commits after each cell.
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator

from nbgrader import api
from sqlalchemy.orm import Session, scoped_session, sessionmaker

__all__ = ["Gradebooks", "opened_once"]


class _Session(Session):
    """A session whose commits may be put off, to be made as one."""

    put_off = False

    def commit(self) -> None:
        if _Session.put_off:
            self.flush()
        else:
            super().commit()


class _Kept(api.Gradebook):
    """A gradebook that outlives `close`: only its session ends, and with it all that it has read.

    So nothing is read from memory that another step may have written since.
    """

    def close(self) -> None:
        if not _Session.put_off:
            self.db.remove()

    def end(self) -> None:
        """Close it for good."""
        self.db.remove()
        self.engine.dispose()


class Gradebooks:
    """The databases of one run, each opened once. One thread uses them."""

    def __init__(self):
        self._kept: dict[tuple[str, str], _Kept] = {}

    def open(self, db_url: str, course_id: str = "default_course", authenticator=None):
        """Return what nbgrader's Gradebook would be, opened already."""
        key = db_url, course_id
        if key not in self._kept:
            made = _Kept(db_url, course_id, authenticator)
            same = [kept for (url, _), kept in self._kept.items() if url == db_url]
            # Two connections would wait for each other's locks.
            made.db = same[0].db if same else _session(made)
            self._kept[key] = made
        return self._kept[key]

    @contextlib.contextmanager
    def together(self) -> Iterator[None]:
        """Write all that is written within at once, or nothing of it if it fails."""
        _Session.put_off = True
        try:
            yield
        except BaseException:
            _Session.put_off = False
            for kept in self._kept.values():
                kept.db.rollback()
                kept.db.remove()
            raise
        _Session.put_off = False
        for kept in self._kept.values():
            kept.db.commit()
            kept.db.remove()

    def close(self) -> None:
        """Close all of them for good."""
        for kept in self._kept.values():
            kept.end()


def _session(gradebook: api.Gradebook) -> scoped_session:
    gradebook.db.remove()
    return scoped_session(sessionmaker(class_=_Session, autoflush=True, bind=gradebook.engine))


@contextlib.contextmanager
def opened_once() -> Iterator[Gradebooks]:
    """Let every step of nbgrader that opens a gradebook get the one that is open already."""
    books, original = Gradebooks(), api.Gradebook
    modules = [
        module
        for name, module in sys.modules.items()
        if name.startswith(("nbgrader.", f"{__package__}."))
        and getattr(module, "Gradebook", None) is original
    ]
    for module in modules:
        module.Gradebook = books.open
    try:
        yield books
    finally:
        for module in modules:
            module.Gradebook = original
        books.close()
