"""The moviola of Stoppa: the last hand that is over, step by step, on the same table. Pure; told from the public log alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from companion.games.stoppa.pages import phrases
from companion.games.stoppa.pages.centre import Centre
from companion.games.stoppa.pages.view import StoppaSeat, view
from companion.games.stoppa.rules.log import Deal, End, Giro, Hand, Lay, Passo
from companion.table.language import Lang, catalogue
from companion.table.moments import Moment, stands_in
from companion.table.sure import SURE_FROM
from companion.table.text import listed, short
from companion.table.view import RulingView, ViewSettings


class StepView(Struct, frozen=True):
    """One step: the sentence, and what of the view was other after it."""

    says: str
    seats: tuple[StoppaSeat, ...]
    centre: Centre | None
    ruling: RulingView | None


class Moviola(Struct, frozen=True):
    """The hand with number ``n``, dealt by ``dealer``."""

    n: int
    dealer: str
    steps: tuple[StepView, ...]


_SETTINGS = ViewSettings(sure_from=SURE_FROM, happened=1)


def moviola(moments: Sequence[Moment], lang: Lang) -> Moviola | None:
    """The last hand that is over; None before the first is, of a void one, and where only its outcome is known."""
    over = len(moments[-1].seen.hands) if moments else 0
    if not over or moments[-1].seen.hands[-1].void:
        return None
    begin = next(at for at, moment in enumerate(moments) if moment.seen.hand is not None and moment.seen.hand.n == over)
    end = next(at for at, moment in enumerate(moments) if len(moment.seen.hands) == over)
    if any(map(stands_in, moments[begin : end + 1])):
        return None
    book = moments[end].seen.hands[-1]
    steps = []
    for group in _together(moments[begin : end + (moments[end].seen.hand is None)]):
        last = begin + group[-1]
        shown = view(moments[: last + 1], lang, _SETTINGS)
        says = _said([moments[begin + at] for at in group], shown.happened, lang)
        steps.append(StepView(says, shown.seats, shown.centre, shown.ruling))
    return Moviola(book.n, book.dealer, tuple(steps))


def _together(hand: Sequence[Moment]) -> Iterator[list[int]]:
    """Which of a hand's moments make one step: what one player lays without a break, and those who pass one after another."""
    step: list[int] = []
    for at, moment in enumerate(hand):
        if isinstance(moment.event, Deal | End | Giro):
            continue
        if step and not _goes_with(hand[step[-1]], moment):
            yield step
            step = []
        step.append(at)
    if step:
        yield step


def _goes_with(before: Moment, now: Moment) -> bool:
    if isinstance(before.event, Lay) and isinstance(now.event, Lay):
        return before.event.by == now.event.by
    return isinstance(before.event, Passo) and isinstance(now.event, Passo)


def _said(step: Sequence[Moment], happened: Sequence[str], lang: Lang) -> str:
    """A step as a sentence."""
    _ = catalogue(lang).gettext
    event = step[-1].event
    match event:
        case Hand():
            return _("Everybody pays the misera")
        case Lay(by=by):
            cards = [card for moment in step for card in moment.event.cards]
            said = _("{player} lays {cards}").format(player=short(by), cards=phrases.numbers(cards, lang))
            return said if step[-1].seen.hand is not None else said + _(": stops!")
        case Passo():
            names = dict.fromkeys(short(moment.event.by) for moment in step)
            say = catalogue(lang).ngettext("{players} passes", "{players} pass", len(names))
            return str(say.format(players=listed(list(names), lang)))
    return happened[-1] if happened else ""
