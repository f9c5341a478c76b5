"""Games that went on as another one, as somebody came or went between two hands: which they are, and what was won and lost in
them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.games import game_of_log
from companion.ledger import Ledger, UnknownGame
from companion.ledger.entries import DELETED
from companion.ledger.statements import noted
from companion.line.recorder import PEOPLE
from companion.pages.moments import follow, hands_that_count, unsure_hands
from companion.pages.settling import Before
from companion.table.errors import GameError, LedgerError
from companion.table.log import Line
from companion.table.sure import SURE_FROM

Stands = tuple[tuple[int, int], ...]
"""Games, the latest first: the id and the version of the log, −1 for one that was deleted or erased."""


def stands_before(ledger: Ledger, game: int) -> Stands:
    """The games that went on as this one, the latest first, as they stand now; empty where it goes on from none. Raises
    UnknownGame where there is no such game, and LedgerError."""
    found: list[tuple[int, int]] = []
    seen, before = {game}, ledger.notes(game).get(PEOPLE)
    while before is not None and (number := int(before)) not in seen:
        seen.add(number)
        try:
            notes = ledger.notes(number)
            found.append((number, -1 if DELETED in notes else ledger.version(number)))
        except UnknownGame:  # it was erased
            found.append((number, -1))
            break
        before = notes.get(PEOPLE)
    return tuple(found)


def games_before(ledger: Ledger, stands: Stands, sure_from: float = SURE_FROM) -> tuple[Before, ...]:
    """What was won and lost in these games. Raises LedgerError."""
    return tuple(_before(ledger, game, sure_from) if version >= 0 else Before((), None) for game, version in stands)


def _before(ledger: Ledger, game: int, sure_from: float) -> Before:
    try:
        return before_of(ledger.glance(game)[1], sure_from)
    except LedgerError:  # it is damaged
        return Before((), None)


def before_of(lines: Sequence[Line], sure_from: float = SURE_FROM) -> Before:
    """What was won and lost in the game of this log."""
    names = tuple(lines[0].event.players) if lines else ()
    played = game_of_log(lines)
    try:
        last = list(follow(played.rules, played.pages, lines))[-1]
    except (GameError, IndexError):
        return Before(names, None)
    won = None if played.rules.in_hand(last.seen) else played.pages.won_before(last.seen)
    points, hands = played.pages.score(last.seen, "en").points, hands_that_count(played.rules, lines, last.seen)
    return Before(names, won, points, hands, len(unsure_hands(last, sure_from)))


def went_on_as(ledger: Ledger) -> dict[int, int]:
    """Game → the one that it went on as, of those that have not been deleted. Raises LedgerError."""
    return {int(before): game for game, before in ledger.noted(PEOPLE).items()}


def part_of(went_on: Mapping[int, int], game: int) -> int | None:
    """The last of the games that went on as one another, this ``game`` among them; None where it went on as none, and none went
    on as it. ``went_on``: as `went_on_as` gives it."""
    seen, last = {game}, game
    while (later := went_on.get(last)) is not None and later not in seen:
        seen.add(last := later)
    return last if last != game or game in went_on.values() else None


def parts(ledger: Ledger, game: int) -> tuple[int, ...]:
    """This game and all that it went on as, or that went on as it, deleted ones among them, in order of their ids. Raises
    LedgerError."""
    before = {number: int(text) for number, text in noted(ledger, PEOPLE).items()}
    found, many = {game}, 0
    while len(found) > many:
        many = len(found)
        found |= {before[number] for number in found & before.keys()} | {number for number, of in before.items() if of in found}
    return tuple(sorted(found))
