"""Server-sent events: the view whenever it has changed, a beat while it has not. A page that connects again names its last event.

A frame is made and encoded once for all pages that follow in one language (`Broadcast`); each page only knows what it has been
sent (`Follower`). The front sends the frames; without a front, each page has a thread that waits (`Following`).
"""

from __future__ import annotations

import contextlib
import queue
import threading
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass, replace
from typing import Protocol

from flask import Response, abort, request

from companion.dashboard.front.fairness import Places, StreamPlace
from companion.table.errors import LedgerError
from companion.table.language import Lang


@dataclass(frozen=True, slots=True)
class Frame:
    """What pages are sent at one moment. ``view``, ``beat``: each the bytes of an event; ``mark``: differs where ``view`` does;
    ``shown``: differs where a new ``beat`` must be sent; ``number``: of the frame in its broadcast, from 1."""

    mark: Hashable
    shown: Hashable
    view: bytes
    beat: bytes
    number: int = 0


def event(name: str, data: bytes, id: str = "") -> bytes:
    """The bytes of a server-sent event. ``data``: JSON on one line; ``id``: "" for none."""
    return b"%sevent: %s\ndata: %s\n\n" % (f"id: {id}\n".encode() if id else b"", name.encode(), data)


def data_of(event: bytes) -> bytes:
    """The JSON in the bytes of an event."""
    return event.partition(b"data: ")[2].rstrip()


class Source(Protocol):
    """Makes the frames of a broadcast. Both methods raise LedgerError."""

    def look(self, lang: Lang, before: Frame | None) -> Frame:
        """The frame of this moment. ``before``: the last one, whose view can be used again where the mark is the same."""
        ...

    def wait(self, before: Frame, seconds: float) -> bool:
        """Wait until a frame would have another ``mark`` or ``shown``, at most ``seconds``. False: the server ends."""
        ...


Deliver = Callable[[Frame | None], None]
"""Called with every frame, by a thread of the broadcast, and with None at its end. Must not wait."""


class Broadcast:
    """The frames of one source in one language, for all pages that follow. A thread makes each frame once, as long as some page
    follows. ``heartbeat``: seconds after which a frame is sent even though nothing has changed. Any thread may ask."""

    def __init__(self, source: Source, lang: Lang, heartbeat: float) -> None:
        self._source, self._lang, self._heartbeat = source, lang, heartbeat
        self._looking = threading.Lock()
        self._changing = threading.Lock()
        self._newest: Frame | None = None
        self._followed_by: dict[object, Deliver] = {}
        self._running = False

    def newest(self) -> Frame:
        """Make the frame of this moment. Raises LedgerError."""
        with self._looking:
            before = self._newest
            frame = self._source.look(self._lang, before)
            self._newest = replace(frame, number=before.number + 1 if before is not None else 1)
            return self._newest

    def follow(self, deliver: Deliver) -> Callable[[], None]:
        """Call ``deliver`` with every frame from the next change on, and with None at the end. Returns a function that ends
        this."""
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
    """What one page has been sent, and whether it may go on.

    Attributes:
        may: tells whether the page may go on following. Raises LedgerError.
        sorry: the last event of a page that may not, as bytes.
    """

    def __init__(self, seen: Hashable = None, may: Callable[[], bool] = lambda: True, sorry: bytes = b"") -> None:
        """``seen``: the mark of the view that the page has already, None for none."""
        self.may, self.sorry = may, sorry
        self._seen = seen
        self._shown: Hashable = None
        self._number = 0

    def news(self, frame: Frame) -> list[bytes]:
        """The events of this frame to send to the page: the view where it has changed; the beat where ``shown`` has changed, or
        the view has not; nothing of a frame that is older than the last."""
        if frame.number < self._number:
            return []  # looked up before the one that it has
        first, self._number = self._number == 0, frame.number
        new, other = frame.mark != self._seen, frame.shown != self._shown and not first
        self._seen, self._shown = frame.mark, frame.shown
        return [frame.view] * new + [frame.beat] * (other or not new)


HANDOVER = "companion.handover"
"""In a request's WSGI environment: a front's function that takes a `Following` over, so that no thread waits for it."""


class Following:
    """A page that follows a broadcast, in a place of its own. To iterate over it is to wait for the stream's bytes in a thread. A
    front, which needs no thread, sends `first` and then `follower.news` of each frame that the broadcast delivers. ``retry``:
    seconds after which the page connects again."""

    def __init__(self, broadcast: Broadcast, follower: Follower, place: StreamPlace, retry: float) -> None:
        self.broadcast, self.follower, self.place = broadcast, follower, place
        self._retry = f"retry: {retry * 1000:.0f}\n\n".encode()

    def may(self) -> bool:
        """Whether the page may go on following. Raises LedgerError."""
        return not self.place.lost and self.follower.may()

    def first(self) -> bytes:
        """The bytes to send at once: the time to retry, and the newest frame. Raises LedgerError."""
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
        """The broadcast in this language, made when it is first asked for."""
        with self._lock:
            if lang not in self._made:
                self._made[lang] = Broadcast(self._source, lang, self._heartbeat)
            return self._made[lang]


def followed(broadcast: Broadcast, follower: Follower, places: Places, retry: float, *, own: bool) -> Response:
    """The answer to a request that is a stream; aborts with 503 where there is no place. ``retry``: seconds after which the page
    connects again; ``own``: a paired phone asks, or this machine's own browser."""
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
