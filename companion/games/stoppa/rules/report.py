"""The rulings of a game as `companion rule --json` prints them."""

from __future__ import annotations

from typing import Any, Literal

import msgspec
from msgspec import Struct

from companion.decks.italian import KINDS, Kind
from companion.games.stoppa.rules import giro
from companion.games.stoppa.rules.state import NOBODY, Hand, HandRulings, State, Stoppata, to_lay
from companion.table.setting import in_report

Status = Literal["in_play", "hand_in_progress", "last_hand", "over"]


class Player(Struct, frozen=True):
    """A player and their balance, in minor units."""

    name: str
    balance: int


class OnTable(Struct, frozen=True):
    """What a hand in progress has come to.

    ``turn``: who is to act, to open or to go on. ``wants``, ``top``: of the open sequence. ``on_table``: nobody's money yet.
    """

    phase: str | None
    turn: str | None
    wants: int | None
    top: Kind | None
    on_table: int


class Report(Struct, frozen=True, omit_defaults=True):
    """The fixed keys of ``--json``. ``dealer`` deals next, None when the game is over; ``set``: how it stood, as the table has
    said, each with ``after``, the number of the hand before."""

    game: str
    hands: tuple[HandRulings, ...]
    players: tuple[Player, ...]
    table: OnTable | None
    giro: giro.Standing
    dealer: str | None
    status: Status
    set: tuple[dict[str, Any], ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """The report as plain dicts, lists and numbers (of any size)."""
        plain: dict[str, Any] = msgspec.to_builtins(self, str_keys=True)
        return plain


def report(state: State) -> Report:
    """What the game has come to: all hands, balances, the table, the giro."""
    names, hand = state.table.names, state.hand
    after = state.dealer if hand is None else state.table.after(hand.dealer)
    return Report(
        game="stoppa",
        hands=state.hands if hand is None else (*state.hands, rulings(state, hand)),
        players=tuple([Player(name, balance) for name, balance in zip(names, state.balances, strict=True)]),
        table=None if hand is None else _on_table(state, hand),
        giro=giro.standing(state),
        dealer=None if state.over else names[after],
        status=status(state),
        set=in_report(state.settings),
    )


def status(state: State) -> Status:
    """What the game is doing."""
    if state.hand is not None:
        return "last_hand" if state.in_last_hand else "hand_in_progress"
    return "over" if state.over else "in_play"


def turn(state: State, hand: Hand) -> int:
    """The seat whose turn it is; NOBODY where it is nobody's."""
    betting = hand.betting
    if hand.declared or betting is None:
        return NOBODY
    if hand.grosso_decided:
        return to_lay(state.table, hand)
    return betting.todo[0] if betting.todo else NOBODY


def rulings(state: State, hand: Hand, *, void: bool = False) -> HandRulings:
    """What a hand comes to so far; of a ``void`` one its mistakes alone."""
    names = state.table.names
    stoppata = None
    if hand.begun or hand.ending == "annul":
        laid = {name: hand.many_laid(seat) for seat, name in enumerate(names)}
        winner = None if hand.winner == NOBODY else names[hand.winner]
        stoppata = Stoppata(winner, laid, hand.ending == "annul")
    return HandRulings(
        n=hand.n,
        dealer=names[hand.dealer],
        mano=names[state.table.after(hand.dealer)],
        pots=() if void else hand.pots,
        declared=None if void or not hand.declared else hand.declared,
        stoppata=None if void else stoppata,
        payments=() if void else hand.payments,
        irregularities=hand.irregularities,
        void=void,
        stated=hand.stated is not None and not void,
    )


def ruling(state: State, n: int) -> HandRulings | None:
    """What hand number ``n`` (from 1) came to, or comes to so far; None where no such hand has been begun."""
    if 1 <= n <= len(state.hands):
        return state.hands[n - 1]
    return rulings(state, state.hand) if state.hand is not None and n == state.hand.n else None


def on_table(state: State) -> int:
    """The money that is not yet anybody's: what the balances lack of 0."""
    return -sum(state.balances)


def _on_table(state: State, hand: Hand) -> OnTable:
    phase = None if hand.betting is None else "stoppata" if hand.grosso_decided else hand.betting.phase
    seat, opened = turn(state, hand), bool(hand.wants) and not hand.declared
    return OnTable(
        phase=phase,
        turn=None if seat == NOBODY else state.table.names[seat],
        wants=hand.wants if opened else None,
        top=KINDS[hand.top] if opened else None,
        on_table=on_table(state),
    )
