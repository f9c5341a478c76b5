"""Several cameras that look at one table: each is followed in a thread of its own, and what they see is joined (`witnesses`).

Of files, the looks come in order of their times, so that the same files always give the same log; of cameras and streams as they
come, since one that hangs must not hold up the others.
"""

from __future__ import annotations

import os
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext, suppress
from dataclasses import dataclass, replace
from itertools import chain

from companion.eyes.check import places_of
from companion.eyes.seeing import Look
from companion.eyes.sighting import CardSeen, Point, Sighting
from companion.eyes.source import Picture
from companion.line.defaults import FURTHER_NICE
from companion.line.follow import Glimpse, Step, last_sighting, watch
from companion.line.notices import notices
from companion.line.tablefile import TableFile
from companion.referee import Evening, at_the_end, observe
from companion.referee.witnesses import Testimony, Witnesses
from companion.table.errors import SourceError, TableError
from companion.table.log import Line

_FIRST_PICTURE = threading.Lock()
"""One film at a time gives its first picture: where FFmpeg sets up two conversions of colours at once, one of them may round
differently from then on, and the same film would not give the same log."""
MAX_LOOKS_AHEAD = 4
"""Number of looks by which one view may be ahead of the one that is waited for."""
MAX_STOPPING_SECONDS = 20.0
"""Greatest time that is waited for the threads of films to end, seconds: Python that ends while one of them is in the networks
or in FFmpeg aborts. Cameras are not waited for, as one may hang in its driver."""


@dataclass(frozen=True, slots=True)
class View:
    """One camera. ``pictures``: gives them, with times on the clock of all; asked in the view's own thread, and again and again
    whether it is to go on. ``table``: where the table and the places are in them. ``look``: makes what finds the cards, in that
    thread. ``live``: a camera or a stream, and no file."""

    pictures: Callable[[Callable[[], bool]], Iterator[Picture]]
    table: TableFile
    look: Callable[[], Look]
    live: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class ViewStep(Step):
    """What one picture of the ``view`` with this number (from 0) led to. ``later``: as of `Witnesses.later`."""

    view: int = 0
    later: float | None = None


@dataclass(frozen=True, slots=True)
class ViewEnded:
    """The ``view`` gives no more pictures, for this reason; None: it was read to its end. ``t``: of its last look, seconds; None
    where it gave none. ``going``: the views that go on."""

    view: int
    t: float | None
    error: SourceError | None
    going: tuple[int, ...]


def check_same(tables: Sequence[TableFile], names: Sequence[str]) -> None:
    """Raises TableError where the tables (called by these ``names``) are not of one game with the same players in order."""
    first, players = tables[0], [seat.name for seat in tables[0].table.players]
    for table, name in zip(tables[1:], names[1:], strict=True):
        those = [seat.name for seat in table.table.players]
        if those != players:
            raise TableError(
                f"{name}: players {', '.join(those)}; expected those of {names[0]}, in the same order: {', '.join(players)}"
            )
        if table.game is not first.game:
            raise TableError(f"{name}: game {table.game.id!r}; expected that of {names[0]}: {first.game.id!r}")


def follow_views(views: Sequence[View]) -> Iterator[ViewStep | ViewEnded]:
    """Follow a game that several views see at the same time: a step for each look of any of them, and a word as each ends."""
    table, looks = views[0].table, _Looks(views)
    assert table.game.sighting_model is not None, "a game without eyes is followed by no camera"
    witnesses = Witnesses(table.game.sighting_model, len(views), len(table.table.players))
    evening, last = Evening.of(table.game, table.first), dict[int, Glimpse]()
    log: tuple[Line, ...] = ()
    latest: tuple[int, Glimpse] | None = None

    def step(view: int, seen: Glimpse, told: tuple[Sighting, ...], glimpse: Glimpse | None) -> ViewStep:
        nonlocal evening, log
        for sighting in told:
            evening = observe(evening, sighting)
        before, log = log, evening.log
        clearest = min((one.frame_quality for one in last.values()), key=lambda quality: quality.blind is not None)
        said = notices(evening, clearest, seen.picture.t)
        later = witnesses.later(view)
        return ViewStep(seen.picture, seen.cards, log, log != before, evening, told, said, glimpse, view, later)

    try:
        while (taken := looks.take()) is not None:
            view, what = taken
            if isinstance(what, Glimpse):
                last[view], latest = what, (view, what)
                yield step(view, what, witnesses.hear(testimony(view, what)), what)
                continue
            ended = last.pop(view, None)
            yield replace(what, t=ended.picture.t if ended is not None else None)
            if ended is not None and (told := witnesses.over(view)):
                last = last or {view: ended}
                yield step(view, ended, told, None)
    finally:
        looks.stop()
    if latest is None:
        return
    view, seen = latest
    last = {view: seen}
    if held := witnesses.end():
        yield step(view, seen, held, None)
    if (over := at_the_end(evening)) is not evening:
        evening, before = over, log
        said = last_sighting(over)
        yield ViewStep(seen.picture, seen.cards, over.log, over.log != before, over, said, view=view)


