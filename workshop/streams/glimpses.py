"""A choreography as the eyes would see it, look after look, without drawing a picture: data for fitting and quick benchmarks.

Hands and cards cover what lies under them; half-covered cards are found only now and then, and a little off. Faces are always
read right: this is about movement.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from random import Random
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from companion.eyes.sighting import CardSeen, Motion, Point, Quad, TableView
from companion.line.defaults import LOOKS_PER_SECOND
from workshop.choreography.barlife import Level
from workshop.choreography.timeline import Timeline
from workshop.stage.scene import CARD_SIZES, CardPose, FingersPose, Scene

_GRID = np.array([(x, y) for x in (-0.4, 0, 0.4) for y in (-0.45, -0.22, 0, 0.22, 0.45)])
"""Points of a card (widths and lengths from its middle) at which its visible share is sampled."""
DECKS = {"stu": "stu", "italian": "napoletane"}
"""The deck that the eyes know cards of this family as."""
Size = tuple[float, float]
"""A card's width and length, mm."""
HELD_UP = 30.0
"""Degrees: a card that is lifted further is held in a hand."""
HAND_LENGTH, HAND_WIDTH, SLEEVE_WIDTH = 170.0, 85.0, 105.0
CELL = 0.04
"""Metres from one point of the ground to the next: one cell of a picture that shows three metres."""
EDGE, INNER = 1.0, 0.85
"""Share of the points at a moving thing's edge, and of those over which it moves, that look different: guesses. There is still
less motion in the corridors than in filmed clips, where arms are above the table."""


@dataclass(frozen=True, slots=True)
class Sight:
    """How well the eyes see. ``found``: share of looks that find a card in full view. ``least``: visible share (0 to 1) below
    which a card is never found. ``blur``: mm by which a card that is found half as often moves between two looks. ``off``,
    ``turned``: standard deviations of a card's middle, mm, and of its turn, degrees; ten times as much where half of it is
    covered. ``across``: share of the cards with less than 0.6 in view that are taken to lie across."""

    found: float = 0.99
    least: float = 0.25
    blur: float = 120.0
    off: float = 1.5
    turned: float = 0.8
    across: float = 0.15


SIGHT: Mapping[Level, Sight] = MappingProxyType(
    {"easy": Sight(), "medium": Sight(found=0.97, least=0.35), "hard": Sight(found=0.9, least=0.45, blur=80.0, off=2.5)}
)
"""How well the simulated eyes see at tables of each kind: round guesses. Cards and the deck come and go under hands, and
half-covered ones are found askew, as in four filmed clips that were watched."""


def views(timeline: Timeline, sight: Sight, rng: Random, per_second: float = LOOKS_PER_SECOND) -> Iterator[TableView]:
    """What the eyes would find of a choreography, in order of time. Table coordinates are metres."""
    before: dict[str, CardPose] = {}
    ground = _ground(timeline)
    size = CARD_SIZES[timeline.plan.cards]
    covered = _covered(ground, timeline.at(0.0), size)
    for look in range(int(timeline.duration * per_second)):
        t = look / per_second
        scene = timeline.at(t)
        cards = [card for card in scene.cards if card.key[0] == timeline.plan.cards and abs(card.tilt) < HELD_UP]
        now = _covered(ground, scene, size)
        seen = _view(scene, cards, before, sight, rng, DECKS[timeline.plan.cards], size)
        yield replace(seen, motion=Motion(ground, _moving(covered, now, rng)))
        before, covered = {card.id: card for card in cards}, now


def _ground(timeline: Timeline) -> NDArray[np.float64]:
    """Points (n, 2) all over the part of the table where cards lie, metres."""
    places = np.array([seat.place for seat in timeline.plan.seats]) / 1000
    low, high = places.min(axis=0) - 0.1, places.max(axis=0) + 0.1
    x, y = np.meshgrid(np.arange(low[0], high[0], CELL), np.arange(low[1], high[1], CELL))
    return np.stack([x.ravel(), y.ravel()], axis=1)


def _covered(ground: NDArray[np.float64], scene: Scene, size: Size) -> NDArray[np.float64]:
    """What is over each point of ``ground``: 0 for nothing, else a number that differs for each pose of each hand and card."""
    points = ground * 1000
    over = np.zeros(len(points))
    for number, card in enumerate(scene.cards):
        over[_under_card(points, card, size)] = _mark(number + 1, card.x, card.y, card.angle)
    for number, fingers in enumerate(scene.fingers):
        over[_under_fingers(points, fingers)] = _mark(-number - 1, fingers.x, fingers.y, fingers.angle)
    return over


def _mark(number: int, x: float, y: float, angle: float) -> float:
    """A number for a pose, which stays the same within about 4 mm and 4 degrees."""
    return number + 1e-3 * (round(x / 4) % 97) + 1e-5 * (round(y / 4) % 97) + 1e-7 * (round(angle / 4) % 97)


