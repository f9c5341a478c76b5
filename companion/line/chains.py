"""Games that went on as another one, as somebody came or went between two hands: which they are, and what was won and lost in
them."""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable, Mapping, Sequence

from companion.games import game_of_log
from companion.ledger import Ledger, UnknownGame
from companion.ledger.entries import DELETED
from companion.ledger.statements import noted
from companion.line.recorder import PEOPLE
from companion.pages.moments import follow, hands_that_count, unsure_hands
from companion.pages.settling import Before
from companion.table.errors import GameError, LedgerError
from companion.table.game import Over
from companion.table.log import Line, tag
from companion.table.sure import SURE_FROM

Stands = tuple[tuple[int, int], ...]
"""Games, the latest first: the id and the version of the log, −1 for one that was deleted or erased, `ELSEWHERE`."""
ELSEWHERE = -2
"""In place of a game's version: it has gone on as yet another game since, and counts there, not where it stands."""


def stands_before(ledger: Ledger, game: int) -> Stands:
    """The games that went on as this one, the latest first, as they stand now; empty where it goes on from none. They end with
    one that counts elsewhere: an older program let a part go on twice. Raises UnknownGame where there is no such game, and
    LedgerError."""
    found: list[tuple[int, int]] = []
    seen, later, before = {game}, game, ledger.notes(game).get(PEOPLE)
    went_on = went_on_as(ledger) if before is not None else {}
    while before is not None and (number := int(before)) not in seen:
        seen.add(number)
        if went_on.get(number, later) > later:
            found.append((number, ELSEWHERE))
            break
        later = number
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
    found = list[Before]()
    for game, version in stands:
        known = version >= 0
        found.append(_before(ledger, game, sure_from) if known else Before((), None, elsewhere=version == ELSEWHERE))
        if found[-1].elsewhere:
            break
    return tuple(found)


def _before(ledger: Ledger, game: int, sure_from: float) -> Before:
    try:
        return before_of(ledger.glance(game)[1], sure_from)
    except LedgerError:  # it is damaged
        return Before((), None)


def before_of(lines: Sequence[Line], sure_from: float = SURE_FROM) -> Before:
    """What was won and lost in the game of this log. One that is over counts by itself: an older program let it be played out
    after it had gone on."""
    names = tuple(lines[0].event.players) if lines else ()
    played = game_of_log(lines)
    try:
        last = list(follow(played.rules, played.pages, lines))[-1]
    except (GameError, IndexError):
        return Before(names, None)
    if isinstance(played.rules.waiting(last.seen), Over):
        return Before(names, None, elsewhere=True)
    won = None if played.rules.in_hand(last.seen) else played.pages.won_before(last.seen)
    points, hands = played.pages.score(last.seen, "en").points, hands_that_count(played.rules, lines, last.seen)
    return Before(names, won, points, hands, len(unsure_hands(last, sure_from)))


def goes_on_from(ledger: Ledger) -> dict[int, int]:
    """Game → the one that it goes on from, of those that have not been deleted, in order of their ids. Raises LedgerError."""
    return {game: int(before) for game, before in ledger.noted(PEOPLE).items()}


def went_on_as(ledger: Ledger) -> dict[int, int]:
    """Game → the one that it went on as, the newest of several, of those that have not been deleted. Raises LedgerError."""
    return {before: game for game, before in goes_on_from(ledger).items()}


def counts_elsewhere(goes_on_from: Mapping[int, int], over: Container[int], game: int) -> bool:
    """Whether this game goes on, directly or not, from one that went on as a newer one, too, or was played out: ``over``. Both
    hold what was put in before. ``goes_on_from``: in order."""
    went_on, seen = {before: later for later, before in goes_on_from.items()}, {game}
    while (before := goes_on_from.get(game)) is not None and before not in seen:
        if went_on[before] != game or before in over:
            return True
        seen.add(game := before)
    return False


def part_of(went_on: Mapping[int, int], game: int) -> int | None:
    """The last of the games that went on as one another, this ``game`` among them; None where it went on as none, and none went
    on as it. ``went_on``: as `went_on_as` gives it."""
    seen, last = {game}, game
    while (later := went_on.get(last)) is not None and later not in seen:
        seen.add(last := later)
    return last if last != game or game in went_on.values() else None


def last_part(ledger: Ledger, game: int) -> int | None:
    """The last of the games that this one went on as, which is the one to play on; None where it went on as none that has not
    been deleted. A deleted part between two others does not end the game. Raises LedgerError."""
    return last_parts(ledger, (game,)).get(game)


def last_parts(ledger: Ledger, games: Iterable[int]) -> dict[int, int]:
    """Game → its `last_part`, of those of these games that have one. Raises LedgerError."""
    befores, kept = _befores(ledger), frozenset(ledger.noted(PEOPLE))
    found = ((game, _last(befores, kept, game)) for game in games)
    return {game: last for game, last in found if last is not None}


def _befores(ledger: Ledger) -> dict[int, int]:
    return {game: int(before) for game, before in noted(ledger, PEOPLE).items()}


def _last(befores: Mapping[int, int], kept: Collection[int], game: int, but: int | None = None) -> int | None:
    """As `last_part`, but without what went on by way of the game ``but``."""
    for later in sorted((one for one, before in befores.items() if before == game < one != but), reverse=True):
        if (found := _last(befores, kept, later)) is not None:
            return found
        if later in kept:
            return later
    return None


def played_otherwise(ledger: Ledger, game: int) -> int | None:
    """A game that went on as this one, directly or by way of others, and has been played on since, or has gone on as yet another
    one: this one and that hold the same money. None where there is none. Raises LedgerError."""
    befores, kept, later = _befores(ledger), frozenset(ledger.noted(PEOPLE)), game
    for before, version in stands_before(ledger, game):
        if _last(befores, kept, before, but=later) is not None or (version > 0 and _lines_since(ledger, before, later)):
            return before
        later = before
    return None


def _lines_since(ledger: Ledger, before: int, later: int) -> bool:
    """Whether the log of the game ``before`` has other lines than when the ``later`` one began, beside other names."""
    with ledger.reading() as connection:
        row = connection.execute(
            "SELECT max(number) FROM version WHERE game = ?"
            " AND recorded <= (SELECT min(recorded) FROM version WHERE game = ?)", (before, later),
        ).fetchone()  # fmt: skip
    return _telling(ledger.lines(before)) != _telling(ledger.lines(before, int(row[0] or 0)))


def _telling(lines: Sequence[Line]) -> int:
    """How many lines tell something: an `end` may be written down once the game is taken up again."""
    return sum(tag(line.event) != "end" for line in lines)


def parts(ledger: Ledger, game: int) -> tuple[int, ...]:
    """This game and all that it went on as, or that went on as it, deleted ones among them, in order of their ids. Raises
    LedgerError."""
    before = _befores(ledger)
    found, many = {game}, 0
    while len(found) > many:
        many = len(found)
        found |= {before[number] for number in found & before.keys()} | {number for number, of in before.items() if of in found}
    return tuple(sorted(found))
