"""The shell game: three cards lie face down, two at a time change places under hands, again and again; then all are turned. Its
exam films a clip, watches until the cards lie still, answers which is which, and only then compares.

The gestures are those of the game: at once or one after the other, past each other or one over the other. No two clips share a
seed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path
from random import Random
from typing import Annotated

import msgspec
import numpy as np
from msgspec import Meta

from companion.eyes.seeing import view_of
from companion.eyes.source import pictures
from companion.eyes.table import Table, TableMap
from companion.files import write_whole
from companion.games.stu.rules.log import new_game
from companion.line.defaults import LOOKS_PER_SECOND
from companion.line.tablefile import read_table_file
from companion.table.log import Line
from workshop.bench import keys, watching
from workshop.bench.filming import PX_PER_MM
from workshop.bench.recipe import BadBench, Side
from workshop.bench.report import Rate, rate
from workshop.bench.stu.bytetrack import Residents, identities
from workshop.bench.stu.shelldecoder import decode, lies_where, moments
from workshop.bench.watching import Footage, Stream
from workshop.choreography import barlife
from workshop.choreography.ensemble import Card, Ensemble
from workshop.choreography.layout import pick_camera, plan_table, surface_of
from workshop.choreography.motion import Track
from workshop.choreography.stu.gestures import StuGestures, taken
from workshop.choreography.timeline import Timeline
from workshop.clip import truth
from workshop.clip.film import FilmRecipe, FilmSet, filmed
from workshop.clip.video import write_clip
from workshop.deck import raster
from workshop.deck.style import Style
from workshop.stage.light import random_look
from workshop.stage.surfaces import KINDS as SURFACES
from workshop.yamlfile import read_yaml_or

PEOPLE = ("Anna", "Bruno", "Carla")
FACES = ("1", "5", "10")
"""The cards that lie before them in the beginning."""
STILL_SECONDS = 2.0
"""The cards lie still for this long before the first exchange, and after the last until they are turned."""
OWN_SEEDS = 5000
"""Printings and table tops from this seed on are the exam's own."""


class ShellGame(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The frozen exam: ``clips`` clips, number n drawn from ``seed`` + n, with ``swaps`` exchanges each.

    ``size``: width and height in pixels; ``tempo``: least and most.
    """

    about: str
    clips: Annotated[int, Meta(ge=1, le=10_000)]
    seed: Annotated[int, Meta(ge=0)]
    swaps: Annotated[int, Meta(ge=1, le=50)]
    size: tuple[Side, Side]
    fps: Annotated[float, Meta(ge=5, le=120)]
    tempo: tuple[Annotated[float, Meta(ge=0.25)], Annotated[float, Meta(le=4)]]


@dataclass(frozen=True, slots=True, eq=False)
class Round:
    """One clip before it is filmed. ``still``: seconds at which the last exchange is long over and no face shows yet.

    ``swaps``: (end in seconds, the two places). ``answer``: for each place, where its last card lay in the beginning. ``style``:
    seed of the printing.
    """

    made: FilmSet
    still: float
    swaps: tuple[tuple[float, tuple[int, int]], ...]
    answer: tuple[int, ...]
    style: int


def read_shell_game(path: Path) -> ShellGame:
    """Read and check the exam (YAML). Raises `BadBench`, which names the file and the field."""
    return read_yaml_or(path, ShellGame, BadBench, "the exam is a YAML file such as datasets/shell-game.yaml")


def play(exam: ShellGame, number: int) -> Round:
    """Clip ``number`` (from 0) of the exam."""
    seed = exam.seed + number
    rng = Random(f"shell game {seed}")
    plan = plan_table(PEOPLE, rng)
    life = barlife.LEVELS["medium" if number % 2 else "easy"]
    tempo = rng.uniform(*exam.tempo)
    ensemble = Ensemble(plan, rng, 1 / tempo, life.resting_fingers)
    gestures = StuGestures(ensemble)
    for seat, face in enumerate(FACES):
        track = Track(gestures.rest_of(seat, 0))
        track.put(float("-inf"), "table")
        ensemble.cards[f"{face}.0"] = Card(("stu", face), track, owners=[(float("-inf"), seat)])
        gestures.in_place[seat] = f"{face}.0"
    began = dict(gestures.in_place)
    t, swaps = STILL_SECONDS, []
    for _ in range(exam.swaps):
        a, b = rng.sample(range(len(PEOPLE)), 2)
        t = gestures.exchange(t, a, b)
        swaps.append((t, (min(a, b), max(a, b))))
        t += ensemble.lasts(0.5, 0.5)
    still = max(t, *(card.track.free for card in ensemble.cards.values())) + STILL_SECONDS
    for seat in range(len(PEOPLE)):
        gestures.show(still, seat)
    game = new_game(PEOPLE, 100, PEOPLE[0])
    timeline = Timeline(
        plan=plan, lines=(Line(game),), events=(0.0,), duration=still + 2.0, cards=ensemble.cards,
        fingers=tuple(ensemble.fingers.values()), deck=ensemble.deck,
        props=barlife.props(plan, rng, life, taken(plan)), people=barlife.people(plan, rng), hunting=(),
    )  # fmt: skip
    surface = surface_of(plan, rng.choice(SURFACES), OWN_SEEDS + number)
    look = random_look(np.random.default_rng([seed, 7]), 0.3)
    recipe = FilmRecipe(seed=seed, size=exam.size, fps=exam.fps, tempo=tempo)
    homes = {card: seat for seat, card in began.items()}
    answer = tuple(homes[gestures.in_place[seat]] for seat in range(len(PEOPLE)))
    made = FilmSet(recipe, timeline, pick_camera(plan, rng, exam.size), surface, look)
    return Round(made, still, tuple(swaps), answer, OWN_SEEDS + number)

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
