"""The finished choreography: a `Scene` for every moment, and the time at which each line of the log happened."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace

from companion.table.log import Line
from workshop.choreography.barlife import Hunt, Person
from workshop.choreography.ensemble import Card, Coin, Fingers, count_in_deck
from workshop.choreography.layout import Plan
from workshop.choreography.motion import Pose, Track, Where
from workshop.stage.scene import CardPose, FingersPose, Prop, Scene, StackPose

DECK_ID = "deck"


@dataclass(frozen=True, slots=True, eq=False)
class Timeline:
    """A whole clip before it is filmed. ``events``: for each of ``lines`` the second at which it has happened on the table.
    ``duration``: seconds. ``cards``: by id, ``gnao.0`` (Stù),
    ``denari-7`` or ``pedina.SEAT.N`` (ramino). ``coins``: what moves beside the cards."""

    plan: Plan
    lines: tuple[Line, ...]
    events: tuple[float, ...]
    duration: float
    cards: Mapping[str, Card]
    fingers: tuple[Fingers, ...]
    deck: Track
    props: tuple[Prop, ...]
    people: tuple[Person, ...]
    hunting: tuple[Hunt, ...]
    coins: tuple[Coin, ...] = ()

    def where(self, card: str, t: float) -> Where:
        """Where a card is at ``t``."""
        return self.cards[card].track.where_at(t)

    def pose(self, card: str, t: float) -> Pose:
        """The pose of a card at ``t``; the last one that it had on the table where it is not there."""
        return self.cards[card].track.at(t)

    def at(self, t: float) -> Scene:
        """Everything on the table at ``t`` seconds, cards bottom to top."""
        on_table = [(name, card) for name, card in self.cards.items() if card.track.where_at(t) == "table"]
        on_table.sort(key=lambda entry: (entry[1].track.touched(t), entry[0]))
        deck = self.deck.at(t)
        count = count_in_deck(self.cards.values(), t)
        stacks = (StackPose(DECK_ID, (self.plan.cards, "back"), deck.x, deck.y, deck.angle, count),) if count else ()
        gain, defocus = 1.0, 0.0
        for hunt in self.hunting:
            share = hunt.share(t)
            gain *= 1 + (hunt.gain - 1) * share
            defocus = max(defocus, hunt.defocus * share)
        return Scene(
            cards=tuple(_card_pose(name, card, t) for name, card in on_table),
            fingers=tuple(self._fingers_pose(fingers, t) for fingers in self.fingers if fingers.track.where_at(t) == "table"),
            props=(*self.props, *(_coin_pose(coin, t) for coin in self.coins if coin.track.where_at(t) == "table")),
            stacks=stacks,
            t=t,
            gain=gain,
            defocus=defocus,
        )

    def _fingers_pose(self, fingers: Fingers, t: float) -> FingersPose:
        seat, person, pose = self.plan.seats[fingers.seat], self.people[fingers.seat], fingers.track.at(t)
        shoulder = seat.local(-190 if fingers.left else 190, -330, seat.edge)
        angle = math.degrees(math.atan2(pose.y - shoulder[1], pose.x - shoulder[0])) - 90
        # The arm turns away from where its owner looks; the wrist bends back 30 % of that.
        turn = (angle - seat.facing + 180) % 360 - 180
        return FingersPose(
            id=f"hand.{fingers.seat}.{'left' if fingers.left else 'right'}",
            x=pose.x, y=pose.y, angle=seat.facing + turn * 0.7, z=max(pose.z, 2.0), grip=fingers.grip_at(t), left=fingers.left,
            skin=person.skin, sleeve=person.sleeve, elbow=turn * 0.3, seed=person.seed,
        )  # fmt: skip


def _coin_pose(coin: Coin, t: float) -> Prop:
    pose = coin.track.at(t)
    return replace(coin.prop, x=pose.x, y=pose.y, angle=pose.angle)


def _card_pose(name: str, card: Card, t: float) -> CardPose:
    pose = card.track.at(t)
    common = {"id": name, "key": card.key, "x": pose.x, "y": pose.y, "z": pose.z, "layer": card.layer_at(t)}
    if card.token:
        return CardPose(**common, angle=pose.angle, face_up=card.key[1] != "back")  # type: ignore[arg-type]
    up = pose.turn >= 90
    tilt = pose.turn - 180 if up else pose.turn
    if pose.pitch and not up:
        # About the short axis a card that lies face down is the one that lies face down about the long axis, half a turn on.
        lifted = {"angle": pose.angle + 180 + pose.spin, "tilt": -pose.pitch, "tilt_axis": 90 - pose.spin}
        return CardPose(**common, **lifted, face_up=False)  # type: ignore[arg-type]
    if pose.pitch:
        return CardPose(**common, angle=pose.angle, face_up=True, tilt=pose.pitch, tilt_axis=90)  # type: ignore[arg-type]
    return CardPose(**common, angle=pose.angle, face_up=up, tilt=tilt)  # type: ignore[arg-type]
