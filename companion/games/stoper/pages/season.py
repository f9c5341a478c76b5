"""Stoper from evening to evening: `companion.pages.season.Season`, as a module. Pure.

The player who has won most wins an evening for cash, the last one with chips a tournament; for the others it says how many
players they outlasted. Money is shown once an evening is over.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from companion.games.stoper import rules
from companion.games.stoper.pages.figures import best_shown, pots_won
from companion.games.stoper.pages.rulings import balances, left_over, money_known, winner
from companion.games.stoper.pages.score import places
from companion.games.stoper.rules import State
from companion.games.stoper.rules.log import Chips
from companion.pages.season import Column, EveningFigures, Pair, Played, PlayerEvening, after_hand, figure_of, finest, hand_ends
from companion.table.language import Lang, catalogue
from companion.table.money import money

__all__ = ["between", "columns", "curve", "evening", "highlights", "revision", "stands"]

revision = 4
curve = "net"

_FINE = 31
"""The lowest score of a hand that is among the highlights."""


def columns(lang: Lang) -> tuple[Column, ...]:
    """What is counted of everybody."""
    _ = catalogue(lang).gettext
    return (
        Column("pots", _("Pots won"), "count", _("Pots that this player took, side pots among them.")),
        Column("showdowns", _("Showdowns won"), "count", _("Pots won with cards laid open.")),
        Column("best", _("Best hand"), "best", _("The highest score that this player has shown: 33 at most.")),
        Column("outlasted", _("Outlasted"), "count", _("In tournaments: players who were out before this one.")),
        Column("bought", _("Chips bought"), "money", _("During the evening, of evenings for cash.")),
        Column("net", _("Balance"), "money", _("Won or lost, of evenings for cash.")),
    )


def between(lang: Lang) -> tuple[Pair, ...]:
    """Nothing: a pot is put in by many."""
    return ()


def stands(stood: int, lang: Lang) -> str:
    """A stack."""
    return money(stood, lang)


def evening(played: Sequence[Played], *, ended: bool) -> EveningFigures:
    """What an evening came to. One that nobody closed is over all the same once another has begun."""
    state: State = played[-1].state
    over = state.over or ended
    cash, names = state.table.mode == "cash", state.table.names
    counted = hand_ends(rules, played)
    hands = [hand for hand in state.hands if not hand.void]
    pots, best, best_of_all = pots_won(hands), best_shown(hands), winner(state)
    showdowns = Counter(pot.winner for hand in hands for pot in hand.pots if pot.how == "shown")
    bought = Counter[str]()
    for one in played:
        if isinstance(one.line.event, Chips):
            bought[one.line.event.by] += one.line.event.amount
    nets = dict(zip(names, balances(state), strict=True))
    known = money_known(state)
    ranks = {} if cash or not state.over else places(state)
    stacks = [played[0].state.stacks, *(after_hand(rules, played, at).stacks for at in counted)]
    players = []
    for seat, name in enumerate(names):
        figures = {"pots": pots[name], "showdowns": showdowns[name]}
        figures |= {"best": best[name]} if name in best else {}
        figures |= {"bought": bought[name], "net": nets[name]} if cash and over and known else {}
        figures |= {"outlasted": sum(rank > ranks[name] for rank in ranks.values())} if ranks else {}
        players.append(PlayerEvening(name, name == best_of_all, figures, tuple(column[seat] for column in stacks)))
    left = left_over(state) if cash and over and known else 0
    return EveningFigures(tuple(players), len(counted), over, unknown=cash and over and not known, left=left)


def highlights(told: EveningFigures, lang: Lang) -> tuple[str, ...]:
    """The evening's finest figures: a 31 or better, who won most pots, and most showdowns."""
    say = catalogue(lang)
    return finest(told, (
        (figure_of("best"), _FINE, lambda n: say.gettext("{player}: a hand of {n}")),
        (figure_of("pots"), 2, lambda n: say.ngettext("{player}: {n} pot won", "{player}: {n} pots won", n)),
        (figure_of("showdowns"), 2, lambda n: say.ngettext("{player}: {n} showdown won", "{player}: {n} showdowns won", n)),
    ), lang)  # fmt: skip
