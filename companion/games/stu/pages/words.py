"""What the scripts of Lu Stù's pages say, by the names they call it by; cards, acts and questions as organisers read them.

The referee is imported where a question is asked: a command that rules on a log needs none.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from companion.decks.stu import KINDS, NAMES
from companion.games.stu.rules import State
from companion.games.stu.rules.log import Set
from companion.games.stu.words import stands
from companion.pages.phone import Act, ChoiceText
from companion.table.language import Lang, catalogue


def tv_words(lang: Lang) -> dict[str, str]:
    """For the TV and the overlay."""
    _ = catalogue(lang).gettext
    return {"virgin": _("virgin"), "pedine": _("pedine")}


def named(state: State, cards: Sequence[str], lang: Lang) -> str:
    """Empty: Lu Stù has no name for several cards together."""
    return ""


def phone_words(lang: Lang) -> dict[str, str]:
    """For the organiser's phone."""
    say = catalogue(lang)
    _ = say.gettext
    return {
        "outcome_help": _("Who paid? A tap on a name is one pedina more"),
        "show_card": _("Show a card"),
        "whose": _("{name}’s card"),
        "rebuy": _("Ricompera"),
        "rebuy_for": _("{name} comes back ({price})"),
        "partner": _("Partner"),
        "share": _("Share %"),
        "paid": _("Puts in €"),
        "add_partner": _("Add a partner"),
        "remove_partner": _("Without this partner"),
        "partners_title": _("Partners of {name}"),
        "partners_help": _("A partner puts in the share of the price that they take of the pot, unless another sum is typed."),
        "terms": _("Terms"),
        "terms_title": _("Terms for the Taverna"),
        "split": _("Agreement on the pot"),
        "penalty": _("Penalty"),
        "matto_out": _("Take one Matto out of the deck"),
        "matto_in": _("Put the Matto back into the deck"),
        "dealer": _("Somebody else deals"),
        "close": str(say.pgettext("button", "No more ricompere")),
        "virgin": _("virgin"),
    }


def set_parts(after: State, event: Set, lang: Lang) -> tuple[str, ...]:
    """What a `set` line says."""
    return stands(event, lang)


def acts(lang: Lang) -> tuple[Act, ...]:
    """What a line put in by hand can say."""
    _ = catalogue(lang).gettext
    return (
        Act("sto", _("stays"), "by"),
        Act("passo", _("passes"), "by"),
        Act("swap", _("exchanges (answer)"), "with"),
        Act("taverna", _("cedes the Taverna (answer)"), "by"),
        Act("draw", _("draws from the deck"), "by", "may"),
        Act("reveal", _("shows a card"), "by", "must"),
        Act("deal", _("is dealt a card"), "to", "may"),
    )


def cards(lang: Lang) -> tuple[tuple[str, str], ...]:
    """The kinds, low to high: id and name."""
    return tuple((kind, NAMES[kind].it) for kind in KINDS)


def question(asked: Any, lang: Lang) -> str:
    """A question of the referee's."""
    from companion.games.stu.referee import words as asked_words

    return asked_words.question(asked, lang)


def choice(asked: Any, choice: str | None, names: tuple[str, ...], lang: Lang) -> ChoiceText:
    """An answer to it; None: "don't know"."""
    from companion.games.stu.referee import words as asked_words

    card = choice if choice in KINDS and asked.kind == "card" else None
    return ChoiceText(asked_words.choice(asked, choice, names, lang), card)


def notices(evening: Any, lang: Lang) -> tuple[str, ...]:
    """The places where another number of pedine lies than should."""
    from companion.games.stu.referee import words as asked_words
    from companion.games.stu.referee.pedine import differences

    return tuple(asked_words.pedine(found, lang) for found in differences(evening))
