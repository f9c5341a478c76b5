"""Server-sent events: the view whenever it has changed, a beat while nothing does, resumed by the id of the last event.

A frame is looked up and encoded once for all pages that follow in one language (`Broadcast`); a page only knows what it has
already (`Follower`). The front sends it; without a front, a thread of each page's own waits (`Following`).
"""

from __future__ import annotations

import contextlib
import queue
import threading
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass, replace
from typing import Protocol

from flask import Response, abort, request

from companion.dashboard.front.fairness import Place, Places
from companion.table.errors import LedgerError
from companion.table.language import Lang


@dataclass(frozen=True, slots=True)
class Frame:
    """What a page is sent at one moment, as the bytes of its events. ``mark``: differs for another ``view``; ``shown``: differs
    once another ``beat`` is due; ``number``: counts the frames of a broadcast, from 1."""

    mark: Hashable
    shown: Hashable
    view: bytes
    beat: bytes
    number: int = 0


def event(name: str, data: bytes, id: str = "") -> bytes:
    """A server-sent event as the stream writes it. ``data``: JSON; ``id``: "" for none."""
    return b"%sevent: %s\ndata: %s\n\n" % (f"id: {id}\n".encode() if id else b"", name.encode(), data)


def data_of(event: bytes) -> bytes:
    """What one of its events says, as JSON."""
    return event.partition(b"data: ")[2].rstrip()


class Source(Protocol):
    """Where frames come from. Both raise LedgerError."""

    def look(self, lang: Lang, before: Frame | None) -> Frame:
        """The frame as it is now; the view of the one ``before`` need not be made again where its mark is the same."""
        ...

    def wait(self, before: Frame, seconds: float) -> bool:
        """Wait until another mark or other shows are due, at most ``seconds``. False: it is over."""
        ...


Deliver = Callable[[Frame | None], None]
"""Is given every frame, from a thread of the broadcast's; None: it is over. Must not wait."""


class Broadcast:
    """One source in one language, for all who follow it: looked up and encoded once, by a thread that lives while somebody does.
    ``heartbeat``: seconds after which a frame goes out though nothing has changed. Any thread may ask."""

    def __init__(self, source: Source, lang: Lang, heartbeat: float) -> None:
        self._source, self._lang, self._heartbeat = source, lang, heartbeat
        self._looking = threading.Lock()
        self._changing = threading.Lock()
        self._newest: Frame | None = None
        self._followed_by: dict[object, Deliver] = {}
        self._running = False

    def newest(self) -> Frame:
        """The frame as it is now. Raises LedgerError."""
        with self._looking:
            before = self._newest
            frame = self._source.look(self._lang, before)
            self._newest = replace(frame, number=before.number + 1 if before is not None else 1)
            return self._newest

    def follow(self, deliver: Deliver) -> Callable[[], None]:
        """Give every frame from now on to ``deliver``; what comes back ends that. The first is not before the next change."""
        key = object()
        with self._changing:
            self._followed_by[key] = deliver
            if not self._running:
                self._running = True
                threading.Thread(target=self._run, name="broadcast", daemon=True).start()

        def leave() -> None:
            with self._changing:
                self._followed_by.pop(key, None)

        return leave

    def _run(self) -> None:
        alone = False
        with contextlib.suppress(LedgerError):
            try:
                frame = self._newest or self.newest()
                while self._wanted():
                    if not self._source.wait(frame, self._heartbeat):
                        break
                    frame = self.newest()
                    for deliver in self._all():  # asked for after looking: who came meanwhile misses nothing
                        deliver(frame)
                else:
                    alone = True
            finally:
                if not alone:  # else another thread may have begun since
                    self._end()

    def _wanted(self) -> bool:
        with self._changing:
            self._running = bool(self._followed_by)
            return self._running

    def _all(self) -> list[Deliver]:
        with self._changing:
            return list(self._followed_by.values())

    def _end(self) -> None:
        with self._changing:
            self._running = False
            left, self._followed_by = list(self._followed_by.values()), {}
        for deliver in left:
            deliver(None)


class Follower:
    """What one page has been sent.

    Attributes:
        may: whether the page may go on following. Raises LedgerError.
        sorry: the last event for a page that may not.
    """

    def __init__(self, seen: Hashable = None, may: Callable[[], bool] = lambda: True, sorry: bytes = b"") -> None:
        """``seen``: the mark of the view that the page has already."""
        self.may, self.sorry = may, sorry
        self._seen = seen
        self._shown: Hashable = None
        self._number = 0

    def news(self, frame: Frame) -> list[bytes]:
        """The events that the page is to be sent of this frame: the view where it has another, a beat where it is shown with
        other things, or nothing is new."""
        if frame.number < self._number:
            return []  # looked up before the one that it has
        first, self._number = self._number == 0, frame.number
        new, other = frame.mark != self._seen, frame.shown != self._shown and not first
        self._seen, self._shown = frame.mark, frame.shown
        return [frame.view] * new + [frame.beat] * (other or not new)


HANDOVER = "companion.handover"
"""In a request's WSGI environment: a front's function that takes a `Following` over, so that no thread waits for it."""


class Following:
    """A page at a broadcast, in a place of its own. Iterated over, it is the stream, by a thread that waits; a front that needs
    no thread takes `first` and then `follower.news` of what the broadcast delivers."""

    def __init__(self, broadcast: Broadcast, follower: Follower, place: Place, retry: float) -> None:
        self.broadcast, self.follower, self.place = broadcast, follower, place
        self._retry = f"retry: {retry * 1000:.0f}\n\n".encode()

    def may(self) -> bool:
        """Whether the page may go on following. Raises LedgerError."""
        return not self.place.lost and self.follower.may()

    def first(self) -> bytes:
        """What the page is told at once. Raises LedgerError."""
        return self._retry + b"".join(self.follower.news(self.broadcast.newest()))

    def __iter__(self) -> Iterator[bytes]:
        frames: queue.SimpleQueue[Frame | None] = queue.SimpleQueue()
        leave = self.broadcast.follow(frames.put)
        with contextlib.suppress(LedgerError):
            try:
                yield self._retry
                frame: Frame | None = self.broadcast.newest()
                while frame is not None:
                    if not self.may():
                        yield self.follower.sorry
                        return
                    yield from self.follower.news(frame)
                    frame = frames.get()
            finally:
                leave()


class Broadcasts:
    """The broadcasts of one source, by language."""

    def __init__(self, source: Source, heartbeat: float) -> None:
        self._source, self._heartbeat = source, heartbeat
        self._lock = threading.Lock()
        self._made: dict[Lang, Broadcast] = {}

    def of(self, lang: Lang) -> Broadcast:
        """The one in this language."""
        with self._lock:
            if lang not in self._made:
                self._made[lang] = Broadcast(self._source, lang, self._heartbeat)
            return self._made[lang]


def followed(broadcast: Broadcast, follower: Follower, places: Places, retry: float, *, own: bool) -> Response:
    """The stream as the answer to the request; status 503 where there is no place. ``own``: a paired phone asks, or this
    machine's own browser."""
    place = places.enter(request.remote_addr or "", own=own)
    if place is None:
        abort(503, "too many pages follow this table already: ask again, or close one", retry_after=5)
    following = Following(broadcast, follower, place, retry)
    response = Response(following, mimetype="text/event-stream")
    response.call_on_close(lambda: places.leave(place))
    response.headers["X-Accel-Buffering"] = "no"
    if (take_over := request.environ.get(HANDOVER)) is not None:
        try:
            take_over(following)
        except LedgerError:
            places.leave(place)
            raise
    return response
