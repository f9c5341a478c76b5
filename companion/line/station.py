"""The machine's one camera during an evening: it is read, shown to organisers and followed, and taken up again when it was
unplugged.

One thread does it all in turn: a picture comes, the eyes look at it when somebody wants to know, the scribe is told what became
sure. Everything else only asks for what that thread has left.
"""

from __future__ import annotations

import logging
import math
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import numpy as np

from companion.assets import asset
from companion.decks.deckfile import DeckFile
from companion.decks.lists import ListId
from companion.eyes.cameras import CameraFound, cameras, picture_size, remembered
from companion.eyes.check import check, shown_at
from companion.eyes.corners import find_table
from companion.eyes.gaze import Gaze
from companion.eyes.image import encode_jpeg
from companion.eyes.look import Eyes
from companion.eyes.seeing import Look
from companion.eyes.sighting import CardSeen
from companion.eyes.source import Picture, pictures
from companion.eyes.wanted import check_source
from companion.games import game_of, house_game
from companion.ledger import Ledger
from companion.line.camera import (
    BY_HAND,
    AdviceView,
    CameraState,
    CameraStatus,
    CheckView,
    FoundCorners,
    Point,
    SeenCard,
    SourceView,
)
from companion.line.follow import LOOKS_PER_SECOND, watch
from companion.line.footage import Footage
from companion.line.lessons import Lessons
from companion.line.notices import Notice, notices
from companion.line.phone_camera import PHONE, PhoneCamera
from companion.line.phone_source import phone_pictures
from companion.line.scribe import Scribe
from companion.line.tablefile import TableFile, parse_table_file
from companion.table.errors import BadDeck, CompanionError, NotKept, SourceError
from companion.table.game import Over
from companion.table.log import Event

_log = logging.getLogger(__name__)

RETRY_SECONDS = 3.0
"""A camera that was lost is tried again this often."""
WANTED_SECONDS = 5.0
"""How long after somebody asked what the eyes see they look at the pictures of a camera without a game."""
LOOKED_SECONDS = 3.0
"""How often it is kept until when the table has been looked at: what comes after that, a restart has not seen."""
HELD_SECONDS = 0.4
"""How often a file that is held at its first picture is looked at again."""
FROZEN_SECONDS = 4.0
"""A camera's noise is never the same twice: one that repeats a picture for this long has stopped, whatever its driver says."""
REOPEN_SECONDS = 12.0
"""How often a camera that has stopped is opened again: it may have been plugged in."""


def eyes(cards: ListId = "stu", decks: Sequence[tuple[str, DeckFile]] = (), lessons: Lessons | None = None) -> Look:
    """The trained eyes for a game that is played with the list ``cards``, with these taught decks, and with the ``lessons`` of
    the first of them, or of the shipped deck. Raises `CompanionError` where their models are missing."""
    trained = Eyes.load(asset("models"), threads=2, decks=decks, cards=cards)
    return Gaze(lessons.attach(trained, decks[0][0] if decks else cards) if lessons is not None else trained).look


EyesOf = Callable[[ListId, str], Look]
"""Makes the eyes for a list of cards and the taught deck of this name, "" for the shipped one. Raises BadDeck where its file
cannot be used."""


@dataclass(frozen=True, slots=True)
class Task:
    """What the thread does: read ``source`` ("": nothing) and follow the game of ``scribe`` at ``table``, None without a game.
    ``cards``: what is played with; ``deck``: the taught deck, "" for the shipped one."""

    source: str = ""
    scribe: Scribe | None = None
    table: TableFile | None = None
    cards: ListId = "stu"
    deck: str = ""

    @property
    def is_file(self) -> bool:
        return not (self.source.isdigit() or "://" in self.source)


