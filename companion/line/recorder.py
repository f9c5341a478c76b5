"""Keeps an evening: in memory as best known, in the ledger as its table log and all that was reported about it.

The camera's thread and any number of phones report to the same recorder, one at a time; what is in the ledger is enough to go on
from after a stop, a crash or a power cut.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterable, Sequence
from itertools import takewhile

import msgspec
from msgspec.structs import replace

from companion.eyes.sighting import Sighting
from companion.games import game_of
from companion.ledger import Ledger, Overtaken, Stand
from companion.pages.moments import stands_in
from companion.referee import Evening, replay, reported
from companion.referee.chapter import MIN_LINE_CONFIDENCE, Chapter
from companion.referee.corrections import end_of
from companion.referee.keeping import Unkept, encode_aside, encode_hand, restored
from companion.referee.record import Entry, Fixed, Record, Saw, StatedLine, UnreadableRecord, decode_entry, encode_entry
from companion.table.errors import Illegal, NotKept
from companion.table.game import State, Waiting
from companion.table.log import Event, Line, least_sure, tag, weight

_log = logging.getLogger(__name__)

_ASIDE = "aside"
"""Name of the note for what is kept beside the hands."""
REMATCH = "rematch"
"""Name of the note that a game has which was begun as the rematch of another: that one's id."""
PEOPLE = "people"
"""Name of the note that a game has which took the place of another as somebody came or went: that one's id."""
GATHER = "gather"
"""Name of the note of a game whose places were marked by cards that are gathered before its first hand."""
MISSED = "missed"
"""Name of the note for the seconds of each hand in which nothing could be seen."""

EveningChange = Callable[[Evening], Evening]
"""What somebody does to an evening: an answer, a correction; from `companion.referee`. What it raises is raised."""


MAX_READ_WAIT_SECONDS = 1.0
"""Greatest number of seconds for which a reader waits for a change that is under way."""


