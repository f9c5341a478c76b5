"""The shell game: three cards lie face down, two at a time change places under hands, again and again; then all are turned.

The gestures are those of the game: at once or one after the other, past each other or one over the other. No two clips share a
seed.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Annotated

import msgspec
import numpy as np
from msgspec import Meta

from companion.games.stu.rules.log import new_game
from companion.table.log import Line
from workshop.bench.recipe import BadBench, Side
from workshop.choreography import barlife
from workshop.choreography.ensemble import Card, Ensemble
from workshop.choreography.layout import pick_camera, plan_table, surface_of
from workshop.choreography.motion import Track
from workshop.choreography.stu.gestures import StuGestures, taken
from workshop.choreography.timeline import Timeline
from workshop.clip.film import FilmRecipe, FilmSet
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
