"""Moments of rendered evenings: some seconds of a game of Stù with pedine of an invented French deck, pictures and truth."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

import msgspec
import numpy as np

from companion.decks.stu import KINDS
from companion.eyes.image import decode_jpeg, encode_jpeg
from companion.eyes.source import Picture
from companion.eyes.table import Table, parse_table
from companion.games.stu import bots
from workshop.bench.recipe import LevelRecipe
from workshop.choreography.barlife import Level
from workshop.choreography.layout import shortest
from workshop.choreography.timeline import Timeline
from workshop.clip.film import FilmRecipe, FilmSet, prepare, snapshots
from workshop.clip.truth import table_json
from workshop.dataset.decks import Printed
from workshop.deck.raster import DeckImages, drawn
from workshop.deck.strange.french import FrenchDeck
from workshop.deck.style import Style
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
