"""Those who play sit behind their places: their arms lead to the hands that the choreography moves, and change nothing of it."""

from __future__ import annotations

import math
from dataclasses import replace
from random import Random

import numpy as np
import pytest
from directed import GNAFFATA, Evening

from companion.table.errors import ScriptError
from workshop.choreography.layout import plan_table
from workshop.choreography.play import direct
from workshop.choreography.posture import FORE, UPPER, wrist_of
from workshop.choreography.seated import Company, company
from workshop.stage.scene import LiftedProp, Prop


@pytest.fixture(scope="module")
def seated() -> Company:
    """Twelve who play a hand, at a table with room for them."""
    lines = Evening(12, 1, 4, "hard", 1.0).lines
    return company(direct(lines, seed=4, level="hard", people=True, shape="round"), 4)


def moments(seated: Company, count: int = 60) -> list[float]:
    return [seated.timeline.duration * n / count for n in range(count)]


def test_hands_and_cards_are_where_they_were_directed(seated: Company) -> None:
    for t in moments(seated):
        plain, scene = seated.timeline.at(t), seated.scene(seated.timeline.at(t))
        assert scene.cards[: len(plain.cards)] == plain.cards
        hands = {one.id: replace(one, limb=None) for one in scene.fingers}
        assert all(hands[one.id] == one for one in plain.fingers)


def test_every_arm_is_there_once_and_as_long_as_an_arm(seated: Company) -> None:
    for t in moments(seated):
        scene = seated.scene(seated.timeline.at(t))
        hands = {one.id: one for one in scene.fingers}
        for number, sitter in enumerate(scene.sitters):
            for hangs, side in zip(sitter.hangs, ("left", "right"), strict=True):
                hand = hands.get(f"hand.{number}.{side}")
                assert hangs == (hand is None)
                if hand is None:
                    continue
                assert hand.limb is not None
                elbow, shoulder = np.array(hand.limb)
                assert np.linalg.norm(shoulder - elbow) < 1.4 * UPPER
                assert np.linalg.norm(elbow - wrist_of(hand)) < 1.4 * FORE
                assert math.dist(shoulder, sitter.chest) < 260


def test_a_card_that_was_taken_up_is_held_before_its_owner() -> None:
    for seed in range(30):
        evening = Evening(10, 1, seed, "hard", 1.0)
        timeline = evening.timeline
        held = [(name, t, t1) for name, card in timeline.cards.items() for (t, where), (t1, _) in
                zip(card.track.stays, card.track.stays[1:], strict=False) if where == "held" and t1 - t > 1.2]  # fmt: skip
        if held:
            break
    name, start, end = held[0]
    owner = timeline.cards[name].owner_at(start)
    assert owner is not None
    here = company(timeline, seed)
    scene = here.scene(timeline.at((start + end) / 2))
    card = next(card for card in scene.cards if card.id == name)
    assert not card.face_up
    assert math.dist((card.x, card.y), timeline.plan.seats[owner].edge) < 150
    assert all(one.id != name for one in here.scene(timeline.at(start - 0.01)).cards[len(timeline.at(start - 0.01).cards) :])


def test_a_glass_is_in_one_place_and_goes_to_its_owners_mouth(seated: Company) -> None:
    guest = next(one for one in seated.guests if one.sips)
    assert guest.glass is not None
    (sip, *_) = guest.sips

    def glass(t: float) -> Prop:
        (only,) = (prop for prop in seated.scene(seated.timeline.at(t)).props if guest.glass and prop.id == guest.glass.id)
        return only

    assert glass(sip.t - 0.1) == guest.glass
    lifted = glass((sip.t + sip.until) / 2)
    number = seated.guests.index(guest)
    head = seated.scene(seated.timeline.at((sip.t + sip.until) / 2)).sitters[number].head
    assert isinstance(lifted, LiftedProp)
    assert math.dist((lifted.x, lifted.y, lifted.z), head) < 260
    assert glass(sip.until + 0.1) == guest.glass


def test_nobody_jumps(seated: Company) -> None:
    before = seated.scene(seated.timeline.at(20.0)).sitters
    for n in range(1, 60):
        now = seated.scene(seated.timeline.at(20.0 + n / 25)).sitters
        assert all(math.dist(a.chest, b.chest) < 70 for a, b in zip(before, now, strict=True))
        before = now


def test_people_sway_and_some_lean_forward(seated: Company) -> None:
    scenes = [seated.scene(seated.timeline.at(t)).sitters for t in moments(seated)]
    for number in range(12):
        assert len({sitters[number].chest for sitters in scenes}) > 10
    low = [sitter.chest[2] for sitters in scenes for sitter in sitters]
    assert 0.02 < np.mean(np.array(low) < np.median(low) - 25) < 0.6


def test_the_same_evening_has_the_same_people(seated: Company) -> None:
    again = company(seated.timeline, 4)
    assert again.scene(seated.timeline.at(12.3)) == seated.scene(seated.timeline.at(12.3))


@pytest.mark.parametrize("players", range(10, 21))
@pytest.mark.parametrize("shape", ["round", "rect"])
def test_there_is_room_for_everybodys_shoulders(players: int, shape: str) -> None:
    plan = plan_table(tuple(map(str, range(players))), Random(players), shape, people=True)  # type: ignore[arg-type]
    chairs = [seat.local(0, -180, seat.edge) for seat in plan.seats]
    assert min(math.dist(a, b) for n, a in enumerate(chairs) for b in chairs[:n]) > 350


def test_a_table_without_people_is_laid_as_ever() -> None:
    assert direct(GNAFFATA, seed=3).plan == direct(GNAFFATA, seed=3, people=False).plan


def test_people_are_refused_where_hands_would_have_to_hold_the_cards() -> None:
    from played import Stoppa

    with pytest.raises(ScriptError, match="no people in Stoppa"):
        direct(Stoppa(3, 1, 1, "easy", 1.0).timeline.lines, seed=1, people=True)
