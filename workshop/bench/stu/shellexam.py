"""The exam of the shell game: film, watch until the cards lie still, answer which is which, and only then compare."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from itertools import takewhile
from pathlib import Path
from random import Random

import msgspec

from companion.eyes.seeing import view_of
from companion.eyes.source import pictures
from companion.eyes.table import Table, TableMap
from companion.files import write_whole
from companion.line.defaults import LOOKS_PER_SECOND
from companion.line.tablefile import read_table_file
from workshop.bench import keys, watching
from workshop.bench.figures import Rate, rate
from workshop.bench.filming import PX_PER_MM
from workshop.bench.stu.bytetrack import Residents, identities
from workshop.bench.stu.shelldecoder import decode, lies_where, moments
from workshop.bench.stu.shellgame import FACES, PEOPLE, Round, ShellGame, play
from workshop.bench.watching import Footage, Stream
from workshop.clip import truth
from workshop.clip.film import filmed
from workshop.clip.video import write_clip
from workshop.deck import raster
from workshop.deck.style import Style

Answer = tuple[int, ...]
"""For each place, where its last card lay in the beginning."""

NEAR_SECONDS = 1.5
"""A found exchange whose end is this near to a true one's is that one."""


class Sitting(msgspec.Struct, frozen=True):
    """One clip of the exam. ``swaps``, ``seen``: the exchanges, the true ones and those found, each with its end (seconds).
    ``tracked``: ByteTrack's answer, None where it was not run; None for a place: a card that it had not seen before."""

    number: int
    truth: Answer
    answer: Answer
    swaps: tuple[tuple[float, tuple[int, int]], ...]
    seen: tuple[tuple[float, tuple[int, int]], ...]
    tracked: tuple[int | None, ...] | None = None

    @property
    def right(self) -> bool:
        """All three cards are named."""
        return self.answer == self.truth


def sit(
    exam: ShellGame, count: int, cache: Path, models: Path, *, baseline: bool = False,
    say: Callable[[str, float], None] = lambda what, share: None,
) -> Iterator[Sitting]:  # fmt: skip
    """The first ``count`` clips of the exam. Clips and what the eyes saw of them are kept in ``cache``."""
    for number in range(min(count, exam.clips)):
        played, footage, table = watched(exam, number, cache, models, say)
        found = decode(moments(watching.views(footage, table), TableMap(table, footage.size).places), exam.swaps)
        seen = tuple((until, pair) for _, until, pair in found)
        tracked = follow_identities(watching.stream_of(footage, table), table) if baseline else None
        yield Sitting(number, played.answer, lies_where(found, len(PEOPLE)), played.swaps, seen, tracked)


def watched(
    exam: ShellGame, number: int, cache: Path, models: Path, say: Callable[[str, float], None] = lambda what, share: None
) -> tuple[Round, Footage, Table]:
    """Clip ``number`` of the exam, what the eyes found in it, and its table; filmed and watched unless ``cache`` has it."""
    played = play(exam, number)
    folder = _film(exam, played, number, cache, say)
    table = read_table_file(folder / "table.json").table
    return played, _watch(folder, played, table, models, say), table


def follow_identities(stream: Stream, table: Table) -> tuple[int | None, ...]:
    """The tracker's answer: for each place, where the identity that lies there in the end lay first; None for a new one."""
    top = TableMap(table, stream.size)
    residents = Residents(top.places)
    first: dict[int, int] = {}
    for look, known in zip(stream.looks, identities(stream.looks), strict=True):
        residents.step(view_of(look.cards, look.t, top), known)
        for place, identity in residents.resident.items():
            if place not in first.values():
                first.setdefault(identity, place)
    return tuple(first.get(residents.resident.get(place, -1)) for place in range(len(PEOPLE)))


class Marks(msgspec.Struct, frozen=True):
    """``whole``: clips with all three cards named; ``cards``: single cards named; ``tracked``: clips with all three named by
    ByteTrack.

    ``recall``: exchanges found between the right places at about their time; ``invented``: how many were found that never
    happened.
    """

    whole: Rate
    cards: Rate
    recall: Rate
    invented: int
    tracked: Rate | None


def mark(sittings: Sequence[Sitting]) -> Marks:
    """The marks of these sittings."""
    found = invented = 0
    for one in sittings:
        left = list(one.swaps)
        for until, places in one.seen:
            near = [swap for swap in left if swap[1] == places and abs(swap[0] - until) <= NEAR_SECONDS]
            if near:
                left.remove(near[0])
            else:
                invented += 1
        found += len(one.swaps) - len(left)
    by_tracker = [one for one in sittings if one.tracked is not None]
    return Marks(
        whole=rate(sum(one.right for one in sittings), len(sittings)),
        cards=rate(sum(a == b for one in sittings for a, b in zip(one.answer, one.truth, strict=True)), 3 * len(sittings)),
        recall=rate(found, sum(len(one.swaps) for one in sittings)),
        invented=invented,
        tracked=rate(sum(one.tracked == one.truth for one in by_tracker), len(by_tracker)) if by_tracker else None,
    )


def _film(exam: ShellGame, played: Round, number: int, cache: Path, say: Callable[[str, float], None]) -> Path:
    made = played.made
    drawn = keys.encoded(made.camera, made.surface, made.look, made.timeline.duration, played.style)
    digest = hashlib.sha256(keys.encoded(exam.seed, exam.size, exam.fps, played.swaps) + drawn)
    folder = cache / f"shell-{number:03d}-{digest.hexdigest()[:12]}"
    if (folder / "table.json").is_file():
        return folder
    folder.mkdir(parents=True, exist_ok=True)
    images = raster.drawn(Style.random(Random(played.style)), PX_PER_MM, tuple(("stu", face) for face in (*FACES, "back")))
    say("filming", 0.0)
    write_clip(folder / "clip.mp4", (image for _, image, _ in filmed(made, images)), exam.size, exam.fps)
    table = truth.table_json(made.timeline, made.camera, made.surface)
    write_whole(folder / "table.json", msgspec.json.encode(table))  # last: it says that the clip is whole
    return folder


def _watch(folder: Path, played: Round, table: Table, models: Path, say: Callable[[str, float], None]) -> Footage:
    """What the eyes find before a face shows."""
    before = takewhile(lambda picture: picture.t < played.still, pictures(str(folder / "clip.mp4"), LOOKS_PER_SECOND))
    kept = folder / f"seen-{keys.eyes_key(models)}.msgpack"
    return watching.recall(
        kept, lambda: watching.look_through(before, table, models, lambda t: say("watching", t / played.still))
    )
