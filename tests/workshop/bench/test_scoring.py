"""Hands are matched by time, payments compared to the last key, and what went wrong is named."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from companion.games.stu.rules.log import read_lines
from companion.table.log import Line
from workshop.bench.latency import LogVersion, latencies
from workshop.bench.report import rate
from workshop.bench.scoring import causes_in_order
from workshop.bench.stu.hands import played
from workshop.bench.stu.report import figures
from workshop.bench.stu.scoring import ClipScore, score
from workshop.scoring import Verdict, matched

PEOPLE = ("Anna", "Bruno", "Carla")
GAME = {"e": "game", "v": 1, "game": "stu", "players": PEOPLE, "stake": 100, "currency": "EUR", "dealer": "Carla"}


def log(*events: dict[str, Any]) -> tuple[Line, ...]:
    return read_lines(b"\n".join(msgspec.json.encode(event) for event in (GAME, *events)))


def hand(
    t: float, *deeds: dict[str, Any], anna: str = "2", bruno: str = "7", carla: str = "9", confidence: float = 0.99
) -> list[dict[str, Any]]:
    """A hand of twenty seconds from ``t`` on: what is done in it, then all show."""
    faces = {"Anna": anna, "Bruno": bruno, "Carla": carla}
    shows = [{"e": "reveal", "by": who, "card": card, "t": t + 15 + i} for i, (who, card) in enumerate(faces.items())]
    return [{"e": "hand", "t": t}, *deeds, *shows, {"e": "end", "t": t + 20, "confidence": confidence}]


def asks(t: float) -> list[dict[str, Any]]:
    return [{"e": "passo", "by": "Anna", "t": t}, {"e": "swap", "with": "Bruno", "t": t + 2}]


def told(*lines: Line) -> tuple[LogVersion, ...]:
    return (LogVersion(1000.0, tuple(lines)),)


def one(true: list[dict[str, Any]], seen: list[dict[str, Any]]) -> ClipScore:
    return score(log(*true), told(*log(*seen)))


def test_what_is_told_as_it_happened_is_right() -> None:
    clip = one(hand(0, *asks(4)), hand(0.5, *asks(4.4)))
    assert [(h.right, h.exchanges, h.exchanges_seen, h.exchanges_found, h.causes) for h in clip.hands] == [(True, 1, 1, 1, ())]
    assert clip.invented == ()


@pytest.mark.parametrize(
    ("true", "seen", "causes"),
    [
        (hand(0, *asks(4)), hand(0, bruno="2", anna="7"), ("exchange missed", "face misread")),
        (hand(0), hand(0, *asks(4), anna="1"), ("exchange invented", "face misread")),
        (hand(0), hand(0, anna="8", bruno="7"), ("face misread",)),
        (hand(0), hand(0)[:-1], ("not ended",)),
        (hand(0), [*hand(0)[:3], {"e": "void", "t": 20}], ("face not seen", "given up")),
        (
            hand(0, {"e": "passo", "by": "Anna", "t": 4}, {"e": "reveal", "by": "Bruno", "card": "gnao", "t": 6}, bruno="gnao"),
            hand(0, bruno="gnao"),
            ("refusal missed",),
        ),
    ],
)
def test_the_cause_of_a_wrong_ruling_is_named(
    true: list[dict[str, Any]], seen: list[dict[str, Any]], causes: tuple[str, ...]
) -> None:
    (found,) = one(true, seen).hands
    assert not found.right
    assert set(causes) <= set(found.causes)
    assert len(found.differences) >= len(found.causes)


def test_payments_are_compared_to_the_last_key() -> None:
    """The same player pays the same for another card: not the same ruling."""
    (found,) = one(hand(0, anna="2"), hand(0, anna="1")).hands
    assert not found.right


def test_a_missing_hand_is_wrong_and_moves_no_other() -> None:
    clip = one([*hand(0), *hand(30, anna="8"), *hand(60)], [*hand(0), *hand(60)])
    assert [h.found for h in clip.hands] == [True, False, True]
    assert clip.hands[0].right
    assert clip.hands[1].causes == ("hand not seen",)


def test_a_hand_that_nobody_played_is_no_hand_s_partner() -> None:
    clip = one(hand(0), [*hand(0), *hand(30, confidence=0.97)])
    assert clip.hands[0].right
    assert clip.invented == (0.97,)
    assert figures([clip]).sure_and_wrong.hits == 1


def test_hands_are_matched_by_the_time_that_they_share() -> None:
    true = played(log(*hand(0), *hand(30)))
    seen = played(log(*hand(18), *hand(52)))
    assert matched(true, seen) == {0: 0} or matched(true, seen) == {1: 0}
    shifted = played(log(*hand(3), *hand(33)))
    assert matched(true, shifted) == {0: 0, 1: 1}


def test_a_wrong_ruling_told_as_sure_is_counted() -> None:
    unsure, sure = (one(hand(0), hand(0, anna="8", confidence=c)) for c in (0.7, 0.96))
    assert figures([unsure]).sure_and_wrong.hits == 0
    assert figures([sure]).sure_and_wrong.hits == 1


def test_latency_runs_from_the_last_face_to_the_ruling_that_lasts() -> None:
    whole = log(*hand(0))
    early = log(*hand(0, anna="8"))
    moments = (LogVersion(17.1, whole), LogVersion(17.3, early), LogVersion(17.9, whole), LogVersion(25.0, whole))
    (seen,) = played(whole)
    assert latencies([Verdict(seen, seen, 0)], moments, played, lambda hand: hand.last_face) == {0: pytest.approx(0.9)}


def test_a_hand_in_progress_is_taken_apart_too() -> None:
    (running,) = played(log(*hand(0, *asks(4))[:3]))
    assert not running.over
    assert [deed.kind for deed in running.deeds] == ["exchange"]
    assert running.deeds[0].who == ("Anna", "Bruno")


def test_rates_come_with_wilson_s_interval() -> None:
    """Against the closed form by hand: 8 of 10 lies between 0.490 and 0.943."""
    found = rate(8, 10)
    assert (round(found.low, 3), round(found.high, 3)) == (0.490, 0.943)
    nothing = rate(0, 300)
    assert nothing.low == 0
    assert nothing.high == pytest.approx(0.0126, abs=1e-4)


def test_the_first_cause_of_each_wrong_hand_is_counted_once() -> None:
    clip = one([*hand(0), *hand(30), *hand(60)], [*hand(0, *asks(4), anna="1"), *hand(30, anna="1"), *hand(60)])
    assert causes_in_order(clip.hands) == {"exchange invented": 1, "face misread": 1}


@pytest.mark.parametrize(
    ("anna", "confidence", "counts"),
    [("8", 0.96, True), ("8", 0.9, False), ("2", 0.96, False)],
    ids=["another, as sure", "another, not sure", "the same, as sure"],
)
def test_a_ruling_that_was_sure_for_a_while_and_is_another_in_the_end_is_counted(
    anna: str, confidence: float, counts: bool
) -> None:
    before = log(*hand(0, anna=anna, confidence=confidence))
    found = score(log(*hand(0)), [LogVersion(5.0, before), LogVersion(8.0, log(*hand(0)))])
    assert found.hands[0].right
    assert figures([found]).taken_back.hits == counts
