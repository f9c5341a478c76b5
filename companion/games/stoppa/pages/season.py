"""Stoppa from evening to evening: `companion.pages.season.Season`, as a module. Pure.

The player who has won most wins the evening. Money is shown once an evening is over, with what was won or lost before the program
came to the table. For an evening played for points neither money nor balances are shown.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from companion.games.stoppa import rules
from companion.games.stoppa.pages.figures import tallies
from companion.games.stoppa.pages.rulings import winner
from companion.games.stoppa.rules import State, apply
from companion.games.stoppa.rules.log import Close
from companion.games.stoppa.rules.state import HandRulings
from companion.games.stoppa.words import signed_sum
from companion.pages.season import (
    Between,
    Column,
    EveningFigures,
    Pair,
    Played,
    PlayerEvening,
    after_hand,
    figure_of,
    finest,
    hand_ends,
)
from companion.table.language import Lang, catalogue

__all__ = ["between", "columns", "curve", "evening", "highlights", "revision", "stands"]

revision = 3
curve = "net"

UNBEATABLE = 55


def columns(lang: Lang) -> tuple[Column, ...]:
    """What is counted of everybody."""
    _ = catalogue(lang).gettext
    return (
        Column("punti", _("Punti won"), "count", _("Punti piccoli and grossi that this player took.")),
        Column("grossi", _("Punti grossi"), "count", _("Punti grossi that this player took.")),
        Column("stoppate", _("Stoppate"), "count", _("How often this player was the first without cards.")),
        Column("best", _("Best punto"), "best", _("The dearest trio with which a punto was won: 55 at most.")),
        Column("cards", _("Cards left"), "count", _("Cards in hand when another stopped, in all hands.")),
        Column("net", _("Balance"), "money", _("Won or lost, of evenings for money.")),
    )


def between(lang: Lang) -> tuple[Pair, ...]:
    """What one does to another."""
    _ = catalogue(lang).gettext
    return (Pair("stoppata", _("Was paid for the stoppata by"), _("Paid for the stoppata of")),)


def stands(stood: int, lang: Lang) -> str:
    """A balance."""
    return signed_sum(stood, lang)


def evening(played: Sequence[Played], *, ended: bool) -> EveningFigures:
    """What an evening came to. One that nobody closed is closed once another has begun."""
    state: State = played[-1].state
    if ended and not state.over:
        state = apply(state, Close())
    over = state.over
    table, first = state.table, played[0].state.balances
    counted = hand_ends(rules, played)
    punti, stoppate = tallies(state)
    hands = [hand for hand in state.hands if not hand.void]
    grossi = Counter(
        pot.winner for hand in hands for pot in hand.pots
        if pot.winner is not None and pot.phase == "grosso" and pot.how != "stated"
    )  # fmt: skip
    left, paid = _cards_left(hands, table.size), Counter[tuple[str, str]]()
    for hand in hands:
        paid.update((payment.to, payment.payer) for payment in hand.payments if payment.cause == "stoppata")
    best, most = _best(hands), winner(state)
    balances = [first, *(_balances(after_hand(rules, played, at)) for at in counted)]
    players = []
    for seat, name in enumerate(table.names):
        figures = {"punti": punti[name], "grossi": grossi[name], "stoppate": stoppate[name], "cards": left[name]}
        figures |= {"best": best[name]} if name in best else {}
        figures |= {"net": state.balances[seat]} if over and not table.points else {}
        stood = () if table.points else tuple(column[seat] for column in balances)
        players.append(PlayerEvening(name, name == most, figures, stood))
    told = tuple(Between("stoppata", by, to, count) for (by, to), count in paid.items())
    return EveningFigures(tuple(players), len(counted), over, told)


def highlights(told: EveningFigures, lang: Lang) -> tuple[str, ...]:
    """The evening's finest figures: a 55, who stopped most, who was left with most cards."""
    say = catalogue(lang)
    return finest(told, (
        (figure_of("best"), UNBEATABLE, lambda n: say.gettext("{player}: a punto won with {n}")),
        (figure_of("stoppate"), 2, lambda n: say.ngettext("{player} stopped {n} time", "{player} stopped {n} times", n)),
        (figure_of("punti"), 2, lambda n: say.ngettext("{player}: {n} punto won", "{player}: {n} punti won", n)),
        (figure_of("cards"), 2, lambda n: say.ngettext("{player}: {n} card left in hand", "{player}: {n} cards left in hand", n)),
    ), lang)  # fmt: skip


def _balances(state: State) -> tuple[int, ...]:
    """Everybody's balance when the last hand was over, also where the same line has begun the next hand."""
    return state.balances if state.hand is None else state.hand.balances_before


def _cards_left(hands: Sequence[HandRulings], size: int) -> Counter[str]:
    """Player → cards in hand when others stopped; ``size``: cards dealt to each."""
    left: Counter[str] = Counter()
    for hand in hands:
        if hand.stoppata is not None and hand.stoppata.winner is not None:
            left.update({name: size - laid for name, laid in hand.stoppata.laid.items()})
    return left


def _best(hands: Sequence[HandRulings]) -> dict[str, int]:
    """Player → the dearest trio with which they won a punto."""
    best: dict[str, int] = {}
    for hand in hands:
        for pot in hand.pots:
            if pot.how == "shown" and pot.ranking[0].cards == 3:
                best[pot.ranking[0].player] = max(best.get(pot.ranking[0].player, 0), pot.ranking[0].score)
    return best
