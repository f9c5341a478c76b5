"""What the pages of decks share: what teaches decks, who may ask, how much may be sent, and what things are called."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, ParamSpec
from urllib.parse import urlencode

from flask import Blueprint, abort, request, session, url_for
from flask.typing import ResponseReturnValue
from msgspec import Struct

from companion.dashboard import limits
from companion.dashboard.organiser.guard import organiser_only
from companion.dashboard.setup.deck_choice import teaching_here
from companion.decks.lists import BACK, BACKS, LISTS, ListId, drawing
from companion.line.teaching.progress import Outcome, Point, Seen, State, TeachingProgress
from companion.line.teaching.shelf import DeckRefused
from companion.table.errors import BadDeck, Reason
from companion.table.language import Lang, catalogue, filled
from companion.table.text import sentence

if TYPE_CHECKING:
    from companion.line.teaching.teaching import Teaching


P = ParamSpec("P")
decks = Blueprint("decks", __name__, url_prefix="/setup/decks")

MAX_PHOTO_BYTES = 24 * 2**20
"""Bytes of a photo that a phone sends: several times what phones' cameras write."""


class PhotoView(Struct, frozen=True):
    """What became of a photo, in words; where ``to`` go on, None where it was not taken; ``sure``: nothing about it needs a
    look."""

    said: str
    to: str | None
    sure: bool = False


class LookView(Struct, frozen=True):
    """What the table's camera sees: cards' corners, ``quads``, in its picture of ``size`` (width, height), pixels; where ``to``
    go on, None where nothing was taken; ``sure``: nothing about it needs a look."""

    state: State
    said: str
    size: tuple[int, int] | None
    quads: tuple[tuple[Point, ...], ...]
    to: str | None
    sure: bool = False


def teaching() -> Teaching:
    """The `Teaching` of the current application; aborts with 404 where it has none."""
    found = teaching_here()
    return found if found is not None else abort(404, "no decks are kept here")


def deck_page(view: Callable[P, ResponseReturnValue]) -> Callable[P, ResponseReturnValue]:
    """A view for organisers, of an application that keeps decks. An error that it raises is shown on the page of all decks."""

    @organiser_only
    @functools.wraps(view)
    def guarded(*args: P.args, **kwargs: P.kwargs) -> ResponseReturnValue:
        teaching()
        return view(*args, **kwargs)

    return guarded


def wants_json() -> bool:
    """Whether the request comes from a script that takes JSON, and not from a browser that loads a page."""
    return request.accept_mimetypes.best_match(("text/html", "application/json")) == "application/json"


def tell(text: str) -> None:
    """Show this sentence on the next page that the device loads."""
    session["notice"] = text


def progress_of(name: str) -> TeachingProgress:
    """The deck that is being taught under this name; aborts with 404 where there is none."""
    return teaching().progress(name) or abort(404, "no such deck is being taught")


def why(error: DeckRefused | BadDeck, lang: Lang) -> str:
    """Why something cannot be done, as a sentence."""
    if isinstance(error, DeckRefused):
        return sentence(filled(error.reason.text, error.values, lang))
    _ = catalogue(lang).gettext
    return _("The file of this deck is gone or damaged: copy it again from where it came, or teach the deck again.")


def to(view: str, name: str, **values: str) -> str:
    """The address of a page of this deck."""
    address = url_for(f"decks.{view}", name=name)
    return f"{address}?{urlencode(values)}" if values else address


decks.after_request(limits.never_kept)


@dataclass(frozen=True, slots=True)
class Drawn:
    """A card as pages show it: ``picture`` is the address of its drawing."""

    id: str
    name: str
    picture: str


def drawn(of: ListId, card: str, lang: Lang) -> Drawn:
    """A card of this list, or the back."""
    return Drawn(card, card_name(of, card, lang), card_picture(of, card))


def card_name(of: ListId, card: str, lang: Lang) -> str:
    """What people call a card of this list, or its back."""
    if card == BACK:
        return catalogue(lang).pgettext("of a card", "Back")
    name = LISTS[of].NAMES[card]
    return name.it if lang == "it" else name.en


def card_picture(of: ListId, card: str) -> str:
    """The address of a card's drawing."""
    return url_for("card", name=BACKS[of] if card == BACK else drawing(card).file)


def list_names(lang: Lang) -> dict[ListId, str]:
    """The lists of cards that a deck can be of, with their names in words."""
    _ = catalogue(lang).gettext
    return {"stu": _("Stù, 20 cards"), "italian": _("Italian, 40 cards"), "french": _("French, 52 cards, as pedine")}


def reason(why: Reason, lang: Lang) -> str:
    """Why a photo cannot be used, as a sentence."""
    message = why.text
    return sentence(catalogue(lang).gettext(message))


def seen_text(seen: Seen, lang: Lang) -> str:
    """What the camera sees, as a sentence for those who lay the cards down."""
    _ = catalogue(lang).gettext
    if seen.refusal is not None:
        return reason(seen.refusal, lang)
    return {
        "no_camera": _("The table’s camera gives no pictures: take the photo with the phone."),
        "elsewhere": _("Another phone is taking cards with the camera. This one can take photos itself."),
        "enough": _("This card is done."),
        "none": _("Lay the card before the camera, alone and whole."),
        "refused": "",
        "moving": _("Hold still…"),
        "before": _("Taken. Lay down the next one."),
        "taken": _("Taken."),
    }[seen.state]


def outcome_text(outcome: Outcome, of: ListId, lang: Lang) -> str:
    """What became of a photo, as a sentence."""
    _ = catalogue(lang).gettext
    if outcome.refusal is not None:
        return reason(outcome.refusal, lang)
    if outcome.like is not None:
        return doubt_text(of, outcome.like, lang)
    return _("{card}: taken.").format(card=card_name(of, outcome.card, lang))


def doubt_text(of: ListId, other: str, lang: Lang) -> str:
    """The question whether a photo that looks like the ``other`` card is right."""
    _ = catalogue(lang).gettext
    return _("It looks the same as {card}: is it right?").format(card=card_name(of, other, lang))
