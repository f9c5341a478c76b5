"""The one place through which organisers change a game. A command is made on a version of the game; it is checked and recorded,
or refused."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from msgspec import structs

from companion.editing.commands import Change, Command, Insert, Outcome, StaleVersion
from companion.editing.edit import edited, mended
from companion.editing.naming import as_called
from companion.editing.rebase import leaves_out_news, rebased
from companion.games import Game, game_of_log, house_game
from companion.ledger import Ledger
from companion.line.recorder import MAX_READ_WAIT_SECONDS, PEOPLE, REMATCH, EveningRecorder, evening_of, taken_on
from companion.referee import Evening
from companion.referee.following import Edit
from companion.referee.record import said_with, signed
from companion.table.errors import Illegal, NotKept
from companion.table.log import Event, Line

MAX_PAST_EVENINGS = 40
"""Number of evenings before a change that are kept in memory, so that an undo need not decode the whole evening again."""

FindRecorder = Callable[[], EveningRecorder | None]
"""Gives the recorder of the evening that the camera follows; None where none is followed. Called from any thread."""


class NoGame(LookupError):
    """There is no game yet."""


Agree = Callable[[Edit], None]
"""Raises where a command would do something else than what was agreed on."""


@dataclass(frozen=True, slots=True)
class CurrentEvening:
    """The shown game as it is now. ``version``: of its log in the ledger; ``rematch``: an organiser's tap has begun it after
    another game, as a rematch or with other people."""

    game_id: int
    version: int
    evening: Evening
    rematch: bool = False

    @property
    def game(self) -> Game:
        """The game that is played."""
        return house_game(self.evening.game)


class EveningEditor:
    """Edits the shown game of a ledger for any number of phones. Every method may be called from any thread."""

    def __init__(self, ledger: Ledger, game_id: Callable[[], int | None], find: FindRecorder | None = None) -> None:
        """``game_id``: gives the id of the shown game. ``find``: gives the recorder of the game that a camera follows, None for
        none."""
        self._ledger, self._game_id, self._find = ledger, game_id, find
        self._lock = threading.RLock()
        self._own: _Opened | None = None
        self._stood: CurrentEvening | None = None
        self._past: OrderedDict[tuple[int, int], Evening] = OrderedDict()

    def stands(self) -> CurrentEvening:
        """The shown game as it is now or, while a change takes longer than `MAX_READ_WAIT_SECONDS`, as it was before that change:
        a reader need not wait for a slow disk.

        Raises:
            NoGame. NotKept: it cannot be gone on with. LedgerError.
        """
        if not self._lock.acquire(timeout=MAX_READ_WAIT_SECONDS):
            stood = self._stood
            if stood is not None and stood.game_id == self._shown():
                return stood
            self._lock.acquire()
        try:
            self._stood = self._stands()
            return self._stood
        finally:
            self._lock.release()

    def _stands(self) -> CurrentEvening:
        game_id = self._shown()
        followed = self._followed(game_id)
        if followed is not None:
            version, evening = followed.stands()
        else:
            evening = self._opened(game_id).evening
            version = self._ledger.version(game_id)
        return CurrentEvening(game_id, version, evening, not {REMATCH, PEOPLE}.isdisjoint(self._ledger.notes(game_id)))

    def recorded(self) -> tuple[CurrentEvening, tuple[float | None, ...]]:
        """As `stands`, with the time at which each entry of the record was recorded (Unix seconds; None: not known)."""
        with self._lock:
            current = self.stands()
            return current, tuple(report.recorded for report in self._ledger.reported(current.game_id))

    def game(self) -> Game:
        """The game that is played in the shown one. Raises NoGame, LedgerError."""
        return game_of_log(self._ledger.lines(self._shown()))

    def mark(self) -> tuple[int | None, int, int]:
        """A value that differs once there is something new to show on phones. Cheap."""
        game_id = self._game_id()
        if game_id is None:
            return None, 0, 0
        kept = self._followed(game_id) or self._own
        evening = kept.evening if kept is not None and kept.game_id == game_id else None  # None: nobody has looked at it yet
        return game_id, self._ledger.version(game_id), evening.record.said if evening is not None else -1

    def do(
        self, game_id: int, version: int, command: Command, *, by: str = "", tap: str = "", agree: Agree | None = None
    ) -> bool:
        """Do a command, rebased on what has happened since ``version`` of the log, and record it: it is on the disk when this
        returns.

        ``by``: the name of the phone; ``tap``: the token of the tap, "" for none: a command with a token that was used is not
        done again. ``agree``: called with the edit before it is done, may raise to refuse it. Returns False where nothing was to
        be done.

        Raises:
            StaleVersion: the command would now mean something else. What `edited` and ``agree`` raise. Nothing has changed then.
        """
        with self._lock:
            recorder = self._recorder(self._shown())
            done = False

            def how(evening: Evening) -> Evening:
                nonlocal done
                done = False
                if tap and said_with(evening.record, tap):
                    return evening
                found = self._found(recorder.game_id, evening, game_id, version, command)
                if agree is not None:
                    agree(found)
                if found.already:
                    return evening
                done = True
                self._keep(recorder.game_id, evening)
                return replace(found.after, record=signed(found.after.record, len(evening.record.entries), by, tap))

            recorder.change(how)
            self._stood = self._stands()
            return done

    def looked_at(self, game_id: int) -> Evening:
        """The evening of the shown game. Raises what `stands` raises; StaleVersion where that is not ``game_id``."""
        with self._lock:
            shown = self._shown()
            if game_id != shown:
                raise StaleVersion("another game is on")
            return self._evening(shown)

    def would(self, game_id: int, version: int, command: Command) -> Edit:
        """The edit that this command would make, without making it. Raises what `do` raises."""
        with self._lock:
            shown = self._shown()
            return self._found(shown, self._evening(shown), game_id, version, command)

    def instead(self, game_id: int, version: int, change: Change) -> tuple[Change, Edit] | None:
        """The change with ``mend``, which leaves out later lines that could not follow it, and the edit that it would make; None
        where leaving them out does not help."""
        with self._lock:
            shown = self._shown()
            evening = self._evening(shown)
            found = self._rebased(shown, evening, game_id, version, change)
            less = mended(evening, found) if isinstance(found, Change) else None
            return (structs.replace(change, mend=True), less) if less is not None else None

    def place(self, game_id: int, version: int, where: Change) -> tuple[Evening, Change]:
        """The evening of the shown game, and ``where``, a deletion, rebased on it: the places at which its lines are now.

        Raises:
            KeyError: there is no such hand. StaleVersion: the lines are no more.
        """
        with self._lock:
            shown = self._shown()
            evening = self._evening(shown)
            now = self._rebased(shown, evening, game_id, version, where)
            if not isinstance(now, Change) or now.stop > len(evening.chapter(now.hand).lines) or now.start > now.stop:
                raise StaleVersion("the lines are gone")
            return evening, now

    def _found(self, shown: int, evening: Evening, game_id: int, version: int, command: Command) -> Edit:
        now = self._rebased(shown, evening, game_id, version, command)
        if now is None:
            return Edit(evening, evening)
        try:
            found = edited(evening, now, self._past_of(shown))
        except Illegal as error:
            if isinstance(command, Outcome | Insert) and self._has_moved(shown, evening, version):
                raise StaleVersion("what has happened since does not allow it") from error
            raise
        if isinstance(command, Outcome) and leaves_out_news(found, events_of(self._ledger.lines(shown, version))):
            raise StaleVersion("it leaves out what has been told since")
        return found

    def _rebased(self, shown: int, evening: Evening, game_id: int, version: int, command: Command) -> Command | None:
        """The command, rebased on ``evening``; None where what it says is the case already. Changes of times and confidences
        alone since ``version`` are passed over."""
        if game_id != shown or not 0 <= version <= self._ledger.version(game_id):
            raise StaleVersion("another game is on")
        moved = self._has_moved(game_id, evening, version)
        then = events_of(self._ledger.lines(game_id, version)) if moved else None
        return rebased(as_called(command, evening), then, evening)

    def _has_moved(self, game_id: int, evening: Evening, version: int) -> bool:
        """Whether the log's events are others than at this version of it."""
        lines, log = self._ledger.lines(game_id, version), evening.log
        return lines is not log and lines != log and events_of(lines) != events_of(log)

    def _shown(self) -> int:
        game_id = self._game_id()
        if game_id is None:
            raise NoGame("no game yet")
        return game_id

    def _followed(self, game_id: int) -> EveningRecorder | None:
        recorder = self._find() if self._find is not None else None
        return recorder if recorder is not None and recorder.game_id == game_id else None

    def _evening(self, game_id: int) -> Evening:
        followed = self._followed(game_id)
        return followed.evening if followed is not None else self._opened(game_id).evening

    def _opened(self, game_id: int) -> _Opened:
        """A game that no camera of this program follows, read from the ledger again where another program has recorded something
        since."""
        lines = self._ledger.lines(game_id)
        if self._own is None or self._own.game_id != game_id or self._own.lines != lines:
            self._own = _open(self._ledger, game_id, lines)
            self._past.clear()
        return self._own

    def _recorder(self, game_id: int) -> EveningRecorder:
        """The recorder that takes the game's changes. Where the ledger has only a game's log, the record is made here, before the
        first change."""
        followed = self._followed(game_id)
        if followed is not None:
            return followed
        opened = self._opened(game_id)
        if opened.recorder is None:
            opened.recorder = taken_on(self._ledger, game_id, opened.alone)
        return opened.recorder

    def _keep(self, game_id: int, evening: Evening) -> None:
        self._past[game_id, len(evening.record.entries)] = evening
        while len(self._past) > MAX_PAST_EVENINGS:
            self._past.popitem(last=False)

    def _past_of(self, game_id: int) -> dict[int, Evening]:
        return {entries: evening for (game, entries), evening in self._past.items() if game == game_id}


