"""What spectators get of a hand of which only the outcome was stated: who pays, and nothing that nobody has seen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TypeVar

from msgspec.structs import replace

from companion.games.stu.rules.log import Reveal
from companion.table.language import Lang, catalogue
from companion.table.moments import Moment, last_hand, outcome_alone, stands_in
from companion.table.ruling import ruling_view
from companion.table.text import short
from companion.table.view import CardView, PaymentView, RulingView, SeatView, View

V = TypeVar("V", bound=View)

STATED = "stated"
"""The cause of a payment that somebody has stated, and nobody can say why."""


def as_told(view: V, moments: Sequence[Moment], lang: Lang) -> V:
    """The view without the cards that stand for an outcome, and without the reasons that were made up for it."""
    hand = last_hand(moments) if view.ruling is not None else ()
    if view.ruling is None or not outcome_alone(hand):
        return view
    hidden = {moment.event.by for moment in hand if isinstance(moment.event, Reveal) and stands_in(moment)}
    seats = tuple(_face_down(seat) if seat.name in hidden else seat for seat in view.seats)
    return replace(view, seats=seats, ruling=_ruling(view.ruling, lang))


def _face_down(seat: SeatView) -> SeatView:
    return replace(seat, card=CardView(None)) if seat.card is not None else seat


def _ruling(ruling: RulingView, lang: Lang) -> RulingView:
    """What everybody paid in all, and that the table has said so."""
    _ = catalogue(lang).gettext
    paid: Counter[str] = Counter()
    for one in ruling.payments:
        paid[one.player] += one.delta
    said, brief = _("{player}: as the table has said"), _("as the table has said")
    stated = [
        PaymentView(name, delta, STATED, 0, said.format(player=short(name)), brief=brief)
        for name, delta in paid.items() if delta
    ]  # fmt: skip
    notes = (_("Only the outcome is known: the table has said it"),)
    final, sure, void = ruling.final, ruling.sure, ruling.void
    return ruling_view(ruling.hand, stated, lang, final=final, sure=sure, confidence=ruling.confidence, void=void, notes=notes)
