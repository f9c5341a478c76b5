"""The shell game: cards really change places, the answer is what the exchanges say, and no face is looked at before."""

from __future__ import annotations

from itertools import combinations

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.assets import asset
from companion.eyes.sighting import Appeared, DeckExchanged, Exchanged
from companion.workshop.bench.shellexam import Sitting, mark, which_is_which
from companion.workshop.bench.shellgame import FACES, ShellGame, play, read_shell_game

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


@given(st.lists(st.sampled_from([(0, 1), (1, 2), (0, 2)]), min_size=5, max_size=5))
def test_the_answer_follows_from_the_exchanges(pairs: list[tuple[int, int]]) -> None:
    lies = [0, 1, 2]
    for a, b in pairs:
        lies[a], lies[b] = lies[b], lies[a]
    seen = [Exchanged(float(n), n + 0.5, pair, 0.9) for n, pair in enumerate(pairs)]
    assert which_is_which([Appeared(0.0, 0), *seen], 5) == tuple(lies)
    doubtful = Exchanged(2.2, 2.4, (0, 1), 0.5)
    assert which_is_which([*seen, doubtful], 5) == tuple(lies), "of six reports the least likely is no exchange"


def test_fewer_reports_than_exchanges_are_completed() -> None:
    """The longest lasting one was two in a row; where none lasted, the doubtful one has happened."""
    others = [Exchanged(float(n), n + 0.5, (1, 2), 0.9) for n in (10, 12, 14)]
    twice = Exchanged(3.0, 6.0, (0, 1), 0.9)
    assert which_is_which([twice, *others], 5) == which_is_which(others, 3)
    doubtful = Exchanged(8.0, 8.5, (0, 2), 0.2)
    assert which_is_which([Exchanged(3.0, 3.9, (0, 1), 0.9), doubtful, *others], 5) != which_is_which([twice, *others], 5)
    assert which_is_which([], 5) == (0, 1, 2)


def test_two_who_seem_to_draw_where_there_is_no_deck_have_exchanged() -> None:
    together = [DeckExchanged(3.0, 3.2, 1, 0.75), DeckExchanged(3.4, 3.4, 0, 0.75)]
    assert which_is_which(together, 5) == (1, 0, 2)
    assert which_is_which([together[0], DeckExchanged(9.0, 9.1, 0, 0.75)], 5) == (0, 1, 2)


def test_marks_count_clips_cards_and_exchanges() -> None:
    swaps = ((3.0, (0, 1)), (6.0, (1, 2)))
    right = Sitting(0, (1, 2, 0), (1, 2, 0), swaps, ((3.1, (0, 1), 0.9), (6.2, (1, 2), 0.9)), (1, 2, 0))
    wrong = Sitting(1, (1, 2, 0), (1, 0, 2), swaps, ((3.1, (0, 1), 0.9), (9.0, (0, 2), 0.5)), (None, 2, 0))
    found = mark([right, wrong])
    assert (found.whole.hits, found.cards.hits, found.cards.of) == (1, 4, 6)
    assert (found.recall.hits, found.recall.of, found.invented) == (3, 4, 1)
    assert found.tracked is not None
    assert found.tracked.hits == 1
    assert mark([msgspec.structs.replace(right, tracked=None)]).tracked is None
