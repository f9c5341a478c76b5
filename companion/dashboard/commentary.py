"""What has just happened, as a sentence in the language of the table; and why somebody pays."""

from __future__ import annotations

from companion.dashboard.strings import COMMENTARY
from companion.dashboard.view import Lang
from companion.stu import State
from companion.stu.cards import NAMES, Kind
from companion.stu.log import (
    Close,
    Draw,
    End,
    Event,
    Hand,
    Matto,
    Passo,
    Penalty,
    Rebuy,
    Reveal,
    Split,
    Sto,
    Swap,
    Taverna,
    Void,
)  # fmt: skip
from companion.stu.table import HandRulings, Payment


def card_name(kind: Kind, lang: Lang) -> str:
    """What people call the card: "Gnao", "7"."""
    return NAMES[kind].en if lang == "en" else NAMES[kind].it


def the_card(kind: Kind, lang: Lang) -> str:
    """The card with its article: "il Gnao", "l’8", "the Cat"."""
    name = card_name(kind, lang)
    if lang == "en":
        return name if name.isdigit() else f"the {name}"
    if kind in ("secchia", "nulla", "taverna", "salta"):
        return f"la {name}"
    return f"l’{name}" if name in ("1", "8") else f"il {name}"


def comment(before: State, event: Event, after: State, lang: Lang) -> str | None:
    """The sentence for what has just happened between two states, None for what is not worth one (a card dealt)."""
    words = COMMENTARY[lang]
    hand = before.hand
    names = before.table.names
    match event:
        case Hand() if after.hand is not None:
            return words["hand"].format(n=after.hand.n, dealer=names[after.hand.dealer])
        case Sto():
            return words["sto"].format(player=event.by)
        case Passo():
            ask = after.hand.asking if after.hand is not None else None
            if ask is None or after.hand is None:
                return words["passo_deck"].format(player=event.by)
            return words["back" if ask.back else "passo"].format(
                player=event.by, asked=names[after.hand.order[ask.asked]]
            )
        case Swap() if hand is not None and hand.asking is not None:
            return words["swap"].format(player=names[hand.order[hand.asking.asker]], asked=event.with_)
        case Taverna():
            return words["taverna"].format(player=event.by)
        case Draw():
            return words["draw"].format(player=event.by)
        case Reveal():
            return words["reveal"].format(player=event.by, card=the_card(event.card, lang))
        case End():
            return words["end"]
        case Rebuy():
            return words["rebuy"].format(player=event.by)
        case Matto():
            return words["one_matto" if event.in_deck == 1 else "two_matti"]
        case Penalty():
            return words["penalty"].format(player=event.player)
        case Void():
            return words["void"]
        case Split():
            return words["split"].format(players=words["and"].join(event.shares))
        case Close():
            return words["close"]
        case _:
            return None


def why(payment: Payment, lang: Lang) -> str:
    return f"{payment.cause} (regola {payment.rule})"


def notes_of(hand: HandRulings, lang: Lang) -> tuple[str, ...]:
    return tuple(f"{i.kind}: {i.player}" for i in hand.irregularities)
