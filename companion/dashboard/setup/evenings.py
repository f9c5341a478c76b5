"""Evenings of the ledger, as setting up needs them to go on with one, or to begin another like it."""

from __future__ import annotations

from dataclasses import dataclass

from flask import abort

from companion.dashboard.days import game_text
from companion.dashboard.locale import chosen
from companion.games import Game, game_of
from companion.ledger import Ledger, UnknownGame
from companion.line.chains import last_part
from companion.line.recorder import evening_of, taken_on
from companion.pages.doubts import is_end_sure
from companion.pages.moments import hands_that_count
from companion.pages.setup import Wrong
from companion.table.errors import GameError
from companion.table.game import Over, State
from companion.table.language import N_
from companion.table.log import Event, tag
from companion.table.play import replay
from companion.table.sure import SURE_FROM


@dataclass(frozen=True, slots=True)
class PastEvening:
    """An evening as it was left. ``first``: its game line; ``state``: its last one; ``table``: its TABLE.json, "" for one by
    thumb; ``camera``: the source that followed it, "" for none; ``deck``: the taught deck that it was played with, "" for the
    shipped one; ``began``: as in `game_text`; ``hands``: how many count; ``sure``: so is the ruling of the last."""

    id: int
    game: Game
    first: Event
    state: State
    table: str
    camera: str
    began: str
    deck: str = ""
    hands: int = 0
    sure: bool = True

    @property
    def over(self) -> bool:
        """Whether its game is over."""
        return isinstance(self.game.rules.waiting(self.state), Over)

    @property
    def names(self) -> tuple[str, ...]:
        """The players, in the direction of play."""
        return self.game.rules.names(self.state)


def past_evening(ledger: Ledger, game_id: int) -> PastEvening | None:
    """This game of the ledger; None where it has no players, was deleted, or cannot have happened. Raises UnknownGame,
    LedgerError."""
    lines = ledger.lines(game_id)
    if not lines or tag(lines[0].event) != "game":
        return None
    game, notes = game_of(lines[0].event), ledger.notes(game_id)
    try:
        state = replay(game.rules.begin, game.rules.apply, enumerate(lines, start=1))
    except GameError:
        return None
    started = next((entry.started for entry in ledger.games() if entry.id == game_id), None)
    if started is None:
        return None  # deleted
    began = game_text(started, chosen())
    table, camera, deck = (notes.get(name, "") for name in ("table", "camera", "deck"))
    hands, sure = hands_that_count(game.rules, lines, state), is_end_sure(game.rules, game.pages, lines, SURE_FROM)
    return PastEvening(game_id, game, lines[0].event, state, table, camera, began, deck, hands, sure)


def evening_from(ledger: Ledger, number: str) -> PastEvening:
    """The evening with the id that a page sent; aborts with 404 where there is none."""
    try:
        found = past_evening(ledger, int(number)) if number.isdecimal() and len(number) < 10 else None
    except UnknownGame:
        found = None
    return found if found is not None else abort(404, "no such evening")


def check_last(ledger: Ledger, game_id: int) -> None:
    """A part of a game that went on with other people is not played on, nor does it go on once more: what was won and lost in it
    would count twice. Raises Wrong, which names the part to go on with, and LedgerError."""
    number = last_part(ledger, game_id)
    last = past_evening(ledger, number) if number is not None else None
    if last is None:
        return
    if last.over:
        over = N_("This part of the game went on with other people, and its last part, of {when}, is over.")
        raise Wrong(over, when=last.began)
    raise Wrong(N_("This part of the game went on with other people: go on with its last part, of {when}."), when=last.began)


def last_evening(ledger: Ledger) -> PastEvening | None:
    """The newest evening; None before the first. Raises LedgerError."""
    newest = ledger.newest()
    return past_evening(ledger, newest) if newest is not None else None


def keep_record(ledger: Ledger, game_id: int) -> None:
    """Make the record of an evening that has only a table log, each line as if it had been said by hand, so that it can go on.

    Raises:
        NotKept, GameError: no record can be made of the log. LedgerError.
    """
    lines = ledger.lines(game_id)
    if len(lines) > 1 and not ledger.reports(game_id):
        taken_on(ledger, game_id, evening_of(lines))
