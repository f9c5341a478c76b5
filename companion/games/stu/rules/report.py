"""The rulings of a game as `companion rule --json` prints them."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import Struct

from companion.games.stu.rules import money
from companion.games.stu.rules.state import Hand, HandRulings, Player, State, Status
from companion.table.setting import in_report


class Ricompera(Struct, frozen=True):
    """Whether somebody may come back, what the next one costs (minor units), how many were paid (rule 10)."""

    open: bool
    price: int
    count: int


class Report(Struct, frozen=True, omit_defaults=True):
    """The fixed keys of ``--json``. ``virgins`` are names; ``dealer`` deals next, None when the game is won; ``set``: how it
    stood, as the table has said, each with ``after``, the number of the hand before."""

    hands: tuple[HandRulings, ...]
    players: tuple[Player, ...]
    virgins: tuple[str, ...]
    ricompera: Ricompera
    pot: int
    dealer: str | None
    status: Status
    winner: str | None
    settlement: dict[str, int] | None
    set: tuple[dict[str, Any], ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """The report as plain dicts, lists and numbers (of any size). Ties with the player who pays, and whether a penalty
        was told after a `set` line, are for words alone, and left out."""
        plain: dict[str, Any] = msgspec.to_builtins(self, str_keys=True)
        for hand in plain["hands"]:
            for paid in hand["payments"]:
                paid.pop("tied", None)
                paid.pop("since_set", None)
        return plain


def report(state: State) -> Report:
    """What the game has come to: all hands, everybody's standing, the pot, the winner."""
    hands = state.hands if state.hand is None else (*state.hands, _so_far(state, state.hand))
    players = state.players
    pot = money.pot(state.table.stake, len(players), state.ricompere)
    winner = state.winner
    return Report(
        hands=hands,
        players=players,
        virgins=tuple(player.name for player in players if player.virgin),
        ricompera=Ricompera(state.ricompere_open, money.price(state.table.stake, state.ricompere), state.ricompere),
        pot=pot,
        dealer=None if state.won else state.table.names[state.next_dealer()],
        status=state.status,
        winner=winner,
        settlement=money.settlement(pot, winner, state.agreements) if state.won and winner is not None else None,
        set=in_report(state.settings),
    )


def ruling(state: State, n: int) -> HandRulings | None:
    """What hand number ``n`` (from 1) came to, or comes to so far; None where no such hand has been begun."""
    if 1 <= n <= len(state.hands):
        return state.hands[n - 1]
    return _so_far(state, state.hand) if state.hand is not None and n == state.hand.n else None


def _so_far(state: State, hand: Hand) -> HandRulings:
    return HandRulings(hand.n, state.table.names[hand.dealer], hand.payments, hand.out, hand.irregularities, False)


def virgins_by_hand(state: State) -> tuple[tuple[str, ...], ...]:
    """Who were virgins when each hand of the report began: names, in the order of the seats. Empty for a void hand, which ends
    nobody's virginity.
    """
    begun = (*state.virgins_then, *([state.hand.virgins_before] if state.hand is not None else []))
    return tuple(
        () if hand.void else tuple(name for name, virgin in zip(state.table.names, virgins, strict=True) if virgin)
        for hand, virgins in zip(report(state).hands, begun, strict=True)
    )
