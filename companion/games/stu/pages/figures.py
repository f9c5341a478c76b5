"""The evening in figures: everybody's pedine over the hands, what they put into the pot, the gnaffate they gave. Pure."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import msgspec

from companion.games.stu import rules
from companion.games.stu.rules import report
from companion.games.stu.rules.log import Rebuy
from companion.games.stu.rules.money import price
from companion.table.language import Lang
from companion.table.moments import Moment, between_hands
from companion.table.money import Sum, as_sum
from companion.table.sets import marks


class Row(msgspec.Struct, frozen=True):
    """One player. ``pedine``: at the beginning and after every hand, ricompere before the next one included. ``paid``: stake and
    ricompere, whoever of the partners paid them; ``gnaffate``: given to others; ``sets``: after which hands (numbers, 0 for
    none) the table has said how they stand."""

    name: str
    pedine: tuple[int, ...]
    paid: Sum
    ricompere: int
    gnaffate: int
    out: bool
    sets: tuple[int, ...] = ()


class Figures(msgspec.Struct, frozen=True):
    """The rows in seat order; ``hands`` is how many hands are over: every row has one more number of pedine."""

    hands: int
    pot: Sum
    rows: tuple[Row, ...]


def figures(moments: Sequence[Moment], lang: Lang) -> Figures:
    """The figures of a game that has come this far; nothing but `Moment.seen` and public events go into them."""
    if not moments:
        return Figures(0, as_sum(0, lang), ())
    columns = between_hands(rules, moments, lambda state: state.pedine)
    paid = dict.fromkeys(moments[0].seen.table.names, moments[0].seen.table.stake)
    rebuys = dict.fromkeys(paid, 0)
    for before, now in itertools.pairwise(moments):
        if isinstance(now.event, Rebuy):
            paid[now.event.by] += price(now.seen.table.stake, before.seen.ricompere)
            rebuys[now.event.by] += 1
    told, said = report(moments[-1].seen), marks(rules, moments)
    gave = dict.fromkeys(paid, 0)
    for hand in told.hands:
        for payment in hand.payments if not hand.void else ():
            if payment.cause == "gnaffata" and payment.by in gave:
                gave[payment.by] += 1
    rows = tuple(
        Row(
            name=player.name,
            pedine=tuple(column[seat] for column in columns),
            paid=as_sum(paid[player.name], lang),
            ricompere=rebuys[player.name],
            gnaffate=gave[player.name],
            out=not player.in_play,
            sets=said.get(player.name, ()),
        )
        for seat, player in enumerate(told.players)
    )
    return Figures(len(columns) - 1, as_sum(told.pot, lang), rows)