def _moving(before: NDArray[np.float64], now: NDArray[np.float64], rng: Random) -> NDArray[np.bool_]:
    """Which points look different: those that became bare or covered, and most of those over which something moves."""
    edge = (before == 0) != (now == 0)
    inner = (before != now) & ~edge
    chance = np.random.default_rng(rng.getrandbits(32)).random(len(now))
    return np.asarray((edge & (chance < EDGE)) | (inner & (chance < INNER)))


def _view(
    scene: Scene, cards: list[CardPose], before: dict[str, CardPose], sight: Sight, rng: Random, deck: str, size: Size
) -> TableView:  # fmt: skip
    seen: list[CardSeen] = []
    centres: list[Point] = []
    turns: list[float] = []
    for index, card in enumerate(cards):
        visible = _visible(card, cards[index + 1 :], scene.fingers, size)
        last = before.get(card.id)
        moved = math.dist((card.x, card.y), (last.x, last.y)) if last else 0.0
        if visible < sight.least or rng.random() > sight.found * min(1.0, visible * 1.6) / (1 + (moved / sight.blur) ** 2):
            continue
        spread = sight.off * (1 + 18 * (1 - visible))
        centres.append((card.x + rng.gauss(0, spread), card.y + rng.gauss(0, spread)))
        seen.append(_seen(card, deck, size))
        across = visible < 0.6 and rng.random() < sight.across
        turns.append((card.angle + 90 + 90 * across + rng.gauss(0, sight.turned * (1 + 18 * (1 - visible)))) % 180)
    for stack in scene.stacks:
        visible = _visible(CardPose(stack.id, stack.key, stack.x, stack.y, stack.angle), [], scene.fingers, size)
        if visible < sight.least or rng.random() > sight.found * min(1.0, visible * 1.6):
            continue
        centres.append((stack.x, stack.y))
        seen.append(CardSeen(_quad(stack.x, stack.y, size), deck, "stack", 0.9))
        turns.append(stack.angle % 180)
    middles = tuple((x / 1000, y / 1000) for x, y in centres)
    return TableView(scene.t, tuple(seen), middles, tuple(size[1] / 1000 for _ in seen), tuple(turns))


def _seen(card: CardPose, deck: str, size: Size) -> CardSeen:
    quad = _quad(card.x, card.y, size)
    if card.face_up:
        return CardSeen(quad, deck, "face", 0.95, card.key[1], ((card.key[1], 1.0),))
    return CardSeen(quad, deck, "back", 0.95)


def _quad(x: float, y: float, size: Size) -> Quad:
    a, b = size[0] / 2, size[1] / 2
    return (x - a, y - b), (x + a, y - b), (x + a, y + b), (x - a, y + b)


def _visible(card: CardPose, above: list[CardPose], fingers: tuple[FingersPose, ...], size: Size) -> float:
    """Visible share (0 to 1) of a card seen from straight above."""
    near = [other for other in above if math.dist((card.x, card.y), (other.x, other.y)) < 1.2 * size[1]]
    arms = [one for one in fingers if _reaches(one, card, size[1])]
    if not near and not arms:
        return 1.0
    points = _turned(_GRID * size, card.angle) + (card.x, card.y)
    hidden = np.zeros(len(points), bool)
    for other in near:
        hidden |= _under_card(points, other, size)
    for one in arms:
        hidden |= _under_fingers(points, one)
    return 1.0 - float(hidden.mean())


def _under_card(points: NDArray[np.float64], card: CardPose, size: Size) -> NDArray[np.bool_]:
    """Which of the points (n, 2), mm, are under a card."""
    local = np.abs(_turned(points - (card.x, card.y), -card.angle))
    return np.asarray((local[:, 0] < size[0] / 2) & (local[:, 1] < size[1] / 2))


def _under_fingers(points: NDArray[np.float64], fingers: FingersPose) -> NDArray[np.bool_]:
    """Which of the points (n, 2), mm, are under a hand or its arm."""
    along = _turned(points - (fingers.x, fingers.y), -fingers.angle)
    arm = _turned(points - (fingers.x, fingers.y), -(fingers.angle + fingers.elbow))
    palm = (along[:, 1] < 0) & (along[:, 1] > -HAND_LENGTH) & (np.abs(along[:, 0]) < HAND_WIDTH / 2)
    return np.asarray(palm | ((arm[:, 1] <= -HAND_LENGTH) & (np.abs(arm[:, 0]) < SLEEVE_WIDTH / 2)))


def _reaches(fingers: FingersPose, card: CardPose, length: float) -> bool:
    """Whether the hand or its arm may cover part of the card."""
    x, y = card.x - fingers.x, card.y - fingers.y
    for angle in (fingers.angle, fingers.angle + fingers.elbow):
        a = math.radians(angle)
        if -x * math.sin(a) + y * math.cos(a) < length and abs(x * math.cos(a) + y * math.sin(a)) < SLEEVE_WIDTH / 2 + length / 2:
            return True
    return False


def _turned(points: NDArray[np.float64], degrees: float) -> NDArray[np.float64]:
    a = math.radians(degrees)
    turned: NDArray[np.float64] = points @ np.array([[math.cos(a), math.sin(a)], [-math.sin(a), math.cos(a)]])
    return turned
