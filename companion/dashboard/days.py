"""How all pages write days and times. Pure."""

from __future__ import annotations

import datetime

from babel.dates import format_date

from companion.clock import night_of
from companion.table.language import Lang


def date_text(day: datetime.date, lang: Lang) -> str:
    """A day in words: "domenica 22 novembre 2026"."""
    return format_date(day, "full", locale=lang)


def day_text(day: datetime.date, lang: Lang) -> str:
    """A day in short: "22 nov 2026"."""
    return format_date(day, "medium", locale=lang)


def moment_text(at: float, lang: Lang) -> str:
    """A moment (Unix seconds) where this machine is: "22 nov 2026, 21:40"."""
    return f"{day_text(datetime.datetime.fromtimestamp(at).date(), lang)}, {clock_text(at)}"


def game_text(began: float, lang: Lang) -> str:
    """When a game began (Unix seconds): the day of its night, as the season and the past evenings have it, and the time. One that
    began on the 23rd at 00:40 is of "22 nov 2026, 00:40"."""
    return f"{day_text(night_of(began), lang)}, {clock_text(began)}"


def local_time(at: float) -> str:
    """A moment (Unix seconds) in this machine's time zone: ISO 8601, to the minute."""
    return datetime.datetime.fromtimestamp(at).astimezone().isoformat(timespec="minutes")


def clock_text(at: float) -> str:
    """The time of day of a moment (Unix seconds): "21:40"."""
    return local_time(at)[11:16]
