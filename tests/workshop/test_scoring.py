"""The scorer of hands: what it takes for the same hand, the same move, and a ruling that is sure."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.stu.bots import PLAIN, Settings, seated, simulate
from companion.table.sure import SURE_FROM
from workshop.bench.stu.hands import Deed, PlayedHand, common, compared, played
from workshop.choreography.stu.director import direct
from workshop.scoring import Verdict, matched
from workshop.streams.stu.evenings import timed

HAND = PlayedHand("Carla", ("Anna", "Carla"), 0.0, 20.0, True, False, ({"player": "Anna", "delta": -100},), (), 18.0, 0.99)


def exchange(t: float, *who: str) -> Deed:
    return Deed("exchange", t, who or ("Anna", "Bruno"))


@given(seed=st.integers(0, 10**6), players=st.integers(2, 8))
@settings(max_examples=8)
def test_a_log_beside_itself_is_right_in_everything(seed: int, players: int) -> None:
    game = simulate(Settings(players=seated(players), event_probabilities=PLAIN), hands=2, seed=seed)
    hands = played(timed(direct(game, seed=seed)))
    verdicts = compared(hands, hands, 3.0)
    assert [verdict.index for verdict in verdicts] == list(range(len(hands)))
    assert all(verdict.right == hand.over for verdict, hand in zip(verdicts, hands, strict=True))
    assert all(pair[0] == pair[1] for verdict in verdicts for pair in verdict.found)


@given(st.lists(st.tuples(st.floats(0, 100), st.floats(0, 30)), max_size=6), st.lists(st.floats(0, 100), max_size=6))
def test_hands_are_matched_one_to_one_where_they_share_time(spans: list[tuple[float, float]], starts: list[float]) -> None:
    true = [replace(HAND, start=start, end=start + length) for start, length in spans]
    seen = [replace(HAND, start=start, end=start + 10) for start in starts]
    pairs = matched(true, seen)
    assert len(set(pairs.values())) == len(pairs)
    assert all(true[i].start < seen[j].end and seen[j].start < true[i].end for i, j in pairs.items())


@pytest.mark.parametrize(
    ("true", "seen", "pairs"),
    [
        ([exchange(10)], [exchange(13)], ((0, 0),)),
        ([exchange(10)], [exchange(13.1)], ()),
        ([exchange(10)], [exchange(10, "Anna", "Carla")], ()),
        ([exchange(10)], [Deed("draw", 10, ("Anna", "Bruno"))], ()),
        ([exchange(10), exchange(12)], [exchange(11.5)], ((1, 0),)),
        ([exchange(10), exchange(12)], [exchange(11.5), exchange(12.1)], ((0, 0), (1, 1))),
    ],
    ids=["in time", "too late", "others", "another move", "the nearest", "each once"],
)
def test_a_move_is_told_by_the_same_one_near_it(true: list[Deed], seen: list[Deed], pairs: tuple[tuple[int, int], ...]) -> None:
    assert common(true, seen, 3.0) == pairs


@pytest.mark.parametrize(
    ("seen", "confidence", "sure"),
    [
        (None, None, False),
        (replace(HAND, over=False), None, False),
        (replace(HAND, confidence=None), 1.0, True),
        (replace(HAND, confidence=SURE_FROM), SURE_FROM, True),
        (replace(HAND, confidence=SURE_FROM - 0.001), SURE_FROM - 0.001, False),
    ],
    ids=["not seen", "not over", "a log that does not say", "just sure", "just not"],
)
def test_a_ruling_is_sure_from_the_one_threshold_on(seen: PlayedHand | None, confidence: float | None, sure: bool) -> None:
    verdict = Verdict(HAND, seen)
    assert (verdict.confidence, verdict.sure) == (confidence, sure)


def test_a_hand_that_was_never_played_is_never_right() -> None:
    true, invented = compared([HAND], [HAND, replace(HAND, start=30.0, end=50.0)], 3.0)
    assert (true.right, invented.right, invented.sure, invented.index) == (True, False, True, 1)
