"""Keeps an evening: in memory as best known, in the ledger as its table log and all that was reported about it.

The camera's thread and any number of phones report to the same scribe, one at a time; what is in the ledger is enough to go on
from after a stop, a crash or a power cut.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterable

from companion.eyes.sighting import Sighting
from companion.games import game_of
from companion.ledger import Ledger
from companion.referee import Evening, replay, reported
from companion.referee.record import Entry, Record, Saw, UnreadableRecord, decode_entry, encode_entry
from companion.table.errors import Illegal, NotKept
from companion.table.game import State, Waiting
from companion.table.log import Event, tag

_log = logging.getLogger(__name__)

EveningChange = Callable[[Evening], Evening]
"""What somebody does to an evening: an answer, a correction; from `companion.referee`. What it raises is raised."""


class Scribe:
    """One evening of a ledger. Every method may be called from any thread."""

    def __init__(self, ledger: Ledger, game_id: int, evening: Evening) -> None:
        self.ledger, self.game_id = ledger, game_id
        self._lock = threading.RLock()
        self._evening = evening

    @classmethod
    def begin(cls, ledger: Ledger, first: Event, source: str = "", **notes: str) -> Scribe:
        """A new evening, recorded before its first hand. ``first``: the log's first line.

        ``source``: where it is seen; ``notes`` are kept with it.

        Raises:
            Illegal: such a game cannot be. LedgerError: nothing was begun.
        """
        evening = Evening.of(game_of(first), first)
        game_id = ledger.new_game(source=source)
        ledger.note(game_id, **notes)
        ledger.record(game_id, evening.log)
        return cls(ledger, game_id, evening)

    @classmethod
    def resume(cls, ledger: Ledger, game_id: int) -> Scribe:
        """The evening as it stood, thought through again from all that was reported.

        Raises:
            NotKept: the game's log was not made of reports, or they cannot be read. UnknownGame, LedgerError.
        """
        lines = ledger.lines(game_id)
        reports = ledger.reports(game_id)
        if not lines or tag(lines[0].event) != "game":
            raise NotKept(f"game {game_id} has no game line: begin a new evening")
        try:
            game = game_of(lines[0].event)
            entries = tuple(decode_entry(text, game) for text in reports)
            evening = replay(game, Record(lines[0].event, entries))
        except (UnreadableRecord, ValueError, KeyError) as error:
            raise NotKept(f"game {game_id}: what was reported of it cannot be read ({error}); it can still be shown") from error
        if len(lines) > 1 and not reports:
            raise NotKept(f"game {game_id} is a table log alone: it can be shown and replayed, and not gone on with")
        return cls(ledger, game_id, evening)

    @property
    def evening(self) -> Evening:
        """The evening as best known now: a frozen value."""
        return self._evening

    @property
    def state(self) -> State:
        """The engine's state as best known now, mid-hand included."""
        return self._evening.current.after

    @property
    def waiting(self) -> Waiting:
        """What the table waits for."""
        return self._evening.game.rules.waiting(self.state)

    def report(self, *entries: Entry, **notes: str) -> Evening:
        """The evening after these entries; they are on the disk, with the ``notes``, when this returns.

        Raises:
            Unfitting, KeyError: as `companion.referee.reported`; then nothing has changed. LedgerError: as `Ledger.record`.
        """

        def with_entries(evening: Evening) -> Evening:
            for entry in entries:
                evening = reported(evening, entry)
            return evening

        return self.change(with_entries, **notes)

    def saw(self, sightings: Iterable[Sighting], **notes: str) -> Evening:
        """The evening after these sightings; one that cannot go with what people have said is left out.

        Raises:
            LedgerError: as `report`.
        """
        entries = [Saw(sighting) for sighting in sightings]
        try:
            return self.report(*entries, **notes)
        except Illegal:
            for entry in entries:
                try:
                    self.report(entry, **notes)
                except Illegal as error:
                    _log.warning("a sighting is left out, people know better: %s", error)
            return self.evening

    def change(self, how: EveningChange, **notes: str) -> Evening:
        """The evening after ``how``, which may only add to its record; on the disk, with the ``notes``, when this returns.

        Raises:
            Whatever ``how`` raises, and LedgerError; then nothing has changed.
        """
        with self._lock:
            before = len(self._evening.record.entries)
            evening = how(self._evening)
            added = [encode_entry(entry, evening.game).decode() for entry in evening.record.entries[before:]]
            if added:
                self.ledger.record(self.game_id, evening.log, reports=added, notes=notes)
                self._evening = evening
            return self._evening
