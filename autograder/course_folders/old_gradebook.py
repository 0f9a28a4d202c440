"""A gradebook of another nbgrader: refused before it is opened, as opening it may damage it."""

import contextlib
import functools
import re
import sqlite3
from pathlib import Path

from nbgrader.dbutil import ALEMBIC_DIR
from sqlalchemy.engine import make_url

from autograder.problem import Problem

_REVISION = re.compile(r"^(down_)?revision = '(\w+)'", re.MULTILINE)
_TABLES = "select name from sqlite_master where type = 'table' and name not like 'sqlite_%'"


def refuse_other(db_url: str, folder: Path) -> None:
    """Raise Problem if a gradebook's tables are not those of the installed nbgrader.

    One whose making was broken off, which has no row, is left without tables: nothing is lost.

    Args:
      db_url: where the gradebook is; one on a server, or none at all, is left alone.
      folder: the course's.
    """
    url = make_url(db_url)
    path = folder / (url.database or "")
    if not url.drivername.startswith("sqlite") or not path.is_file():
        return
    version = _version(path)
    if version in (None, _revisions()[0]) or (version == "" and _emptied(path)):
        return
    if version and version not in _revisions():
        raise Problem(f"{path.name} was made by a newer nbgrader than the one that is installed")
    copy = f"{path.stem}-before{path.suffix}"
    raise Problem(
        f"{path.name} was made by an older nbgrader. Make a copy of it, then bring it up to date, "
        f"in {path.parent}: cp {path.name} {copy} && nbgrader db upgrade"
    )


def _version(path: Path) -> str | None:
    """Return the version of a database's tables; "" if it notes none, None if it has no tables."""
    try:
        where = f"{path.resolve().as_uri()}?mode=ro"
        with contextlib.closing(sqlite3.connect(where, uri=True)) as db:
            tables = {name for (name,) in db.execute("select name from sqlite_master")}
            if not tables:
                return None
            if "alembic_version" not in tables:
                return ""
            found = db.execute("select version_num from alembic_version").fetchone()
    except sqlite3.Error:  # nbgrader says what is wrong with it
        return None
    return str(found[0]) if found else ""


def _emptied(path: Path) -> bool:
    """Take the tables out of a database without any row; tell whether it was one.

    nbgrader makes the tables first and notes their version last, so a disk that is full between
    the two leaves a gradebook that looks old. It makes one without tables anew.
    """
    try:
        with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as db:
            db.execute("begin exclusive")  # nobody else may be making it just now
            tables = [name for (name,) in db.execute(_TABLES)]
            if any(db.execute(f'select 1 from "{name}" limit 1').fetchone() for name in tables):
                return False
            for name in tables:
                db.execute(f'drop table "{name}"')
            db.execute("commit")
    except sqlite3.Error as error:
        raise Problem(f"{path.name} was not made to its end: {error}") from error
    return True


@functools.cache
def _revisions() -> tuple[str, ...]:
    """Return the versions that the installed nbgrader knows, the newest first."""
    newest, older = [], set()
    for path in (Path(ALEMBIC_DIR) / "versions").glob("*.py"):
        for down, name in _REVISION.findall(path.read_text("utf-8")):
            if down:
                older.add(name)
            else:
                newest.append(name)
    return (*[name for name in newest if name not in older], *sorted(older))
