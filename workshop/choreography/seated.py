"""Those who play, as people: they sit behind their places, sway, lean to what their hands reach for, look about and drink.

Made from the finished choreography: what hands and cards do stays as it was directed.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random

from workshop.choreography.layout import Plan, Seat
from workshop.choreography.motion import minimum_jerk
from workshop.choreography.posture import UPRIGHT, Posture, Vector, limb_of, posture, wrist_of
from workshop.choreography.timeline import Timeline
from workshop.stage.scene import CardPose, FingersPose, LiftedProp, Prop, PropKind, Scene, SitterPose

LEANING = 0.15
"""Share of time in which somebody leans forward, elbows on the table."""
SIPS = 0.7
"""How many times a minute somebody drinks, at most."""
RAISE = 0.5
"""Seconds in which a card that was taken up comes before the chest."""
STEPS = 4.0
"""How many times a second idle people move: each time somebody is drawn again."""
DRINKS: tuple[PropKind, ...] = ("glass", "beer", "wine", "cup")
HAIRS = ((28, 30, 36), (35, 45, 70), (60, 95, 140), (120, 125, 130), (190, 195, 198), (40, 60, 120))
"""Colours of hair, BGR."""


@dataclass(frozen=True, slots=True)
class Spell:
    """Something that somebody does from ``t`` to ``t`` + ``lasts`` seconds, ``how`` much: it comes and goes within ``ease``."""

    t: float
    lasts: float
    how: float
    ease: float = 1.0

    def at(self, t: float) -> float:
        """How much of it is done at ``t`` seconds: ``how`` in the middle, 0 before and after."""
        inside = min(t - self.t, self.t + self.lasts - t) / self.ease
        return self.how * minimum_jerk(inside) if inside > 0 else 0.0


@dataclass(frozen=True, slots=True)
class Sip:
    """A drink from ``t`` on: the hand goes to the glass, lifts it to the mouth, and puts it back."""

    t: float
    left: bool
    REACH, LIFT, DRINK = 0.7, 0.8, 1.3

    @property
    def until(self) -> float:
        """When the hand is home again."""
        return self.t + 2 * (self.REACH + self.LIFT) + self.DRINK

    def shares(self, t: float) -> tuple[float, float] | None:
        """How far the hand is on its way to the glass, and the glass on its way to the mouth; None: nobody drinks."""
        if not self.t <= t < self.until:
            return None
        since = min(t - self.t, self.until - t)
        return minimum_jerk(since / self.REACH), minimum_jerk((since - self.REACH) / self.LIFT)


@dataclass(frozen=True, slots=True)
class Guest:
    """One player: ``leans`` forward in degrees, ``turns`` to neighbours in degrees, ``sips`` from a ``glass``."""

    seat: Seat
    seed: int
    phase: float
    hair: tuple[int, int, int]
    leans: tuple[Spell, ...]
    turns: tuple[Spell, ...]
    sips: tuple[Sip, ...]
    glass: Prop | None

    def posture(self, t: float, wrists: Sequence[Vector | None]) -> Posture:
        """How they sit at ``t``, when their left and right hand have their wrists there; None: a hand hangs."""
        slow = math.floor(t * STEPS + self.phase) / STEPS
        sway = [math.sin(slow * pace + self.phase * (n + 1)) for n, pace in enumerate((0.61, 0.83, 0.37))]
        lean = UPRIGHT + 2.2 * sway[0] + max((spell.at(slow) for spell in self.leans), default=0.0)
        turn = 4 * sway[2] + sum(spell.at(slow) for spell in self.turns)
        return posture(self.seat, self.seed, lean, 14 * sway[1], turn, wrists)


@dataclass(frozen=True, slots=True, eq=False)
class Company:
    """All who sit at a table. ``timeline``: what they play."""

    timeline: Timeline
    guests: tuple[Guest, ...]

    def scene(self, scene: Scene) -> Scene:
        """The scene with people: bodies, arms that lead to the hands that are there, cards held in hands, glasses, and the
        places to be seen."""
        hands = {one.id: one for one in scene.fingers}
        held = tuple(self._held(scene.t, hands))
        sitters, glasses = [], []
        for number, guest in enumerate(self.guests):
            person = self.timeline.people[number]
            sip = next((one for one in guest.sips if one.shares(scene.t)), None)
            ids = tuple(f"hand.{number}.{side}" for side in ("left", "right"))
            wrists = [wrist_of(hands[name]) if name in hands else None for name in ids]
            sitting = guest.posture(scene.t, wrists)
            if sip is not None and guest.glass is not None:
                own = ids[0 if sip.left else 1]
                hands[own], glass = _drinking(guest, sitting, sip, scene.t, own, person.skin, person.sleeve)
                glasses.append(glass)
            elif guest.glass is not None:
                glasses.append(guest.glass)
            for left, name in ((True, ids[0]), (False, ids[1])):
                if name in hands:
                    hands[name] = replace(hands[name], limb=limb_of(sitting, wrist_of(hands[name]), left))
            sitters.append(SitterPose(
                f"sitter.{number}", sitting.hips, sitting.chest, sitting.head, guest.seat.facing, sitting.gaze, sitting.nod,
                (ids[0] not in hands, ids[1] not in hands), person.skin, person.sleeve, guest.hair, person.seed,
            ))  # fmt: skip
        places = tuple(
            CardPose(f"place.{number}", (self.timeline.plan.cards, "back"), *guest.seat.place, angle=guest.seat.facing)
            for number, guest in enumerate(self.guests)
        )
        return replace(scene, cards=(*scene.cards, *held), fingers=tuple(hands.values()), props=(*scene.props, *glasses),
                       sitters=tuple(sitters), places=places)  # fmt: skip

    def _held(self, t: float, hands: dict[str, FingersPose]) -> Iterator[CardPose]:
        """Cards taken off the table, held before the chest with their faces to the owner; adds the hands that hold them."""
        for name, card in self.timeline.cards.items():
            owner = card.owner_at(t)
            if owner is None or card.track.where_at(t) != "held":
                continue
            guest, person, lap = self.guests[owner], self.timeline.people[owner], card.track.at(t)
            times = [stay for stay, _ in card.track.stays]
            since = t - max(stay for stay in times if stay <= t)
            share = minimum_jerk(min(since, min((stay for stay in times if stay > t), default=t + 9) - t) / RAISE)
            left = math.dist((lap.x, lap.y), guest.seat.local(-60, -75, guest.seat.edge)) < 60
            if (own := f"hand.{owner}.{'left' if left else 'right'}") in hands:
                share = 0.0
            to = guest.seat.local(-35 if left else 35, -48, guest.seat.edge)
            x, y, z = lap.x + (to[0] - lap.x) * share, lap.y + (to[1] - lap.y) * share, lap.z + (60 - lap.z) * share
            yield CardPose(name, card.key, x, y, guest.seat.facing + 180, z, face_up=False, tilt=-64 * share, tilt_axis=90)
            if own not in hands:
                tips = guest.seat.local(0, 14, (x, y))
                hands[own] = FingersPose(own, *tips, guest.seat.facing + (8 if left else -8), z + 52, "hold", left, person.skin,
                                         person.sleeve, holds=name, seed=person.seed)  # fmt: skip


def company(timeline: Timeline, seed: int) -> Company:
    """The people of a clip. The same arguments give the same people, who do the same."""
    guests = []
    for number, seat in enumerate(timeline.plan.seats):
        rng = Random(f"guest {seed} {number}")
        leans = _spells(rng, timeline.duration, LEANING / 9.0, (4, 14), (14, 30))
        turns = _spells(rng, timeline.duration, 1 / 11, (1.5, 6), (-60, 60))
        glass = _glass(timeline.plan, timeline.props, seat, number, rng)
        sips = _sips(rng, timeline, number) if glass is not None else ()
        guests.append(Guest(seat, timeline.people[number].seed, rng.uniform(0, 60), rng.choice(HAIRS), leans, turns, sips, glass))
    return Company(timeline, tuple(guests))


def _spells(
    rng: Random, duration: float, often: float, lasts: tuple[float, float], how: tuple[float, float]
) -> tuple[Spell, ...]:
    """Spells that begin ``often`` times a second in which there is none."""
    found: list[Spell] = []
    t = rng.expovariate(often) - 5
    while t < duration:
        found.append(Spell(t, rng.uniform(*lasts), rng.uniform(*how), rng.uniform(0.5, 1.2)))
        t += found[-1].lasts + rng.expovariate(often)
    return tuple(found)


def _glass(plan: Plan, props: Sequence[Prop], seat: Seat, number: int, rng: Random) -> Prop | None:
    """A glass beside the place, on the side where no pedine lie, where there is room for it; not everybody has one."""
    if rng.random() < 0.25:
        return None
    kind, x_y = rng.choice(DRINKS), seat.local(-seat.token_side * rng.uniform(95, 130), rng.uniform(40, 120))
    others = [other.place for other in plan.seats if other is not seat] + [(prop.x, prop.y) for prop in props]
    if any(math.dist(x_y, other) < 95 for other in others):
        return None
    return Prop(f"glass.{number}", kind, *x_y, rng.uniform(0, 360), rng.uniform(0.85, 1.05), rng.randrange(1000))


def _sips(rng: Random, timeline: Timeline, number: int) -> tuple[Sip, ...]:
    """When a player drinks: with a hand that has nothing to do on the table from a second before to a second after."""
    seat = timeline.plan.seats[number]
    left = seat.token_side > 0
    track = next(one.track for one in timeline.fingers if one.seat == number and one.left == left)
    found: list[Sip] = []
    t = rng.uniform(1, 30)
    while t < timeline.duration:
        sip = Sip(t, left)
        moments = [t - 1 + 0.1 * step for step in range(int((sip.until - t + 2) * 10))]
        if all(track.where_at(moment) != "table" for moment in moments):
            found.append(sip)
            t = sip.until + rng.expovariate(SIPS / 60)
        t += 0.5
    return tuple(found)


def _drinking(
    guest: Guest, sitting: Posture, sip: Sip, t: float, name: str, skin: tuple[int, int, int], sleeve: tuple[int, int, int]
) -> tuple[FingersPose, Prop]:
    """The hand of somebody who drinks, and the glass that it holds."""
    assert guest.glass is not None
    glass, seat = guest.glass, guest.seat
    shares = sip.shares(t)
    assert shares is not None
    there, up = shares
    home = seat.home(sip.left)
    ax, ay = seat.local(0, 118, sitting.head[:2])
    x, y = glass.x + (ax - glass.x) * up, glass.y + (ay - glass.y) * up
    z = max(sitting.head[2] - 120.0, 60.0) * up
    side = -1 if sip.left else 1
    grip = seat.local(side * 18, 22, (x, y))
    hx, hy = home.x + (grip[0] - home.x) * there, home.y + (grip[1] - home.y) * there
    hand = FingersPose(
        name, hx, hy, seat.facing + side * 38 * there, z + 12 + 28 * there, "hold", sip.left, skin, sleeve, seed=guest.seed,
    )  # fmt: skip
    lifted = LiftedProp(glass.id, glass.kind, x, y, glass.angle, glass.size, glass.seed, z=z) if up > 0 else glass
    return hand, lifted
