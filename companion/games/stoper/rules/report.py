"""The rulings of a game as `companion rule --json` prints them."""

from __future__ import annotations

from typing import Any, Literal

import msgspec
from msgspec import Struct

from companion.games.stoper.rules import joining
from companion.games.stoper.rules.cards import Level
from companion.games.stoper.rules.ending import rulings
from companion.games.stoper.rules.state import NOBODY, Hand, HandRulings, Phase, Seats, State
from companion.table.setting import in_report

Status = Literal["in_play", "hand_in_progress", "won", "over"]


class Player(Struct, frozen=True):
    """A player, their chips, and whether they have any or are still in the hand."""

    name: str
    stack: int
    in_play: bool


class CarriedOver(Struct, frozen=True):
    """What earlier hands left. ``join``: name → what each not among ``said`` would pay to join."""

    pot: int
    level: Level
    parola: bool
    said: tuple[str, ...]
    join: dict[str, int]


class OnTable(Struct, frozen=True):
    """What a hand in progress has come to. ``highest``: the highest total of the phase; ``pot``: all that is in."""

    phase: Phase
    turn: str | None
    highest: int
    pot: int


class Report(Struct, frozen=True, omit_defaults=True):
    """The fixed keys of ``--json``. ``dealer`` deals next, None when the game is over; ``winner`` of a tournament; ``set``: how
    it stood, as the table has said, each with ``after``, the number of the hand before."""

    game: str
    hands: tuple[HandRulings, ...]
    players: tuple[Player, ...]
    carried: CarriedOver
    table: OnTable | None
    dealer: str | None
    status: Status
    winner: str | None
    set: tuple[dict[str, Any], ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """The report as plain dicts, lists and numbers (of any size). Why a tie went as it did is for words alone."""
        plain: dict[str, Any] = msgspec.to_builtins(self, str_keys=True)
        for hand in plain["hands"]:
            for pot in hand["pots"]:
                pot.pop("ties", None)
            if not hand["stated"]:
                del hand["stated"]
        return plain


def report(state: State) -> Report:
    """What the game has come to: all hands, stacks, what is carried, the table."""
    names, hand = state.table.names, state.hand
    playing = in_play(state)
    seated = enumerate(zip(names, state.stacks, strict=True))
    return Report(
        game="stoper",
        hands=state.hands if hand is None else (*state.hands, rulings(state, hand)),
        players=tuple([Player(name, stack, bool(playing >> seat & 1)) for seat, (name, stack) in seated]),
        carried=carried(state),
        table=None if hand is None else _on_table(state, hand),
        dealer=_dealer(state, playing),
        status=status(state),
        winner=None if state.winner == NOBODY else names[state.winner],
        set=in_report(state.settings),
    )


def status(state: State) -> Status:
    """What the game is doing."""
    if state.hand is not None:
        return "hand_in_progress"
    if state.winner != NOBODY:
        return "won"
    return "over" if state.closed else "in_play"


def in_play(state: State) -> Seats:
    """The seats with chips, or still in the hand."""
    playing = 0 if state.hand is None else state.hand.live
    for seat, stack in enumerate(state.stacks):
        if stack:
            playing |= 1 << seat
    return playing


def _dealer(state: State, playing: Seats) -> str | None:
    """The player who deals the next hand as things now stand."""
    if state.over:
        return None
    if state.hand is not None:
        after = state.table.round_from(state.table.after(state.hand.dealer))
        return state.table.names[next(seat for seat in after if playing >> seat & 1)]
    return state.table.names[joining.next_dealer(state, joining.expected_in(state))]


def carried(state: State) -> CarriedOver:
    """What earlier hands left, and what it costs to join."""
    carried, names = state.carried, state.table.names
    join: dict[str, int] = {}
    if state.hand is None and carried.said:
        for seat, name in enumerate(names):
            if not carried.said >> seat & 1 and (state.stacks[seat] or state.table.mode == "cash"):
                join[name] = joining.price(state, seat)
    return CarriedOver(carried.pot, carried.level, carried.parola, state.table.named(carried.said), join)


def _on_table(state: State, hand: Hand) -> OnTable:
    turn = state.table.names[hand.todo[0]] if hand.todo else None
    return OnTable(hand.phase, turn, hand.high, hand.pot)


def ruling(state: State, n: int) -> HandRulings | None:
    """What hand number ``n`` (from 1) came to, or comes to so far; None where no such hand has been begun."""
    if 1 <= n <= len(state.hands):
        return state.hands[n - 1]
    return rulings(state, state.hand) if state.hand is not None and n == state.hand.n else None
