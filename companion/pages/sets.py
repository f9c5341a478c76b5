"""How the pages show how it stands as the table has said, of any game: always as set, so that nobody takes it for something that
a hand has made. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from companion.pages.moments import Moment, is_tagged
from companion.pages.phone import Field, Form, More
from companion.table.game import Rules, State
from companion.table.language import Lang, catalogue
from companion.table.log import Event
from companion.table.setting import Setting

MAX_REASON_LETTERS = 200
"""Greatest number of letters of a reason."""


class Set(NamedTuple):
    """A `set` line as everybody has seen it: the game before and after it; ``after``: as `Setting.after`."""

    after: int
    was: State
    event: Event
    now: State

    @property
    def setting(self) -> Setting:
        """What the `set` line has changed."""
        found: Setting = self.now.settings[-1]
        return found


def sets_in(rules: Rules, moments: Sequence[Moment]) -> Iterator[Set]:
    """All of a game's."""
    if not moments or not getattr(moments[-1].seen, "settings", ()):
        return  # as nearly always: an evening has thousands of moments
    for before, now in pairwise(moments):
        if is_tagged(now, "set"):
            yield Set(rules.hands(before.seen), before.seen, now.event, now.seen)


def marks(rules: Rules, moments: Sequence[Moment]) -> dict[str, tuple[int, ...]]:
    """Player → the hands (numbers, 0 for none) after which the table has said how they stand."""
    found: dict[str, list[int]] = {}
    for one in sets_in(rules, moments):
        for name in one.event.names:
            found.setdefault(name, []).append(one.after)
    return {name: tuple(after) for name, after in found.items()}


def by_whom(event: Event, lang: Lang, what: str = "") -> str:
    """Why something is as it is, for a row of its own: "set by the table: 2 pedine (…)". ``what``: how it stands."""
    text = catalogue(lang).gettext("set by the table") + (f": {what}" if what else "")
    return f"{text} ({event.reason})" if event.reason else text


def form(
    event: Event, fields: Sequence[Field], lang: Lang, *, only_changed: bool = True, total: int | None = None, why: str = ""
) -> More:
    """The phone's button for a `set` line. ``event``: as it stands now; ``why``: why it must come to ``total``, a sentence; the
    rest: as in `Form`."""
    _ = catalogue(lang).gettext
    hint = _("Where the table agrees that it stands differently. The hands stay as they were entered; what is set is marked.")
    reason = Field(key="reason", label=_("Reason"), letters=MAX_REASON_LETTERS)
    return More(
        key="set",
        label=_("Set how it stands"),
        form=Form(
            label=_("It stands so"), event=event, fields=(*fields, reason), only_changed=only_changed, total=total,
            hint=f"{hint} {why}" if why else hint,
        ),
    )  # fmt: skip
