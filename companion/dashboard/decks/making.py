"""Making a deck of its photos: a tap begins it, it takes seconds, and the page shows how far it is."""

from __future__ import annotations

from flask import redirect
from flask.typing import ResponseReturnValue
from flask_babel import gettext as _
from msgspec import Struct

from companion.dashboard.decks.context import deck_page, decks, school, to
from companion.dashboard.decks.phrases import reason
from companion.dashboard.encoding import answer
from companion.dashboard.endpoint import Form, documented
from companion.dashboard.locale import chosen
from companion.dashboard.setup.state import page


class Progress(Struct, frozen=True):
    """How far the making of a deck is: cards ``done`` ``of`` all, the same in words; ``to``: where to go, None before the end."""

    done: int
    of: int
    said: str
    to: str | None


@decks.post("/<name>/make")
@documented(body=Form(), also=(400,))
@deck_page
def make(name: str) -> ResponseReturnValue:
    """Makes the deck of the photos."""
    school().make(name)
    return redirect(to("made", name))


@decks.get("/<name>/make")
@documented()
@deck_page
def made(name: str) -> ResponseReturnValue:
    """How far it is."""
    now = school().making(name)
    if now is None:  # the program was restarted meanwhile
        return redirect(to("teach", name))
    if now.ready:
        return redirect(to("trial", name))
    return page("decks/making", 200, name=name, now=now, problem=reason(now.failed, chosen()) if now.failed is not None else None)


@decks.get("/<name>/make.json")
@documented(answer=Progress)
@deck_page
def how_far(name: str) -> ResponseReturnValue:
    """The same: `done`, `of`, `said`, `to`."""
    now = school().making(name)
    if now is None or now.ready or now.failed is not None:
        return answer(Progress(1, 1, "", to("made", name)))
    text = _("{done} of {of} cards").format(done=now.done, of=now.of)
    return answer(Progress(now.done, now.of, text, None))
