"""The shell game: cards really change places, the answer is what the exchanges say, and no face is looked at before."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.assets import asset
from workshop.bench.stu.shelldecoder import Moments, decode, lies_where
from workshop.bench.stu.shellexam import FACES, ShellGame, Sitting, mark, play, read_shell_game

EXAM = ShellGame(about="", clips=20, seed=860000, swaps=5, size=(320, 180), fps=10, tempo=(1.0, 1.5))


@pytest.mark.parametrize("number", range(12))
def test_the_answer_is_where_the_cards_lie_when_they_are_turned(number: int) -> None:
    """The answer against the cards' own tracks: where each began and where it is turned face up."""
    game = play(EXAM, number)
    line = game.made.timeline
    places = np.array([seat.place for seat in line.plan.seats])
    for home, face in enumerate(FACES):
        track = line.cards[f"{face}.0"].track
        began, ends = (np.array([pose.x, pose.y]) for pose in (track.at(0.0), track.at(line.duration)))
        assert np.linalg.norm(places - began, axis=1).argmin() == home
        place = int(np.linalg.norm(places - ends, axis=1).argmin())
        assert game.answer[place] == home
        assert track.at(line.duration).turn == 180


@pytest.mark.parametrize("number", range(12))
def test_no_face_shows_before_the_question_is_answered(number: int) -> None:
    game = play(EXAM, number)
    times = np.arange(0, game.still, 0.1)
    assert not any(card.face_up or card.tilt for t in times for card in game.made.timeline.at(t).cards)


def test_every_clip_has_five_exchanges_of_two_places() -> None:
    exam = read_shell_game(asset("datasets/shell-game.yaml"))
    assert exam.clips == 200
    pairs = [swap[1] for number in range(30) for swap in play(exam, number).swaps]
    assert len(pairs) == 30 * 5
    assert set(pairs) == set(combinations(range(3), 2))


PAIRS = ((0, 1), (0, 2), (1, 2))


def hands(
    swaps: Sequence[tuple[float, tuple[int, int]]], rng: np.random.Generator, *, arms: float = 0.0, relaid: bool = True
) -> Moments:
    """Looks at three cards; two at a time change places: each takes a second, both cards are out of sight in it, and as
    a rule something moves between them. ``arms``: how much of that moves between one of them and the third as well;
    ``relaid``: the two lie differently afterwards."""
    t = np.arange(0, swaps[-1][0] + 3, 1 / 15)
    stirs, rests = np.zeros((len(t), 3)), rng.random((len(t), 3)) < 0.9
    lies = np.zeros((len(t), 3, 3)) + (5.0, 3.0, 90.0) + rng.normal(0, 0.003, (len(t), 3, 3))
    for end, pair in swaps:
        during = (t > end - 1) & (t <= end)
        stirs[during, PAIRS.index(pair)] = np.clip(rng.normal(0.5, 0.2, during.sum()), 0, 1) / 15
        stirs[during, PAIRS.index(next(other for other in PAIRS if other != pair))] = arms * 0.5 / 15
        rests[:, list(pair)] &= ~during[:, None]
        if relaid:
            lies[t > end, pair[0]] += (0.1, 0.0, 4.0)
            lies[t > end, pair[1]] += (0.0, -0.1, -4.0)
    lies[~rests] = np.nan
    return Moments(t, stirs, rests, lies, PAIRS)


@settings(max_examples=20)
@given(
    st.lists(st.tuples(st.sampled_from(PAIRS), st.floats(1.4, 3)), min_size=5, max_size=5), st.integers(0, 9), st.floats(0, 0.8)
)
def test_the_answer_follows_from_whose_hands_move(told: list[tuple[tuple[int, int], float]], seed: int, arms: float) -> None:
    """Also where an arm crosses the third's corridor: the third card stays in sight."""
    ends = np.cumsum([pause for _, pause in told]) + 2
    swaps = [(float(end), pair) for end, (pair, _) in zip(ends, told, strict=True)]
    found = decode(hands(swaps, np.random.default_rng(seed), arms=arms), 5)
    assert [pair for _, _, pair in found] == [pair for _, pair in swaps]
    assert all(abs(until - end) < 0.5 for (_, until, _), (end, _) in zip(found, swaps, strict=True))


def test_of_more_movement_than_exchanges_the_least_likely_is_none() -> None:
    swaps = [(float(n) * 2 + 3, PAIRS[n % 3]) for n in range(5)]
    seen = hands(swaps, np.random.default_rng(1))
    seen.stirs[(seen.t > 11.4) & (seen.t < 11.7), 0] = 0.3 / 15  # somebody reaches for a glass
    assert [pair for _, _, pair in decode(seen, 5)] == [pair for _, pair in swaps]


def test_where_nothing_moved_nothing_was_exchanged() -> None:
    still = Moments(np.arange(0, 5, 0.1), np.zeros((50, 3)), np.ones((50, 3), bool), np.zeros((50, 3, 3)), PAIRS)
    assert decode(still, 5) == ()
    assert decode(Moments(np.zeros(0), np.zeros((0, 3)), np.zeros((0, 3), bool), np.zeros((0, 3, 3)), PAIRS), 5) == ()


def test_hands_that_move_between_the_wrong_two_are_outweighed_by_how_the_cards_lie() -> None:
    """The camera sees arms over a corridor that is not theirs; but the third card lies just as before, and the two do not."""
    swaps = [(float(n) * 2 + 3, PAIRS[n % 3]) for n in range(5)]
    seen = hands(swaps, np.random.default_rng(2), arms=1.15)
    assert [pair for _, _, pair in decode(seen, 5)] == [pair for _, pair in swaps]


@given(st.lists(st.sampled_from(PAIRS), max_size=6))
def test_cards_lie_where_the_exchanges_brought_them(pairs: list[tuple[int, int]]) -> None:
    cards = [0, 1, 2]
    for a, b in pairs:
        cards[a], cards[b] = cards[b], cards[a]
    assert lies_where([(float(n), n + 0.5, pair) for n, pair in enumerate(pairs)], 3) == tuple(cards)


def test_marks_count_clips_cards_and_exchanges() -> None:
    swaps = ((3.0, (0, 1)), (6.0, (1, 2)))
    right = Sitting(0, (1, 2, 0), (1, 2, 0), swaps, ((3.1, (0, 1)), (6.2, (1, 2))), (1, 2, 0))
    wrong = Sitting(1, (1, 2, 0), (1, 0, 2), swaps, ((3.1, (0, 1)), (9.0, (0, 2))), (None, 2, 0))
    found = mark([right, wrong])
    assert (found.whole.hits, found.cards.hits, found.cards.of) == (1, 4, 6)
    assert (found.recall.hits, found.recall.of, found.invented) == (3, 4, 1)
    assert found.tracked is not None
    assert found.tracked.hits == 1
    assert mark([msgspec.structs.replace(right, tracked=None)]).tracked is None