class EveningRecorder:
    """One evening of a ledger. Every method may be called from any thread."""

    def __init__(
        self, ledger: Ledger, game_id: int, evening: Evening, kept: Evening | None = None, version: int | None = None
    ) -> None:
        """``kept``: the evening whose hands the ledger has; None: it has none of them. ``version``: that of the log that
        ``evening`` is of; None: the newest."""
        self.ledger, self.game_id = ledger, game_id
        self._lock = threading.RLock()
        self._evening = evening
        self._kept = kept
        self._version = ledger.version(game_id) if version is None else version
        self._rewritten = ledger.rewritten(game_id)
        self._stood = self._version, evening  # together: a thread that reads without the lock gets both of one moment
        self._encoded: dict[int, bytes] = {}
        """`id` of an entry that is being reported → its encoding, where it came encoded."""

    @classmethod
    def begin(cls, ledger: Ledger, first: Event, source: str = "", **notes: str) -> EveningRecorder:
        """A new evening, recorded before its first hand. ``first``: the log's first line.

        ``source``: where it is seen; ``notes`` are kept with it.

        Raises:
            Illegal: such a game cannot be. LedgerError: nothing was begun.
        """
        evening = Evening.of(game_of(first), first)
        return cls(ledger, ledger.begin(evening.log, source=source, notes=notes), evening, version=1)

    @classmethod
    def resume(cls, ledger: Ledger, game_id: int) -> EveningRecorder:
        """The evening as it stood; one whose hands were not kept is decoded again from all that was reported.

        Raises:
            NotKept: the game's log was not made of reports, or they cannot be read. UnknownGame, LedgerError.
        """
        version, lines = ledger.at(game_id)
        reports = ledger.reports(game_id)
        if not lines or tag(lines[0].event) != "game":
            raise NotKept(f"game {game_id} has no game line: begin a new evening")
        if len(lines) > 1 and not reports:
            raise NotKept(f"game {game_id} is a table log alone: it can be shown and replayed, and not gone on with")
        game = game_of(lines[0].event)
        try:
            record = Record.of(lines[0].event, (decode_entry(text, game) for text in reports))
            try:
                evening = restored(game, record, lines, ledger.hands(game_id), ledger.notes(game_id).get(_ASIDE, "[]"))
                return cls(ledger, game_id, evening, evening, version)
            except Unkept as error:
                _log.info("game %d is decoded again: %s", game_id, error)
                return cls(ledger, game_id, replay(game, record), version=version)
        except (UnreadableRecord, ValueError, KeyError) as error:
            raise NotKept(f"game {game_id}: what was reported of it cannot be read ({error}); it can still be shown") from error

    @property
    def evening(self) -> Evening:
        """The evening as best known now: a frozen value."""
        if self._rewritten != self.ledger.rewritten(self.game_id):
            self._read_again()
        return self._evening

    def _read_again(self) -> None:
        """Go on from what the ledger has now: somebody else has recorded something, or the game's texts were rewritten."""
        with self._lock:
            again = EveningRecorder.resume(self.ledger, self.game_id)
            self._evening, self._kept, self._version = again._evening, again._kept, again._version
            self._rewritten = again._rewritten
            self._stood = self._version, self._evening

    def stands(self) -> tuple[int, Evening]:
        """The newest version of the log in the ledger, and the evening that it tells. Raises LedgerError.

        Both of one moment: a change that is under way is waited for, as those who follow the ledger hear of it before its end.
        A change that takes long, because another program has locked the ledger, is not waited for: then the evening is
        given as it was before.
        """
        if not self._lock.acquire(timeout=MAX_READ_WAIT_SECONDS):
            return self._stood
        try:
            evening = self.evening
            self._stood = self.ledger.version(self.game_id), evening
            return self._stood
        finally:
            self._lock.release()

    @property
    def state(self) -> State:
        """The engine's state as best known now, mid-hand included."""
        return self.evening.current.after

    @property
    def waiting(self) -> Waiting:
        """What the table waits for."""
        return self.evening.game.rules.waiting(self.state)

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

    def saw(self, sightings: Iterable[Sighting | bytes], **notes: str) -> Evening:
        """The evening after these sightings; one that contradicts what people have said is left out. Bytes are an entry of a
        record (`encode_entry`), and go into the ledger as they are.

        Raises:
            LedgerError: as `report`. ValueError: bytes that are no entry.
        """
        entries: list[Entry] = []
        for one in sightings:
            if isinstance(one, bytes):
                entries.append(decode_entry(one, self.evening.game))
                self._encoded[id(entries[-1])] = one
            else:
                entries.append(Saw(one))
        try:
            return self.report(*entries, **notes)
        except Illegal:
            for entry in entries:
                try:
                    self.report(entry, **notes)
                except Illegal as error:
                    _log.warning("a sighting is left out, people know better: %s", error)
            return self.evening
        finally:
            for entry in entries:
                self._encoded.pop(id(entry), None)

    def change(self, how: EveningChange, **notes: str) -> Evening:
        """The evening after ``how``, which may only add to its record; on the disk, with the ``notes``, when this returns.

        Where somebody else has recorded something since, ``how`` is asked again, of the evening as it stands.

        Raises:
            Whatever ``how`` raises, and LedgerError; then nothing has changed. NotKept: somebody else's cannot be gone on with.
        """
        with self._lock:
            while not self._recorded(how(self.evening), notes):
                self._read_again()
            return self._evening

    def _recorded(self, evening: Evening, notes: dict[str, str]) -> bool:
        """Keep what is new in the evening. False, and nothing is kept, where it is no longer the ledger's."""
        before = len(self._evening.record.entries)
        new = evening.record.entries[before:]
        added = [(self._encoded.get(id(entry)) or encode_entry(entry, evening.game)).decode() for entry in new]
        if not added:
            return True
        hands, gone = hands_changed(self._kept, evening)
        if (self._kept.aside if self._kept is not None else ()) != evening.aside:
            notes = {**notes, _ASIDE: encode_aside(evening)}
        if any(chapter.blind for chapter in differing(self._kept, evening)):
            notes = {**notes, MISSED: encode_missed(evening)}
        try:
            self._version = self.ledger.record(
                self.game_id, evening.log, reports=added, notes=notes, hands=hands, gone=gone, on=Stand(self._version, before)
            )
        except Overtaken:
            return False
        self._evening = self._kept = evening
        self._stood = self._version, evening
        return True


def encode_missed(evening: Evening) -> str:
    """Number of each hand that could not be seen in part → seconds in which it could not, as JSON."""
    missed, number = {}, 0
    for chapter in evening.chapters:
        number += chapter.played
        if chapter.played and chapter.blind:
            missed[number] = round(sum(until - t for t, until in chapter.blind), 2)
    return msgspec.json.encode(missed).decode()


def decode_missed(text: str) -> dict[int, float]:
    """What `encode_missed` was given, number by number."""
    return msgspec.json.decode(text, type=dict[int, float])


def differing(kept: Evening | None, evening: Evening) -> tuple[Chapter, ...]:
    """The hands from the first that differs from what was kept: as they were kept, and as they are now."""
    before, same = _kept_before(kept, evening)
    return (*before[same:], *evening.chapters[same:])


