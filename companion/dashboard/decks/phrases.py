"""What the pages of decks call things: lists, cards and their drawings, and what the camera sees of a card."""

from __future__ import annotations

from dataclasses import dataclass

from flask import url_for

from companion.decks.drawings import BACKS, drawing
from companion.decks.lists import BACK, LISTS, ListId
from companion.line.decks.lesson import Outcome, Seen
from companion.table.errors import Reason
from companion.table.language import Lang, catalogue
from companion.table.text import sentence


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
    """What people call it."""
    if card == BACK:
        return catalogue(lang).pgettext("of a card", "Back")
    name = LISTS[of].NAMES[card]
    return name.it if lang == "it" else name.en


def card_picture(of: ListId, card: str) -> str:
    """The address of a card's drawing."""
    return url_for("card", name=BACKS[of] if card == BACK else drawing(card).file)


def list_names(lang: Lang) -> dict[ListId, str]:
    """The lists that a deck can be of."""
    _ = catalogue(lang).gettext
    return {"stu": _("Stù, 20 cards"), "italian": _("Italian, 40 cards"), "french": _("French, 52 cards, as pedine")}


def reason(why: Reason, lang: Lang) -> str:
    """Why a photo cannot be used, as a sentence."""
    message = why.text
    return sentence(catalogue(lang).gettext(message))


def seen_text(seen: Seen, lang: Lang) -> str:
    """What the camera sees, for those who lay the cards down."""
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
    """What became of a photo."""
    _ = catalogue(lang).gettext
    if outcome.refusal is not None:
        return reason(outcome.refusal, lang)
    if outcome.like is not None:
        return doubt_text(of, outcome.like, lang)
    return _("{card}: taken.").format(card=card_name(of, outcome.card, lang))


def doubt_text(of: ListId, other: str, lang: Lang) -> str:
    """That a photo looks like another card's."""
    _ = catalogue(lang).gettext
    return _("It looks the same as {card}: is it right?").format(card=card_name(of, other, lang))