@dataclass(slots=True)
class _Opened:
    """A game that was read from the ledger. ``alone``, ``alone_lines``: the game as its log alone tells it, and that log;
    ``recorder``: None until the first change where the ledger has no record besides the log."""

    game_id: int
    alone: Evening
    alone_lines: tuple[Line, ...]
    recorder: EveningRecorder | None = None

    @property
    def evening(self) -> Evening:
        return self.recorder.evening if self.recorder is not None else self.alone

    @property
    def lines(self) -> tuple[Line, ...]:
        return self.recorder.evening.log if self.recorder is not None else self.alone_lines


def _open(ledger: Ledger, game_id: int, lines: tuple[Line, ...]) -> _Opened:
    """Read a game from the ledger: from its record or, where it has none, from its log. Raises NotKept where the two do not
    agree."""
    if ledger.reports(game_id):
        recorder = EveningRecorder.resume(ledger, game_id)
        if recorder.evening.log == lines:
            return _Opened(game_id, recorder.evening, lines, recorder)
        raise NotKept(f"game {game_id}: its log is not what its record tells; another program has written it")
    return _Opened(game_id, evening_of(lines), lines)


def events_of(lines: Sequence[Line]) -> tuple[Event, ...]:
    """The events of these lines, without their times and confidences."""
    return tuple(line.event for line in lines)