def _kept_before(kept: Evening | None, evening: Evening) -> tuple[tuple[Chapter, ...], int]:
    """The hands as they were kept, and how many of them, from the first one on, are as they were."""
    before = kept.chapters if kept is not None else ()
    return before, sum(1 for _ in takewhile(lambda pair: pair[0] is pair[1], zip(before, evening.chapters, strict=False)))


def hands_changed(kept: Evening | None, evening: Evening) -> tuple[dict[int, tuple[int, str]], tuple[int, ...]]:
    """The hands that are to be written again (id → place, text), and the ids of those that are no more."""
    before, same = _kept_before(kept, evening)
    changed = {chapter.id: (same + place, encode_hand(chapter)) for place, chapter in enumerate(evening.chapters[same:])}
    gone = {chapter.id for chapter in before[same:]} - changed.keys()
    return changed, tuple(sorted(gone))


# A game that is a table log alone, without its record: from a file, or from an older program. It goes on by thumb.


def taken_on(ledger: Ledger, game_id: int, told: Evening) -> EveningRecorder:
    """Open a recorder; write ``told``'s record if the ledger has none.

    Raises:
        NotKept, LedgerError: as `EveningRecorder.change`.
    """
    recorder = EveningRecorder(ledger, game_id, Evening.of(told.game, told.record.game))
    recorder.change(lambda now: now if now.record.entries else told)
    return recorder


def evening_of(lines: Sequence[Line]) -> Evening:
    """The evening that a table log tells, every line of it as if it had been said by hand; but a line that is not certain stays
    as sure as the log says, and one that stands for an outcome goes on doing so.

    Raises:
        NotKept: it has no game line. GameError: it cannot have happened.
    """
    if not lines or tag(lines[0].event) != "game":
        raise NotKept("the game has no game line: begin a new evening")
    game = game_of(lines[0].event)
    rules, evening = game.rules, Evening.of(game, lines[0].event)
    state, told, plain = rules.begin(lines[0].event), list[StatedLine](), end_of(rules)
    for at, line in enumerate(lines[1:], start=1):
        if tag(line.event) == "end" and not rules.in_hand(state):
            continue  # said already, with what ended the hand
        before, state = state, rules.apply(state, line.event)
        ends = rules.in_hand(before) and rules.hands(state) > rules.hands(before)
        if ends and (rules.in_hand(state) or tag(line.event) == "close"):  # the next hand's line, or the game's end, says so
            end = _stated_line(_no_surer(Line(plain, line.t, line.confidence), told, line.confidence), in_hand=False)
            evening, told, before = _with_lines(evening, [*told, end]), [], rules.apply(before, plain)
        said = _no_surer(line, told) if tag(line.event) == "end" and line.confidence is None else line
        told.append(_stated_line(said, in_hand=rules.in_hand(before)))
        if rules.in_hand(before) and not rules.in_hand(state):
            if tag(line.event) not in ("end", "void") and rules.check(state, plain) is None:
                over = _end_after(lines[at:], plain)
                over = _no_surer(over, told) if over.confidence is None else over
                told.append(_stated_line(over, in_hand=False))
                state = rules.apply(state, over.event)
            evening, told = _with_lines(evening, told), []
    return _with_lines(evening, told) if told else evening


def _stated_line(line: Line, *, in_hand: bool) -> StatedLine:
    """What the log says, as sure as it is. ``in_hand``: a hand is in progress before it."""
    if in_hand and stands_in(line):
        return StatedLine(line.event, line.t, by_hand=True, stand_in=True)
    sure = line.confidence is None or line.confidence >= 1
    confidence = None if sure else max(MIN_LINE_CONFIDENCE, line.confidence or 0.0)
    return StatedLine(line.event, line.t, by_hand=True, confidence=confidence)


def _no_surer(end: Line, told: Sequence[StatedLine], confidence: float | None = None) -> Line:
    """The `end` of a hand, where nobody says how sure that is: as sure as its least sure line, or as ``confidence``. An outcome
    that somebody has stated is certain (see `companion.pages.moments`)."""
    if any(one.stand_in for one in told):
        return end
    return replace(end, confidence=least_sure(confidence, *(weight(one.event, one.confidence) for one in told)))


def _end_after(lines: Sequence[Line], end: Event) -> Line:
    """The line that ends a hand which is over with the first of these: the `end` that follows it, else one that says nothing of
    how sure it is."""
    for line in lines[1:]:
        if tag(line.event) == "hand":
            break
        if tag(line.event) == "end":
            return Line(line.event, line.t, line.confidence)
    return Line(end, lines[0].t)


def _with_lines(evening: Evening, told: Sequence[StatedLine]) -> Evening:
    return reported(evening, Fixed(evening.current.id, tuple(told), opening=len(told)))
