"""Server-sent events: the view whenever it has changed, a beat while nothing does, resumed by the id of the last event."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator

from companion.dashboard.feed import Feed, Snapshot
from companion.dashboard.settings import Settings


class Listeners:
    """How many pages follow the stream: each holds a thread, so their number has an end."""

    def __init__(self, most: int) -> None:
        self._free = threading.BoundedSemaphore(most)

    def enter(self) -> bool:
        """True when there is room for one more; it must `leave` later."""
        return self._free.acquire(blocking=False)

    def leave(self) -> None:
        """Make room again."""
        self._free.release()


def events(
    feed: Feed, encode: Callable[[Snapshot], bytes], beat: Callable[[Snapshot], bytes], seen: str, settings: Settings
) -> Iterator[bytes]:
    """The stream of one page until it goes away or the ledger is closed.

    `seen` is the id of the last event that the page has ("" at first): what it knows already is not sent again. The whole
    view goes with each event, so nothing is lost by missing some. `beat` is what a quiet stream has to say.
    """
    yield f"retry: {settings.retry * 1000:.0f}\n\n".encode()
    snapshot: Snapshot | None = feed.snapshot()
    told = feed.shows.now
    while snapshot is not None:
        new, shows = snapshot.id != seen, feed.shows.now
        if new:
            seen = snapshot.id
            yield b"id: %s\nevent: view\ndata: %s\n\n" % (seen.encode(), encode(snapshot))
        if not new or shows != told:
            told = shows
            yield b"event: beat\ndata: %s\n\n" % beat(snapshot)
        snapshot = feed.wait(snapshot, shows, settings.heartbeat)
