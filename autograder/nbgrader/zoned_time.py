"""A time as an instructor writes it, with the name of a zone or the hours from UTC."""

import re
from datetime import UTC, datetime
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

_TIME = re.compile(
    r"(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d(?::\d\d)?)"
    r"(?: ?(UTC|Z|[+-]\d\d:\d\d)| ([A-Z][A-Za-z]+(?:/[A-Za-z0-9_+-]+)+))?"
)
_LIKE = "2027-03-01 23:59 UTC, 2027-03-01 23:59 Europe/Oslo, or …T23:59+01:00"
_SHOWN = "%Y-%m-%d %H:%M"


def time_of(text: str) -> datetime:
    """Return a time in UTC, without its zone, as the gradebook has it.

    Args:
      text: with the year first; without a zone it is UTC.

    Raises:
      ValueError: it is not written so, its zone is not known, or the zone's clocks show it twice or
        never, as they are changed for summer: the message says how to write what is meant.
    """
    found = _TIME.fullmatch(text.strip())
    if not found:
        raise ValueError(f"{text!r} is no time like {_LIKE}")
    day, clock, offset, zone = found.groups()
    if zone:
        return _in_utc(datetime.fromisoformat(f"{day}T{clock}"), zone)
    hours = "+00:00" if offset in (None, "UTC", "Z") else offset
    return datetime.fromisoformat(f"{day}T{clock}{hours}").astimezone(UTC).replace(tzinfo=None)


def names_a_zone(text: str) -> bool:
    """Tell whether a time ends with the name of a zone, as Europe/Oslo."""
    found = _TIME.fullmatch(text.strip())
    return bool(found and found[4])


def _in_utc(clock: datetime, name: str) -> datetime:
    """Return the one time at which a zone's clocks show this.

    Raises:
      ValueError: there is no such zone, or not one such time.
    """
    try:
        zone = ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise ValueError(f"{name} is no time zone like Europe/Oslo") from error
    first, second = (clock.replace(tzinfo=zone, fold=fold).astimezone(UTC) for fold in (0, 1))
    if first == second:
        return first.replace(tzinfo=None)
    shown = f"{clock:{_SHOWN}}"
    if first.astimezone(zone).replace(tzinfo=None) != clock:
        later = max(first, second).astimezone(zone)
        raise ValueError(
            f"{shown} never comes in {name}, where the clocks are put forward in that night: write "
            f"another time, as {later:{_SHOWN}} {name}"
        )
    ways = [_with_offset(each.astimezone(zone)) for each in (first, second)]
    raise ValueError(
        f"{shown} comes twice in {name}, where the clocks are put back in that night: write "
        f"{ways[0]} for the first time, or {ways[1]} for the second"
    )


def _with_offset(time: datetime) -> str:
    return time.isoformat(sep=" ", timespec="minutes")
