"""The one place through which organisers change a game: a command, made on a version, is checked and recorded, or refused."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from companion.dashboard.organiser.commands import Command, obey
from companion.games import game_of
from companion.games.stu.rules import State, apply, begin
from companion.games.stu.rules.log import End, Event, Game, Void
from companion.ledger import Ledger
from companion.line.scribe import Scribe
from companion.referee import Evening
from companion.referee.evening import reported
from companion.referee.record import Fixed, Said, Saw
from companion.table.errors import NotKept
from companion.table.log import Line

KEPT = 40
"""So many evenings before a change are kept in memory, so that an undo need not think the whole evening through again."""

FindScribe = Callable[[], Scribe | None]
"""Who keeps the evening that the camera follows; None where none is followed. Called from any thread."""


class NoGame(LookupError):
    """There is no game yet."""


class StaleVersion(ValueError):
    """Something has happened since the version that this change was made on: it is to be looked at again."""


@dataclass(frozen=True, slots=True)
class Standing:
    """A game as it stands: ``version`` of its log in the ledger; ``said``: how many things were said by hand so far."""

    game_id: int
    version: int
    said: int
    evening: Evening


class Desk:
    """The games of a ledger, for any number of phones. Every method may be called from any thread."""

    def __init__(self, ledger: Ledger, game: Callable[[], int | None], find: FindScribe | None = None) -> None:
        """``game``: the id of the shown game. ``find``: who keeps it, where a camera follows it."""
        self._ledger, self._game, self._find = ledger, game, find
        self._lock = threading.RLock()
        self._own: _Opened | None = None
        self._past: OrderedDict[tuple[int, int], Evening] = OrderedDict()

    def stands(self) -> Standing:
        """The shown game as it stands now.

        Raises:
            NoGame. NotKept: it cannot be gone on with. LedgerError.
        """
        with self._lock:
            game_id = self._shown()
            followed = self._followed(game_id)
            if followed is None:
                return self._standing(game_id, self._opened(game_id).evening)
            version, evening = followed.stands()
            return Standing(game_id, version, _said(evening), evening)

    def mark(self) -> tuple[int | None, int, int]:
        """Something that is another as soon as a phone should be shown something new. Cheap."""
        game_id = self._game()
        if game_id is None:
            return None, 0, 0
        kept = self._followed(game_id) or self._own
        evening = kept.evening if kept is not None and kept.game_id == game_id else None  # None: nobody has looked at it yet
        return game_id, self._ledger.version(game_id), _said(evening) if evening is not None else -1

    def wait(self, happened: Callable[[], bool], seconds: float) -> bool:
        """Wait until something has happened, at most so long. Raises LedgerError when the ledger is closed."""
        return self._ledger.wait_until(happened, seconds)

    def do(self, game_id: int, version: int, command: Command) -> Standing:
        """Do it, and record it: on the disk when this returns.

        Raises:
            StaleVersion: what happened is another than at ``version`` of the log. What `obey` raises. Nothing has changed then.
        """
        with self._lock:
            scribe = self._scribe(self._shown())

            def how(evening: Evening) -> Evening:
                self._check_version(scribe.game_id, evening, game_id, version)
                after = obey(evening, command, self._past_of(scribe.game_id))
                self._keep(scribe.game_id, evening)
                return after

            return self._standing(scribe.game_id, scribe.change(how))

    def looked_at(self, game_id: int, version: int) -> Evening:
        """The evening as this version of the log tells it. Raises what `stands` raises. StaleVersion: it has changed since."""
        with self._lock:
            shown = self._shown()
            evening = self._evening(shown)
            self._check_version(shown, evening, game_id, version)
            return evening

    def would(self, game_id: int, version: int, command: Command) -> tuple[Evening, Evening]:
        """The evening before and after this command, which is not done. Raises what `do` raises."""
        with self._lock:
            evening = self.looked_at(game_id, version)
            return evening, obey(evening, command, self._past_of(game_id))

    def _check_version(self, shown: int, evening: Evening, game_id: int, version: int) -> None:
        """What the phone showed is what stands: the same events; times and confidences may have changed."""
        if game_id != shown or not 0 <= version <= self._ledger.version(game_id):
            raise StaleVersion("another game is on")
        if events_of(self._ledger.lines(game_id, version)) != events_of(evening.log):
            raise StaleVersion("the game has changed since")

    def _standing(self, game_id: int, evening: Evening) -> Standing:
        return Standing(game_id, self._ledger.version(game_id), _said(evening), evening)

    def _shown(self) -> int:
        game_id = self._game()
        if game_id is None:
            raise NoGame("no game yet")
        return game_id

    def _followed(self, game_id: int) -> Scribe | None:
        scribe = self._find() if self._find is not None else None
        return scribe if scribe is not None and scribe.game_id == game_id else None

    def _evening(self, game_id: int) -> Evening:
        followed = self._followed(game_id)
        return followed.evening if followed is not None else self._opened(game_id).evening

    def _opened(self, game_id: int) -> _Opened:
        """A game that no camera follows here, as the ledger has it now: another program may have recorded something since."""
        lines = self._ledger.lines(game_id)
        if self._own is None or self._own.game_id != game_id or self._own.lines != lines:
            self._own = _open(self._ledger, game_id, lines)
            self._past.clear()
        return self._own

    def _scribe(self, game_id: int) -> Scribe:
        """Who keeps the game from now on. A log that was recorded alone gets its record with the first change."""
        followed = self._followed(game_id)
        if followed is not None:
            return followed
        opened = self._opened(game_id)
        if opened.scribe is None:
            scribe = Scribe(self._ledger, game_id, Evening.of(opened.alone.game, opened.alone.record.game))
            scribe.report(*opened.alone.record.entries)
            opened.scribe = scribe
        return opened.scribe

    def _keep(self, game_id: int, evening: Evening) -> None:
        self._past[game_id, len(evening.record.entries)] = evening
        while len(self._past) > KEPT:
            self._past.popitem(last=False)

    def _past_of(self, game_id: int) -> dict[int, Evening]:
        return {entries: evening for (game, entries), evening in self._past.items() if game == game_id}


def _said(evening: Evening) -> int:
    return sum(not isinstance(entry, Saw) for entry in evening.record.entries)


@dataclass(slots=True)
class _Opened:
    """A game kept here. ``scribe`` is None until the first change where the ledger has a log and no record of it."""

    game_id: int
    alone: Evening
    alone_lines: tuple[Line, ...]
    scribe: Scribe | None = None

    @property
    def evening(self) -> Evening:
        return self.scribe.evening if self.scribe is not None else self.alone

    @property
    def lines(self) -> tuple[Line, ...]:
        return self.scribe.evening.log if self.scribe is not None else self.alone_lines


def _open(ledger: Ledger, game_id: int, lines: tuple[Line, ...]) -> _Opened:
    """The game as its record tells it or, where the log stands alone or says something else, as the log does."""
    if ledger.reports(game_id):
        scribe = Scribe.resume(ledger, game_id)
        if scribe.evening.log == lines:
            return _Opened(game_id, scribe.evening, lines, scribe)
        raise NotKept(f"game {game_id}: its log is not what its record tells; another program has written it")
    return _Opened(game_id, evening_of(lines), lines)


def evening_of(lines: Sequence[Line]) -> Evening:
    """The evening that a table log tells, every line of it as if it had been said by hand.

    Raises:
        NotKept: it has no game line. GameError: it cannot have happened.
    """
    if not lines or not isinstance(lines[0].event, Game):
        raise NotKept("the game has no game line: begin a new evening")
    evening = Evening.of(game_of(lines[0].event), lines[0].event)
    state = begin(lines[0].event)
    told: list[Said] = []
    for line in lines[1:]:
        if isinstance(line.event, End) and state.hand is None:
            continue  # after a final won outright: said already
        before, state = state, apply(state, line.event)
        told.append(Said(line.event, line.t, by_hand=True))
        if before.hand is not None and state.hand is None:
            if not isinstance(line.event, End | Void):
                told.append(Said(End(), line.t, by_hand=True))
                state = apply(state, End())
            evening, told = _told(evening, told), []
    return _told(evening, told) if told else evening


def _told(evening: Evening, told: Sequence[Said]) -> Evening:
    return reported(evening, Fixed(evening.current.id, tuple(told), opening=len(told)))


def events_of(lines: Sequence[Line]) -> tuple[Event, ...]:
    """What happened, without when and how surely."""
    return tuple(line.event for line in lines)


def before_line(evening: Evening, hand: int, index: int) -> State:
    """The engine's state before this line of a hand. Raises KeyError where there is no such hand."""
    chapter = evening.chapter(hand)
    state: State = chapter.before
    for line in chapter.lines[:index]:
        state = apply(state, line.event)
    return state
