"""The `set` line, which every game has: with it the table says between two hands how the game stands. Pure.

What was set is valid from there on, whatever the hands before have come to. `companion.pages.sets` shows it on pages."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from companion.table.language import Lang, catalogue
from companion.table.log import Event


class Setting(Struct, frozen=True, gc=False):
    """A `set` line, and what it changed.

    Attributes:
        after: number of the last hand, 0 before the first.
        moved: per seat, by how much it changed what everybody has, in the game's own units (pedine, minor units).
        made: by how much it changed the sum of the money in the game, minor units. Where that is not 0, nobody has told who paid
            money in or took it out.
    """

    after: int
    event: Event
    moved: tuple[int, ...]
    made: int = 0


def in_report(settings: Iterable[Setting]) -> tuple[dict[str, Any], ...]:
    """The settings as ``--json`` prints them: the keys of the line, with ``after``."""
    return tuple([{"after": one.after, **_keys(one.event)} for one in settings])


def _keys(event: Event) -> dict[str, Any]:
    keys: dict[str, Any] = msgspec.to_builtins(event)
    return {key: value for key, value in keys.items() if key != "e"}


def sets_by_hand(settings: Iterable[Setting], stands: Callable[[Any], Sequence[str]], lang: Lang) -> dict[int, list[str]]:
    """Number of a hand, 0 before the first → what was set between it and the next, as sentences. ``stands``: gives the ``parts``
    of `set_said`."""
    said: dict[int, list[str]] = {}
    for one in settings:
        said.setdefault(one.after, []).append(set_said(stands(one.event), one.event, lang))
    return said


def set_said(parts: Sequence[str], event: Event, lang: Lang) -> str:
    """A `set` line as a sentence. ``parts``: what it says of each player and of the money, in words."""
    _ = catalogue(lang).gettext
    text = _("The table says how it stands: {what}").format(what="; ".join(parts) or _("as it is"))
    return f"{text} ({event.reason})" if event.reason else text
