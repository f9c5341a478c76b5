"""The moviola for spectators: the last hand that is over, step by step, with every card's way round the table. Pure.

It comes from the public log alone, so a card is shown on its way only as far as faces that everybody saw in the end prove it.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from companion.decks.stu import NAMES, Kind
from companion.games.stu.pages.commentary import payment_view
from companion.games.stu.pages.view import StuSeat, StuView, view
from companion.games.stu.rules.log import Hand
from companion.games.stu.story import Deed, HandStory, Step, story
from companion.pages.moments import Moment
from companion.pages.moviola import SETTINGS
from companion.pages.view import CardView, ExchangeView, Figure, PaymentView
from companion.table.language import Lang, catalogue

SLIDING: frozenset[Deed] = frozenset({"swap", "swap_back", "taverna", "handed_back"})
"""Deeds in which two cards change places."""


class StepView(msgspec.Struct, frozen=True):
    """One step. ``deed``: what it was (`companion.games.stu.story.Deed`, or `deal` for how the cards were dealt); ``who`` did it
    to or with ``whom``; ``cards``: player → the card they hold after it, for those still in; ``says``: the step as a sentence;
    ``slides``: the cards of ``who`` and ``whom`` change places; ``seats``, ``figures``, ``happened``: as the view had them then,
    except the cards; ``asks``: the exchange that is then asked for."""

    deed: str
    says: str
    cards: dict[str, CardView]
    seats: tuple[StuSeat, ...]
    figures: tuple[Figure, ...]
    happened: tuple[str, ...]
    who: str | None = None
    whom: str | None = None
    payments: tuple[PaymentView, ...] = ()
    slides: bool = False
    asks: ExchangeView | None = None


class Moviola(msgspec.Struct, frozen=True):
    """The hand with number ``n``, dealt by ``dealer``, from the deal on."""

    n: int
    dealer: str
    steps: tuple[StepView, ...]


def moviola(moments: Sequence[Moment], lang: Lang) -> Moviola | None:
    """The last hand that is over; None before the first is, and where only its outcome is known.

    Nothing but `Moment.seen` and public lines go into it.
    """
    end = next((i for i in range(len(moments) - 1, 0, -1) if moments[i].seen.hand is None and moments[i - 1].seen.hand), None)
    if end is None:
        return None
    begin = next(i for i in range(end, 0, -1) if isinstance(moments[i].event, Hand))
    if len(moments[end].seen.hands) in moments[-1].stated:
        return None
    lines = [line for moment in moments[begin : end + 1] for line in moment.lines]
    told = story(lines, moments[begin - 1].seen)[-1]
    dealt = catalogue(lang).gettext("The cards as {dealer} dealt them").format(dealer=told.dealer)
    after = _moments_of(moments[begin : end + 1])
    views = [view(moments[: at + 1], lang, SETTINGS) for at in range(begin, end + 1)]
    first = StepView("deal", dealt, _cards(told.dealt), views[0].seats, views[0].figures, views[0].happened)
    return Moviola(told.n, told.dealer, (first, *(_step(step, told, views[after[step.line - 1]], lang) for step in told.steps)))


def _moments_of(moments: Sequence[Moment]) -> list[int]:
    """Per line of these moments, the index of the last moment that was over with it. A moment may have several lines: those for
    cards that lie open in the end come before its own."""
    return [at - (line is not moment.lines[-1]) for at, moment in enumerate(moments) for line in moment.lines]


def _step(step: Step, told: HandStory, then: StuView, lang: Lang) -> StepView:
    payments = tuple(payment_view(payment, lang, told.dealer) for payment in step.payments)
    return StepView(
        step.deed, step.says[lang], _cards(step.cards), then.seats, then.figures, then.happened, step.who, step.whom, payments,
        slides=step.deed in SLIDING, asks=then.exchange if then.exchange is not None and then.exchange.pending else None,
    )


def _cards(cards: dict[str, Kind | None]) -> dict[str, CardView]:
    return {player: CardView(kind, NAMES[kind].it if kind is not None else "") for player, kind in cards.items()}
