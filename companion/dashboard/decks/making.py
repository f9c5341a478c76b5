"""From the photos to the deck: begun with a tap, seconds long, and told as it goes on."""

from __future__ import annotations

from flask import redirect
from flask.typing import ResponseReturnValue
from flask_babel import gettext as _

from companion.dashboard.decks.context import deck_page, decks, school, to
from companion.dashboard.decks.phrases import reason
from companion.dashboard.locale import chosen
from companion.dashboard.setup.state import page


@decks.post("/<name>/make")
@deck_page
def make(name: str) -> ResponseReturnValue:
    """Begin to make the deck of the photos that there are."""
    school().make(name)
    return redirect(to("made", name))


@decks.get("/<name>/make")
@deck_page
def made(name: str) -> ResponseReturnValue:
    """How far it is, until the trial."""
    now = school().making(name)
    if now is None:  # the program was started anew meanwhile
        return redirect(to("teach", name))
    if now.ready:
        return redirect(to("trial", name))
    return page("decks/making", 200, name=name, now=now, problem=reason(now.failed, chosen()) if now.failed is not None else None)


@decks.get("/<name>/make.json")
@deck_page
def how_far(name: str) -> ResponseReturnValue:
    """How far it is: cards ``done`` ``of`` so many; ``to``: where to go when it is over."""
    now = school().making(name)
    if now is None or now.ready or now.failed is not None:
        return {"done": 1, "of": 1, "said": "", "to": to("made", name)}
    said = _("{done} of {of} cards").format(done=now.done, of=now.of)
    return {"done": now.done, "of": now.of, "said": said, "to": None}
