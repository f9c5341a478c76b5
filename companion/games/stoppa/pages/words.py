"""Cards and acts as organisers read them, and the words of the TV's script. The phone's own needs none."""

from __future__ import annotations

from collections.abc import Sequence

from companion.decks.italian_words import kinds_by_number as cards
from companion.games.stoppa.pages import phrases
from companion.games.stoppa.rules import State
from companion.games.stoppa.rules.cards import INDEX, mask_of
from companion.table.language import Lang, catalogue
from companion.table.phone import Act

__all__ = ["acts", "cards", "named", "tv_words"]


def acts(lang: Lang) -> tuple[Act, ...]:
    """What a line put in by hand can say."""
    _ = catalogue(lang).gettext
    return (
        Act("passo", _("passes"), "by"),
        Act("punto", _("bets"), "by", amount="to"),
        Act("vedo", _("sees"), "by"),
        Act("rilancio", _("raises to"), "by", amount="to"),
        Act("show", _("shows"), "by", cards="cards"),
        Act("muck", _("concedes without showing"), "by"),
        Act("lay", _("lays"), "by", cards="cards"),
        Act("declare", _("declares four Re"), "by", more={"what": "four_kings"}),
        Act("declare", _("declares misera"), "by", more={"what": "misera"}),
        Act("declare", _("declares a hand that does not stop"), "by", more={"what": "no_stoppata"}),
        Act("giro", _("calls the giro"), "by"),
    )


def named(state: State, cards: Sequence[str], lang: Lang) -> str:
    """The best group among these cards, with its worth."""
    return phrases.group(mask_of(INDEX[kind] for kind in cards), lang) if cards else ""


def tv_words(lang: Lang) -> dict[str, str]:
    """For the TV and the overlay."""
    _ = catalogue(lang).gettext
    return {
        "held": _("{n} in hand"),
        "left_of": _("{left} of {number} in the hands"),
        "gone": _("all {number} are out"),
    }