class Station:
    """Implements `companion.line.camera.Camera`. Use it as a context manager: its thread runs inside the block.

    ``eyes``: makes what finds the cards; called once, when that is first needed. ``pace``: seconds of a video file played per
    second, once a game has begun; 0: as fast as the eyes can. A camera has its own pace. ``footage``: the last minutes of video.
    ``phone``: where a phone's pictures come in; None: a phone cannot be the camera. ``eyes_of``: the eyes for taught decks, and
    for other cards; without it ``eyes`` see all games. ``lessons``: what corrections teach the eyes.
    """

    def __init__(
        self,
        ledger: Ledger,
        eyes: Callable[[], Look],
        *,
        find_cameras: Callable[..., tuple[CameraFound, ...]] | None = None,
        pace: float = 1.0,
        footage: Footage | None = None,
        phone: PhoneCamera | None = None,
        eyes_of: EyesOf | None = None,
        lessons: Lessons | None = None,
    ) -> None:
        self._phone, self._lessons = phone, lessons
        self._eyes_of: EyesOf = eyes_of or (lambda cards, deck: eyes())
        self._look_is_of: tuple[ListId, str] | None = None
        self._deck_lost = False
        self._ledger, self._pace = ledger, pace
        self._find_cameras = find_cameras or partial(cameras, size_of=remembered(picture_size))
        self._look: Look | None = None
        self._task = Task()
        self._changed = threading.Condition()
        self._stopped = False
        self._state: CameraState = "none"
        self._reason = ""
        self._cause: SourceError | None = None
        self._picture: Picture | None = None
        self._seen: tuple[Picture, tuple[CardSeen, ...]] | None = None
        self._notices: tuple[Notice, ...] = ()
        self.footage = footage or Footage()
        self._wanted_until = 0.0
        self._fresh_at = 0.0
        self._times: deque[float] = deque(maxlen=30)
        self._thread = threading.Thread(target=self._run, name="camera", daemon=True)

    def __enter__(self) -> Station:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        with self._changed:
            self._stopped = True
            self._changed.notify_all()
        self._thread.join(10)

    @property
    def scribe(self) -> Scribe | None:
        """The scribe that keeps the current evening; None before there is one."""
        return self._task.scribe

    def resume(self) -> Scribe | None:
        """Continue the ledger's newest game if it is an evening that was begun here and is not over; else None."""
        game_id = self._ledger.newest()
        if game_id is None or "camera" not in (notes := self._ledger.notes(game_id)):
            return None
        try:
            scribe = Scribe.resume(self._ledger, game_id)
            table = parse_table_file(notes["table"]) if notes.get("table") else None
        except (NotKept, CompanionError) as error:
            _log.warning("the last evening is shown, but not gone on with: %s", error)
            return None
        if isinstance(scribe.waiting, Over):
            return None
        self._do(Task(notes["camera"], scribe, table, house_game(scribe.evening.game).cards, notes.get("deck", "")))
        return scribe

    def sources(self) -> tuple[SourceView, ...]:
        """See `Camera.sources`. A file or address in use is listed too."""
        source = self._task.source
        found = self._find_cameras([source] if source.isdigit() else [])
        views = [SourceView(one.number, one.name, one.size or self._size()) for one in found]
        if source and source != PHONE and source not in (one.source for one in views):
            views.append(SourceView(source, Path(source).name if self._task.is_file else source, self._size()))
        return tuple(views)

    def refused(self, source: str) -> CompanionError | None:
        """See `Camera.refused`."""
        try:
            if source != PHONE:
                check_source(source)
        except SourceError as error:
            return error
        return None

    def choose(self, source: str) -> None:
        """See `Camera.choose`. While a game is on, the choice outlives a restart."""
        task = self._task
        if task.source == source and self._state in ("live", "held"):
            return
        if task.scribe is not None:
            self._ledger.note(task.scribe.game_id, camera=source)
        self._do(replace(task, source=source))

    def status(self) -> CameraStatus:
        """See `Camera.status`."""
        return CameraStatus(
            self._task.source, self._state, self._reason, self._size(), self._per_second(), self._cause, self._task.deck,
            self._deck_lost and self._look_is_of == (self._task.cards, self._task.deck),
        )  # fmt: skip

    def newest(self) -> Picture | None:
        """The camera's newest picture; None while there is none."""
        return self._picture if self._state in ("live", "held") else None

    def jpeg(self, width: int) -> bytes | None:
        """See `Camera.jpeg`."""
        picture = self._picture
        return None if picture is None else encode_jpeg(picture.image, width, quality=82)

    def corners(self) -> FoundCorners | None:
        """See `Camera.corners`."""
        picture = self._picture
        found = find_table(picture.image) if picture is not None else None
        if found is None:
            return None
        corners = tuple((round(float(x), 1), round(float(y), 1)) for x, y in found.quad)
        return FoundCorners(corners, found.shape, found.confidence)

    def check(self, corners: tuple[Point, ...], places: tuple[Point, ...]) -> CheckView | None:
        """See `Camera.check`."""
        seen = self._looked()
        if seen is None:
            return None
        picture, cards = seen
        if self._task.table is not None:  # a game is on: its own table counts
            table = self._task.table.table
            scale = picture.image.shape[1] / table.image_size[0]
            corners = tuple((x * scale, y * scale) for x, y in table.corners)
            places = tuple((x * scale, y * scale) for x, y in (seat.place for seat in table.players))
        # A file that is held is not a slow camera.
        found = check(picture.image, cards, corners or None, places, self._per_second() if self._state == "live" else 0.0)
        return CheckView(
            (picture.image.shape[1], picture.image.shape[0]),
            tuple(
                SeenCard(card.quad, card.side, card.deck, card.card, length, None if place is None else place + 1)
                for card, length, place in zip(cards, found.lengths, found.places, strict=True)
            ),
            found.light, found.glare, found.sharpness, found.per_second,
            tuple(AdviceView(one.code, one.value, one.place) for one in found.advice),
        )  # fmt: skip

    def shown(self, places: tuple[Point, ...]) -> tuple[str | None, ...]:
        """See `Camera.shown`."""
        seen = self._looked()
        faces = shown_at(seen[1], places) if seen is not None else (None,) * len(places)
        return tuple(face[0] if face is not None else None for face in faces)

    def moment(self, t: float, places: tuple[int, ...]) -> bytes | None:
        """These places (from 0) at ``t`` seconds into the evening, as JPEG; None where that is too long ago, or was not seen."""
        scribe = self._task.scribe
        return self.footage.crop(scribe.game_id, t, places) if scribe is not None else None

    def notices(self) -> tuple[Notice, ...]:
        """What the people at the table should know now, including that the camera gives nothing, or nothing new."""
        if self._task.table is not None and self._state in ("lost", "frozen"):
            return (Notice("gap" if self._state == "lost" else "frozen", 0.0),)
        return self._notices

    def play_with(self, deck: str, cards: ListId) -> None:
        """See `Camera.play_with`. While a game is on, the choice outlives a restart."""
        task = self._task
        if task.scribe is not None:
            if task.cards != cards:
                return
            self._ledger.note(task.scribe.game_id, deck=deck)
        if deck or (task.cards, task.deck) != (cards, deck):
            self._look_is_of = None  # the file may have been made anew under its name
            self._do(replace(task, cards=cards, deck=deck))

    def begin(self, first: Event, table: bytes | None, deck: str = "") -> int:
        """See `Camera.begin`."""
        place = parse_table_file(table) if table is not None else None
        source = self._task.source if place is not None else ""
        name = "phone" if source == PHONE else Path(source).name if Task(source).is_file else source
        scribe = Scribe.begin(
            self._ledger, first, name or BY_HAND, camera=source, table=table.decode() if table is not None else "",
            **({"deck": deck} if deck else {}),
        )  # fmt: skip
        self._do(Task(self._task.source, scribe, place, game_of(first).cards, deck))
        return scribe.game_id

    def leave(self) -> None:
        """See `Camera.leave`."""
        if self._task.scribe is not None or self._state == "ended":
            self._do(replace(self._task, scribe=None, table=None))

    def go_on(self, game: int, table: bytes | None, deck: str = "") -> None:
        """See `Camera.go_on`."""
        scribe = Scribe.resume(self._ledger, game)
        if isinstance(scribe.waiting, Over):
            raise CompanionError(f"game {game} is over: begin a new one")
        place = parse_table_file(table) if table is not None else None
        source = self._task.source if place is not None else ""
        notes = {"camera": source, "table": table.decode() if table is not None else "", "deck": deck}
        if source and source != self._ledger.notes(game).get("camera"):
            notes["at"] = "0"  # another video file begins at its beginning
        self._ledger.take_up(game, **notes)
        self._do(Task(self._task.source, scribe, place, house_game(scribe.evening.game).cards, deck))

    def moved(self, corners: tuple[Point, ...], size: tuple[int, int]) -> None:
        """See `Camera.moved`."""
        task = self._task
        if task.scribe is None or task.table is None:
            raise CompanionError("no game is followed with the camera: begin one first")
        table = task.table.seen_anew(corners, size)
        self._ledger.note(task.scribe.game_id, table=table.encode().decode())
        self._do(replace(task, table=table))

    def _looked(self) -> tuple[Picture, tuple[CardSeen, ...]] | None:
        """The last picture that was looked at, with its cards; requests that the eyes go on looking."""
        self._wanted_until = time.monotonic() + WANTED_SECONDS
        return self._seen

    def _size(self) -> tuple[int, int] | None:
        picture = self._picture
        return (picture.image.shape[1], picture.image.shape[0]) if picture is not None else None

    def _per_second(self) -> float:
        times = list(self._times)
        if len(times) < 3 or time.monotonic() - times[-1] > RETRY_SECONDS:
            return 0.0
        return round((len(times) - 1) / max(times[-1] - times[0], 1e-6), 1)

    def _do(self, task: Task) -> None:
        with self._changed:
            if task.source != self._task.source:
                self._picture = self._seen = None
            self._task = task
            self._notices = ()
            self._times.clear()
            self._say("opening" if task.source else "none")
            self._changed.notify_all()

    def _say(self, state: CameraState, reason: SourceError | str = "") -> None:
        self._state, self._reason = state, str(reason)
        self._cause = reason if isinstance(reason, SourceError) else None

    def _still(self, task: Task) -> bool:
        return self._task is task and not self._stopped

    def _wait(self, task: Task, seconds: float | None) -> None:
        """Wait up to ``seconds`` (None: no limit), or until the task changes."""
        with self._changed:
            self._changed.wait_for(lambda: not self._still(task), seconds)

    def _run(self) -> None:
        while not self._stopped:
            task = self._task
            try:
                if not task.source:
                    self._wait(task, None)
                elif task.scribe is None or task.table is None:
                    self._idle(task)
                else:
                    self._follow(task, task.scribe, task.table)
            except Exception as error:  # noqa: BLE001  one bad picture must not end the evening: report it and try again
                _log.exception("the camera's thread failed and goes on")
                self._say("lost", f"{type(error).__name__}: {error}")
                self._wait(task, RETRY_SECONDS)

    def _idle(self, task: Task) -> None:
        for picture in self._pictures(task, 0.0):
            if time.monotonic() < self._wanted_until:
                self._seen = picture, self._eyes(task)(picture)

    def _follow(self, task: Task, scribe: Scribe, table: TableFile) -> None:
        notes = self._ledger.notes(scribe.game_id)
        # A file continues where it was left; a camera's time is counted from the beginning of the evening.
        start = float(notes.get("at", "0")) if task.is_file else max(scribe.evening.t, self._age(scribe))
        since = float(notes["looked"]) if "looked" in notes and not task.is_file else None
        noted = -math.inf
        for glimpse in watch(self._pictures(task, start), table, self._eyes(task), scribe.evening.sightings, since):
            self._seen = glimpse.picture, glimpse.cards
            cards = glimpse.cards if glimpse.outlook.blind is None else None
            self.footage.put(scribe.game_id, glimpse.picture, cards, glimpse.top)
            t = glimpse.picture.t
            looked = {"looked": f"{t:.3f}"} if glimpse.outlook.blind is None else {}
            if glimpse.sightings:
                scribe.saw(glimpse.sightings, at=f"{t:.3f}", **looked)
            elif looked and t - noted >= LOOKED_SECONDS:
                self._ledger.note(scribe.game_id, **looked)
            else:
                looked = {}
            noted = t if looked else noted
            if self._lessons is not None:
                self._lessons.attend(scribe.evening, scribe.game_id, self.footage)
            found = notices(scribe.evening, glimpse.outlook, glimpse.picture.t)
            if self._still(task):
                self._notices = found

    def _age(self, scribe: Scribe) -> float:
        """Seconds since the evening began."""
        began = next(game.started for game in self._ledger.games() if game.id == scribe.game_id)
        return time.time() - began

    def _eyes(self, task: Task) -> Look:
        wanted = task.cards, task.deck
        if self._look is None or self._look_is_of != wanted:
            lost = False
            try:
                self._look = self._eyes_of(*wanted)
            except BadDeck as error:
                _log.warning("the shipped deck is played with instead: %s", error)
                self._look, lost = self._eyes_of(task.cards, ""), True
            self._look_is_of, self._deck_lost = wanted, lost
        return self._look

    def _pictures(self, task: Task, start: float) -> Iterator[Picture]:
        """The source's pictures until the task changes, however often the camera is lost."""
        begun = time.monotonic() - start
        while self._still(task):
            opened = time.monotonic()
            try:
                for picture in self._read(task, start):
                    if task.is_file and not self._on_time(task, picture.t - start, opened):
                        return
                    self._put(task, picture)
                    yield picture
                    while task.is_file and task.scribe is None and self._still(task):
                        self._wait(task, HELD_SECONDS)
                        yield picture
                    if not self._still(task):
                        return
                    if self._state == "frozen" and time.monotonic() - opened > REOPEN_SECONDS:
                        break
                else:
                    self._say("ended")
                    self._wait(task, None)
            except SourceError as error:
                with self._changed:
                    if self._still(task):
                        self._say("lost", error)
                self._wait(task, RETRY_SECONDS if task.source != PHONE or self._phone is None else 0.0)
            start = time.monotonic() - begun

    def _read(self, task: Task, start: float) -> Iterator[Picture]:
        """The source, opened once. A phone comes back when it likes, and is waited for from the first moment."""
        if task.source != PHONE:
            return pictures(task.source, LOOKS_PER_SECOND, start)
        patient = task.scribe is None and self._state == "opening"
        return phone_pictures(self._phone, start, lambda: self._still(task), patient)

    def _on_time(self, task: Task, into: float, opened: float) -> bool:
        """Wait until the picture ``into`` seconds after the first is due; False when the task has changed by then."""
        if task.scribe is not None and self._pace > 0:
            self._wait(task, max(0.0, into / self._pace - (time.monotonic() - opened)))
        return self._still(task)

    def _put(self, task: Task, picture: Picture) -> None:
        now = time.monotonic()
        if task.is_file or self._picture is None or _differs(self._picture, picture):
            self._fresh_at = now
        with self._changed:
            if self._still(task):
                self._picture = picture
                self._times.append(now)
                held, frozen = task.is_file and task.scribe is None, now - self._fresh_at > FROZEN_SECONDS
                self._say("held" if held else "frozen" if frozen else "live")


def _differs(one: Picture, other: Picture) -> bool:
    """Whether anything at all has changed between two pictures; not every pixel is compared."""
    return not np.array_equal(one.image[::5, ::5], other.image[::5, ::5])