def testimony(view: int, glimpse: Glimpse) -> Testimony:
    """What the view with this number tells with this look."""
    places = [(float(x), float(y)) for x, y in glimpse.top.to_pixels(glimpse.top.places)]
    return Testimony(view, glimpse.picture.t, glimpse.sightings, glimpse.hidden, glimpse.frame_quality.blind,
                     bare_of(glimpse.cards, places))  # fmt: skip


def bare_of(cards: Sequence[CardSeen], places: Sequence[Point]) -> frozenset[int]:
    """The ``places`` (pixels), by number, where none of the ``cards`` of a picture lies; a deck and pedine do not count."""
    played = [card for card in cards if card.side != "stack" and card.deck != "ramino"]
    return frozenset(range(len(places))).difference(place for place in places_of(played, places) if place is not None)


class _Looks:
    """The looks of all views, each made in a thread of its own."""

    def __init__(self, views: Sequence[View]) -> None:
        self._views = views
        self._made = threading.Condition()
        self._waiting: list[deque[Glimpse]] = [deque() for _ in views]
        self._going = set(range(len(views)))
        self._ended: dict[int, BaseException | None] = {}
        self._stopped = False
        self._threads = [
            threading.Thread(target=self._run, args=(number, view), name=f"view {number + 1}", daemon=True)
            for number, view in enumerate(views)
        ]
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        """Nobody takes any more. The threads of films have ended then."""
        with self._made:
            self._stopped = True
            self._made.notify_all()
        latest = time.monotonic() + MAX_STOPPING_SECONDS
        for thread, view in zip(self._threads, self._views, strict=True):
            if not view.live:
                thread.join(max(0.0, latest - time.monotonic()))

    def take(self) -> tuple[int, Glimpse | ViewEnded] | None:
        """The next look of any view, or that a view has ended; None when all have.

        Raises:
            What a view's thread has raised, unless it is a SourceError.
        """
        with self._made:
            self._made.wait_for(self._is_known)
            over = next((number for number in self._ended if not self._waiting[number]), None)
            if over is not None:
                error = self._ended.pop(over)
                self._going.discard(over)
                if error is not None and not isinstance(error, SourceError):
                    raise error
                return over, ViewEnded(over, None, error, tuple(sorted(self._going)))
            waiting = [number for number in self._going if self._waiting[number]]
            if not waiting:
                return None
            number = min(waiting, key=lambda one: self._waiting[one][0].picture.t)
            self._made.notify_all()
            return number, self._waiting[number].popleft()

    def _is_known(self) -> bool:
        """Whether the next look is known: with files that is the look with the earliest time, so all of them must have one."""
        pending = [number for number in self._going if not self._waiting[number]]
        awaited = [number for number in pending if number not in self._ended and not self._views[number].live]
        over = any(number in self._ended for number in pending)
        return over or (not awaited and (len(pending) < len(self._going) or not self._going))

    def _pictures(self, view: View) -> Iterator[Picture]:
        pictures = view.pictures(lambda: not self._stopped)
        with nullcontext() if view.live else _FIRST_PICTURE:
            first = next(pictures, None)
        return pictures if first is None else chain((first,), pictures)

    def _run(self, number: int, view: View) -> None:
        error: BaseException | None = None
        if number and view.live:
            with suppress(OSError, AttributeError):
                os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), FURTHER_NICE)  # of this thread
        try:
            for glimpse in watch(self._pictures(view), view.table, view.look()):
                with self._made:
                    self._made.wait_for(lambda: self._stopped or len(self._waiting[number]) < MAX_LOOKS_AHEAD)
                    if self._stopped:
                        return
                    self._waiting[number].append(glimpse)
                    self._made.notify_all()
        except BaseException as raised:  # noqa: BLE001  raised again where the looks are taken
            error = raised
        with self._made:
            self._ended[number] = error
            self._made.notify_all()
