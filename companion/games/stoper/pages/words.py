"""Cards, acts, questions and notices as organisers read them, and the words of the TV's script.

The referee is imported where its notices are wanted: a command that rules on a log needs none.
"""

from __future__ import annotations

from typing import Any

from companion.games.stoper.rules import State
from companion.games.stoper.rules.log import Set
from companion.games.stoper.words import stands
from companion.pages.phone import Act
from companion.table.language import Lang, catalogue


def set_parts(after: State, event: Set, lang: Lang) -> tuple[str, ...]:
    """What a `set` line says."""
    return stands(event, lang)


def acts(lang: Lang) -> tuple[Act, ...]:
    """What a line put in by hand can say."""
    _ = catalogue(lang).gettext
    return (
        Act("buio", _("opens or raises blind"), "by"),
        Act("apro", _("opens with"), "by", amount="to"),
        Act("parola", _("says parola"), "by"),
        Act("busso", _("says busso"), "by"),
        Act("punto", _("bets"), "by", amount="to"),
        Act("vedo", _("sees"), "by"),
        Act("rilancio", _("raises to"), "by", amount="to"),
        Act("passo", _("passes"), "by"),
        Act("show", _("shows"), "by", cards="cards"),
        Act("muck", _("concedes without showing"), "by"),
        Act("chips", _("buys chips for"), "by", amount="amount"),
    )


def tv_words(lang: Lang) -> dict[str, str]:
    """For the TV and the overlay."""
    _ = catalogue(lang).gettext
    return {
        "all_in": "all-in",
        "served": _("served"),
        "changed": _("changed {n}"),
        "aside": _("sits out"),
        "no_chips": _("no chips"),
        "of_pot": _("chance of the first pot"),
    }


def phone_words(lang: Lang) -> dict[str, str]:
    """For the organiser's phone: it has no script of this game's own, only other chances to show, and another question where the
    outcome alone is known."""
    _ = catalogue(lang).gettext
    return {
        "odds": _("Chances at an all-in"),
        "outcome_help": _("Who takes what lies on the table? Tap the name. A tap on a sum changes what somebody has"),
    }


def notices(evening: Any, lang: Lang) -> tuple[str, ...]:
    """Earlier hands that later bets have shown to have had another winner than it seemed; and the players of the hand in progress
    who have thrown in their cards without a word: they are asked whether they pass."""
    from companion.games.stoper.referee import facts as asked_words
    from companion.games.stoper.referee.open_faces import otherwise, thrown_without_a_word

    chapter = evening.current
    bets = tuple(asked_words.told_by_bets(n, names, lang) for n, names in otherwise(evening))
    if not chapter.reports.sightings:
        return bets
    names = chapter.before.table.names
    return (*bets, *(asked_words.thrown_in(names[seat], lang) for seat in thrown_without_a_word(chapter)))
