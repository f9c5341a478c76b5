"""The whole line in one place: pictures → cards → what lies where → what happened → a table log.

Everything it is made of is handed in, so that the clip, the camera, the demo and the bench run the very same line.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

from companion.eyes.following.aside import Aside
from companion.eyes.following.splices import unspliced
from companion.eyes.seeing import Look, Seen, Watcher, see
from companion.eyes.sighting import CardSeen, Sighting, Unseen
from companion.eyes.source import Picture
from companion.eyes.table import TableMap
from companion.eyes.trouble import SPAN_SECONDS, FrameQuality
from companion.line.notices import Notice, notices
from companion.line.tablefile import TableFile
from companion.referee import Evening, at_the_end, observe
from companion.referee.record import Saw
from companion.table.log import Line

Hear = Callable[[Evening, float], Evening]


@dataclass(frozen=True, slots=True, eq=False)
class Step:
    """What one picture led to. ``log``: the whole table log as best known after it; ``changed``: it differs from before.

    ``evening``: what the log was made of, to go on from there later. ``sightings``: what became sure with this
    picture. ``notices``: what the table should be told now. ``glimpse``: what the eyes made of the picture; None of what is
    told once there are no more.
    """

    picture: Picture
    cards: tuple[CardSeen, ...]
    log: tuple[Line, ...]
    changed: bool
    evening: Evening
    sightings: tuple[Sighting, ...] = ()
    notices: tuple[Notice, ...] = ()
    glimpse: Glimpse | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Glimpse:
    """What the eyes make of one picture: the ``cards`` in it, and the ``sightings`` that became sure with it. ``frame_quality``:
    what the picture was good for at all. ``top``: where the table is in it. ``hidden``: places that cannot be seen in it, for
    what is in the way, or because they lie outside."""

    picture: Picture
    cards: tuple[CardSeen, ...]
    sightings: tuple[Sighting, ...]
    frame_quality: FrameQuality
    top: TableMap
    hidden: frozenset[int] = frozenset()


def follow(
    pictures: Iterable[Picture], table: TableFile, look: Look, evening: Evening | None = None,
    hear: Hear = lambda evening, t: evening,
) -> Iterator[Step]:  # fmt: skip
    """Follow a game through ``pictures`` (in order of time), one step for each; from its beginning, or on from ``evening``.

    ``hear``: the evening with what somebody has told by hand by the time of the next picture, seconds.
    """
    evening = evening or Evening.of(table.game, table.first)
    log: tuple[Line, ...] = ()
    glimpse = None
    for glimpse in watch(pictures, table, look, evening.sightings):
        evening = hear(evening, glimpse.picture.t)
        for sighting in glimpse.sightings:
            evening = observe(evening, sighting)
        before, log = log, evening.log
        yield Step(glimpse.picture, glimpse.cards, log, log != before, evening, glimpse.sightings,
                   notices(evening, glimpse.frame_quality, glimpse.picture.t), glimpse)  # fmt: skip
    if glimpse is not None and (over := at_the_end(evening)) is not evening:
        yield Step(glimpse.picture, glimpse.cards, over.log, over.log != log, over, last_sighting(over))


def watch(
    pictures: Iterable[Picture], table: TableFile, look: Look, before: tuple[Sighting, ...] = (), since: float | None = None,
    aside: Aside | None = None,
) -> Iterator[Glimpse]:  # fmt: skip
    """The eyes' part of `follow`, for callers that keep the evening elsewhere.

    ``before``: sightings of the hand in progress. ``since``: until when (seconds) the table has been looked at before; None: it
    has not, or nothing has happened since. ``aside``: leaves out the cards that lay there before the game; None: they count.
    """
    return glimpses(see(pictures, table.table, look), table, before, since, aside)


def glimpses(
    found: Iterable[Seen], table: TableFile, before: tuple[Sighting, ...] = (), since: float | None = None,
    aside: Aside | None = None,
) -> Iterator[Glimpse]:  # fmt: skip
    """As `watch`, from pictures in which the cards are found already: what is left takes a millisecond each."""
    watcher: Watcher | None = None
    for seen in unspliced(found):
        said: tuple[Sighting, ...] = ()
        if watcher is None:
            watcher = table.game.watcher(seen.top, before)
            if since is not None and seen.picture.t - since >= SPAN_SECONDS:
                said = watcher.lost(stopped(since, seen.picture.t))
        away = outside(seen.top, seen.picture.image.shape[1::-1])
        quality = replace(seen.frame_quality, hidden=seen.frame_quality.hidden | away) if away else seen.frame_quality
        cards = seen.cards if aside is None else aside.counted(seen)
        said = (*said, *watcher.step(seen.picture.t, cards, quality, seen.top, seen.moving))
        yield Glimpse(seen.picture, seen.cards, said, seen.frame_quality, seen.top, quality.hidden)


def outside(top: TableMap, size: tuple[int, ...]) -> frozenset[int]:
    """The places whose middle lies outside of a picture of this ``size`` (width, height in pixels): never seen, and never
    bare."""
    return frozenset(
        number for number, (x, y) in enumerate(top.to_pixels(top.places)) if not (0 <= x < size[0] and 0 <= y < size[1])
    )


def stopped(since: float, until: float) -> Unseen:
    """What a program has to say that was not running from ``since`` to ``until`` seconds, while the game went on."""
    return Unseen(since, until, None, "stopped")


def last_sighting(evening: Evening) -> tuple[Sighting, ...]:
    """What was reported last, where it is a sighting: what `at_the_end` has added."""
    last = evening.record.entries[-1]
    return (last.sighting,) if isinstance(last, Saw) else ()
