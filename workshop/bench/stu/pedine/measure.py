"""Pedine of unknown decks counted at rendered tables: how many places' counts are right, and models/PEDINE.md.

A moment is some seconds of a game of Stù with pedine of an invented French deck, pictures and truth.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random
from typing import Final

import msgspec
import numpy as np
from msgspec.structs import replace

from companion.decks.lists import PEDINE
from companion.decks.stu import KINDS
from companion.eyes.image import decode_jpeg, encode_jpeg
from companion.eyes.source import Picture
from companion.eyes.table import Table, parse_table
from companion.files import write_whole
from companion.games.stu import bots
from companion.games.stu.sightings import PedineSeen
from workshop.bench import keys
from workshop.bench.recipe import Bench, LevelRecipe
from workshop.bench.report import Rate, rate, shown
from workshop.bench.watching import Footage, look_through, stream_of
from workshop.choreography.barlife import Level
from workshop.choreography.layout import shortest
from workshop.choreography.timeline import Timeline
from workshop.clip.film import FilmRecipe, FilmSet, prepare, snapshots
from workshop.clip.truth import table_json
from workshop.dataset.decks import Printed
from workshop.deck.raster import DeckImages, drawn
from workshop.deck.strange.french import FrenchDeck
from workshop.deck.style import Style
from workshop.report import table
from workshop.stage.scene import Frame
from workshop.stage.surfaces import KINDS as SURFACES

SECONDS: Final = 10.0
"""Length of a moment: more than a count takes to become sure."""
LOOKS_PER_SECOND: Final = 3.0
"""Pictures looked at per second: as many as a slow machine manages, where nothing moves."""
STEADY: Final = 6.0
"""Seconds, at the end of a moment, in which nobody's pedine may have changed for them to be asked for."""
SHOWS: Final = 0.25
"""Share of a pedina that must be in view (docs/camera.md, What counts as a card)."""
JPEG: Final = 80
FIRST: Final = 500_000
"""First seed of games, tables, printings and decks: no training recipe, bench or holdout draws those."""
WIDTHS: Final = (1280, 1280, 960, 1920)
HANDS: Final = 7
"""Hands of each evening; the moment is in one of the later ones, when most have lost a pedina."""


@dataclass(frozen=True, slots=True, eq=False)
class Moment:
    """One moment. ``table``: where the table is; ``counts``: pedine that lie before each place, None where that is not asked
    for; ``shots``: what the camera sees, JPEG, `LOOKS_PER_SECOND`."""

    name: str
    table: Table
    counts: tuple[int | None, ...]
    shots: tuple[bytes, ...]

    def pictures(self) -> Iterator[Picture]:
        """What the camera sees, at times from 0 on."""
        for number, shot in enumerate(self.shots):
            yield Picture(number / LOOKS_PER_SECOND, decode_jpeg(shot))


def moment(level: Level, of: LevelRecipe, number: int) -> Moment:
    """Moment ``number`` (from 0) of a difficulty, each of an evening, a table and a deck of its own."""
    seed = FIRST + {"easy": 0, "medium": 100_000, "hard": 200_000}[level] + number * 10
    rng = Random(f"pedine {seed}")
    made = _set(of, seed, rng)
    duration = made.timeline.duration
    start = rng.uniform(0.4 * duration, max(duration - SECONDS - 1, 0.4 * duration))
    times = [start + look / LOOKS_PER_SECOND for look in range(round(SECONDS * LOOKS_PER_SECOND))]
    frames = tuple(snapshots(made, _images(made, seed), times))
    table = parse_table(msgspec.json.encode(table_json(made.timeline, made.camera, made.surface)))
    shots = tuple(encode_jpeg(frame.image, quality=JPEG) for frame in frames)
    return Moment(f"{level}-{number:03d}", table, counts(made.timeline, times, frames), shots)


def counts(timeline: Timeline, times: Sequence[float], frames: Sequence[Frame]) -> tuple[int | None, ...]:
    """Pedine before each place at the end; None where some were put down, moved or taken away in the last `STEADY` seconds, or
    where one was out of sight in most of the pictures of that time."""
    late = [(t, frame) for t, frame in zip(times, frames, strict=True) if t > times[-1] - STEADY]
    seen = Counter(card.id for _, frame in late for card in frame.truth if card.visible > SHOWS)
    found: list[int | None] = []
    for seat in range(len(timeline.plan.seats)):
        tokens = [name for name, card in timeline.cards.items() if card.token and name.split(".")[1] == str(seat)]
        lying = {tuple((name, timeline.pose(name, t)) for name in tokens if timeline.where(name, t) == "table") for t, _ in late}
        last = [name for name in tokens if timeline.where(name, times[-1]) == "table"]
        shown = all(seen[name] >= len(late) / 2 for name in last)
        found.append(len(last) if len(lying) == 1 and shown else None)
    return tuple(found)


