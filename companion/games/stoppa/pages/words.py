"""Cards, acts, questions and notices as organisers read them, and the words of the TV's script. The phone's own needs none.

The referee is imported where its notices are wanted: a command that rules on a log needs none.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from companion.games.stoppa.pages import phrases
from companion.games.stoppa.rules import State
from companion.games.stoppa.rules.cards import INDEX, mask_of
from companion.games.stoppa.rules.log import Set
from companion.games.stoppa.words import stands
from companion.pages.phone import Act
from companion.table.language import Lang, catalogue


def set_parts(after: State, event: Set, lang: Lang) -> tuple[str, ...]:
    """What a `set` line says."""
    return stands(event, lang, points=after.table.points)


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


def phone_words(lang: Lang) -> dict[str, str]:
    """For the organiser's phone: it has no script of this game's own, only another question where the outcome alone is known."""
    _ = catalogue(lang).gettext
    return {"outcome_help": _("How many cards did everybody have left? 0 for the player who stopped")}


def notices(evening: Any, lang: Lang) -> tuple[str, ...]:
    """For the hand in progress, or just over: the best group that lies open, where no bet was told, and the money that nobody has
    told of."""
    from companion.games.stoppa.referee import facts as asked_words
    from companion.games.stoppa.referee.open_faces import groups, money_untold

    chapter = evening.current
    if chapter.game.sighting_model is None or not chapter.reports.sightings:
        return ()
    found, lying = money_untold(chapter), groups(chapter)
    hand = chapter.after.hand
    silent = hand is not None and hand.betting is not None and not hand.betting.high and not hand.begun
    said = (asked_words.lying_open(lying, chapter.before.table.names, lang),) if silent and len(lying) > 1 else ()
    return (*said, *(asked_words.untold(found, lang) if found is not None else ()))
