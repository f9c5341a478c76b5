"""What all looks at a face say of its kind together."""

from __future__ import annotations

import pytest

from companion.eyes.following import lying
from companion.eyes.following.lying import FaceEpisode
from companion.eyes.sighting import CardSeen, Odds

KINDS = tuple(f"coppe-{number}" for number in range(1, 11))
PLAIN: Odds = (("coppe-6", 0.95), ("coppe-7", 0.05))
ANY: Odds = tuple((kind, 0.1) for kind in KINDS)


def after(*looks: Odds, power: float = 1.0) -> dict[str, float]:
    """Kind → probability, in the order in which they are reported."""
    face = FaceEpisode(1, 0.0, 0.0, power=power)
    for number, odds in enumerate(looks):
        face.add(0.1 * number, CardSeen(((0, 0), (1, 0), (1, 2), (0, 2)), "italian", "face", 0.9, None, odds))
    return dict(face.alternatives())


def test_many_looks_that_say_the_same_are_no_surer_than_one() -> None:
    assert after(*[PLAIN] * 20)["coppe-6"] == pytest.approx(0.95)


def test_looks_at_a_card_under_a_hand_take_little_from_those_that_read_it() -> None:
    assert after(*[PLAIN] * 5, *[ANY] * 10)["coppe-6"] > 0.85


def test_a_fan_that_was_open_when_it_was_laid_is_not_outvoted_by_the_strips_that_show_of_it() -> None:
    strip: Odds = (("coppe-7", 0.26), ("coppe-6", 0.08), *((kind, 0.07) for kind in KINDS if kind not in ("coppe-6", "coppe-7")))
    found = after(*[PLAIN] * 5, *[strip] * 80, power=lying.WEIGHT_POWER)
    assert max(found, key=lambda kind: found[kind]) == "coppe-6"


def test_looks_that_read_two_kinds_leave_it_open() -> None:
    found = after(PLAIN, (("coppe-7", 0.95), ("coppe-6", 0.05)))
    assert found["coppe-6"] == pytest.approx(found["coppe-7"])


def test_kinds_that_are_as_likely_stand_in_the_order_of_their_ids() -> None:
    found = after(ANY, tuple(reversed(ANY)))
    assert list(found) == sorted(KINDS)
    assert len(set(found.values())) == 1