def _set(of: LevelRecipe, seed: int, rng: Random) -> FilmSet:
    """A game, its table and camera, with cards as long in the picture as the difficulty has them."""
    low, high = of.width
    for turn in range(10):
        width = rng.choice([one for one in WIDTHS if low <= one <= high])
        look = rng.choice(of.looks)
        recipe = FilmRecipe(
            seed=seed + turn, size=(width, width * 9 // 16), tempo=rng.uniform(*of.tempo), level=of.life,
            surface=rng.choice(SURFACES), look=None if look == "drawn" else look,
        )  # fmt: skip
        settings = bots.Settings(players=bots.seated(rng.randint(*of.players)), event_probabilities=bots.PLAIN)
        made = prepare(bots.simulate(settings, hands=HANDS, seed=seed + turn), recipe)
        if shortest(made.timeline.plan, made.camera) >= of.card[0]:
            break
    return made


def _images(made: FilmSet, seed: int) -> DeckImages:
    """The pictures of the cards that are on the table: Stù's in another printing, and a French deck."""
    french = FrenchDeck(seed)
    printed = Printed(french, np.random.default_rng(seed))
    used = {card.key for card in made.timeline.cards.values()} | {("ramino", "back")}
    stu = drawn(Style.random(Random(seed)), 4.0, (*(("stu", kind) for kind in KINDS), ("stu", "back")))
    pedine = DeckImages({key: printed[key] for key in used if key[0] == "ramino"}, {"ramino": french.size})
    return stu.merged(pedine)

GOALS: Final[Mapping[Level, float]] = {"easy": 0.97, "medium": 0.95, "hard": 0.90}
"""Difficulty → share of the counts that are wanted right."""


class Counted(msgspec.Struct, frozen=True):
    """One place at the end of a moment. ``true``: pedine that lie before it; ``told``: what was told, None for nothing;
    ``known``: what would be, if only cards counted that the eyes know as pedine."""

    moment: str
    level: str
    place: int
    true: int
    told: int | None
    known: int | None


class Seen(msgspec.Struct, frozen=True):
    """A moment as it is kept, without its pictures: where the table is, the true counts (as of `Moment`), what was found."""

    table: Table
    counts: tuple[int | None, ...]
    footage: Footage


def run(
    bench: Bench, levels: Sequence[Level], count: int, models: Path, cache: Path
) -> Iterator[tuple[str, tuple[Counted, ...]]]:
    """The moments of each of these ``levels``, ``count`` of each and one of each in turn, with their names. What the same eyes
    have found before is taken from the ``cache``."""
    cache.mkdir(parents=True, exist_ok=True)
    for number in range(count):
        for level in levels:
            name = f"{level}-{number:03d}"
            kept = cache / f"{name}-{keys.eyes_key(models)}.msgpack"
            yield name, tuple(counted(name, level, recall(kept, partial(moment, level, bench.levels[level], number), models)))


def recall(kept: Path, make: Callable[[], Moment], models: Path) -> Seen:
    """What the file ``kept`` holds; where there is none, or it is of an older version, what is found, which is kept then."""
    try:
        return msgspec.msgpack.decode(kept.read_bytes(), type=Seen)
    except (FileNotFoundError, msgspec.MsgspecError):
        one = make()
    found = Seen(one.table, one.counts, look_through(one.pictures(), one.table, models))
    write_whole(kept, msgspec.msgpack.encode(found))
    return found


def counted(name: str, level: str, one: Seen) -> Iterator[Counted]:
    """What was told of each place that is asked for."""
    told, known = (told_last(footage, one.table) for footage in (one.footage, only_known(one.footage)))
    for place, true in enumerate(one.counts):
        if true is not None:
            yield Counted(name, level, place, true, told.get(place), known.get(place))


def told_last(footage: Footage, table: Table) -> dict[int, int]:
    """Place → the count that was told of it last."""
    sightings = (seen for look in stream_of(footage, table).looks for seen in look.decoded())
    return {seen.place: seen.count for seen in sightings if isinstance(seen, PedineSeen)}


def only_known(footage: Footage) -> Footage:
    """The footage without cards of decks that the eyes do not know."""
    known = (tuple(card for card in look.cards if card.deck in ("stu", PEDINE)) for look in footage.looks)
    return replace(footage, looks=tuple(replace(look, cards=cards) for look, cards in zip(footage.looks, known, strict=True)))


def rates(counts: Sequence[Counted]) -> dict[str, Rate]:
    """Shares of the counts that are right: of all places, of those with pedine and without, and by known decks alone."""
    lying = [one for one in counts if one.true]
    none = [one for one in counts if not one.true]
    return {
        "all": rate(sum(one.told == one.true for one in counts), len(counts)),
        "with pedine": rate(sum(one.told == one.true for one in lying), len(lying)),
        "without": rate(sum(one.told == one.true for one in none), len(none)),
        "known decks only": rate(sum(one.known == one.true for one in counts), len(counts)),
    }


_HEAD = (
    "difficulty", "wanted", "counts right", "of places with pedine", "of places without", "if only known decks counted",
)  # fmt: skip


def markdown(counts: Sequence[Counted], command: str) -> str:
    """The report's text; ``command``: what makes it again."""
    moments = len({one.moment for one in counts})
    lines = [
        "# Pedine of any deck", "",
        f"Written by `{command}`: {moments} moments of ten seconds of rendered evenings of Lu Stù, each with a table, a camera,",
        "a printing of Stù's cards and a French-suited deck of its own. Nothing was trained on these decks: their indices, pips,",
        "court cards and backs are drawn in other hands (`workshop.deck.strange.french`). Tables, people and light are",
        "as on the frozen bench; nothing goes wrong with the camera. Three pictures a second are looked at. Asked for are places",
        "whose pedine have lain still for six seconds, with more than a quarter of each in view",
        "([what counts as a card](../docs/camera.md)) in half of the pictures of that time or more. A place that nothing was",
        "told counts as wrong. In brackets the 95 % interval (Wilson).", "",
    ]  # fmt: skip
    rows = []
    for level in GOALS:
        found = rates([one for one in counts if one.level == level])
        if found["all"].of:
            rows.append((level, f"{100 * GOALS[level]:.0f} %", *map(shown, found.values())))
    lines += table(_HEAD, rows)
    wrong = [f"- `{one.moment}`, place {one.place}: {one.true}, told {'nothing' if one.told is None else one.told}"
             for one in counts if one.told != one.true]  # fmt: skip
    return "\n".join([*lines, "", "## Wrong", "", *wrong] if wrong else lines)
