"""A clip with some seconds cut out and the time stamps closed up: what was not seen is not told as sure."""

from __future__ import annotations

from collections.abc import Hashable
from itertools import zip_longest

import pytest
import recorded_looks
import splices

from companion.eyes.following.splices import unspliced
from companion.games import GAMES
from companion.referee import at_the_end
from companion.referee.questions import question
from companion.table.log import tag
from companion.table.sure import SURE_FROM
from companion.table.text import not_seen

CLIPS = ("stu", "stoppa", "stoper")


def truth(game: str) -> splices.Cut:
    """What the hands of a clip came to, by the log of how it was played."""
    rules, path = GAMES[game].rules, recorded_looks.DemoClip(game).path
    first, *lines = rules.LOG.read_lines(path.with_name("log.jsonl").read_bytes())
    state, hands = rules.begin(first.event), list[tuple[Hashable, float]]()
    for line, following in zip_longest(lines, lines[1:]):
        state = rules.apply(state, line.event)
        if following is None or tag(following.event) == "hand":
            hands.append((rules.outcome(state), 1.0))
    return splices.Cut(0, 0, tuple(hands))


@pytest.mark.parametrize("game", CLIPS)
def test_nothing_is_missing_from_a_whole_clip(game: str) -> None:
    whole = list(recorded_looks.seen(game))
    assert [one.frame_quality for one in unspliced(whole)] == [one.frame_quality for one in whole]


@pytest.mark.parametrize(
    ("game", "since"), [("stu", 54.0), pytest.param("stoppa", 20.0, marks=pytest.mark.thorough), ("stoper", 12.0)]
)
def test_eight_seconds_cut_out_are_a_time_not_seen(game: str, since: float) -> None:
    (gap,) = splices.cut(game, since, 8.0).gaps
    assert gap.places is None
    assert gap.until == pytest.approx(since, abs=0.1)


@pytest.mark.slow
@pytest.mark.parametrize("since", [pytest.param(52.0, marks=pytest.mark.thorough), 54.0])
def test_a_hand_with_a_part_cut_out_is_not_ruled_wrong_and_sure(since: float) -> None:
    """Donato's Bragon was shown in it, and Filomena paid for the Matto as the first to be asked."""
    evening = splices.cut("stu", since, 8.0).evening
    assert evening is not None
    first, *others = (chapter for chapter in at_the_end(evening).chapters if chapter.played)
    assert (first.probability or 0.0) >= SURE_FROM, "it was over before"
    assert others
    assert all((chapter.probability or 0.0) < SURE_FROM for chapter in others)
    asked = question(evening)
    assert asked is not None
    assert GAMES["stu"].pages.question(asked, "it") == "Una parte non vista. Intanto è cominciata un’altra mano?"


def test_a_hand_that_is_sure_and_came_to_something_else_is_counted_as_wrong() -> None:
    """One that was cut out may be missing between two others; one that is not sure is not wrong."""
    whole = splices.Cut(0, 0, (("Anna", 1.0), ("Bruno", 1.0), ("Carla", 1.0)))

    def wrong(*hands: tuple[str, float]) -> tuple[int, ...]:
        return splices.wrong_and_sure(whole, splices.Cut(4, 8, hands))

    assert wrong(("Anna", 1.0), ("Bruno", 1.0), ("Carla", 1.0)) == ()
    assert wrong(("Anna", 1.0), ("Carla", 1.0)) == ()
    assert wrong(("Anna", 1.0), ("Dino", 0.5), ("Carla", 1.0)) == ()
    assert wrong(("Dino", 1.0), ("Bruno", 1.0), ("Anna", 1.0)) == (1, 3)


def test_a_cut_clip_of_stoper_is_never_wrong_and_sure() -> None:
    cut = splices.cut("stoper", 12.0, 8.0)
    assert cut.noticed
    assert splices.wrong_and_sure(truth("stoper"), cut) == ()


@pytest.mark.slow
@pytest.mark.parametrize(("since", "sure"), [(3.7, False), pytest.param(4.0, True, marks=pytest.mark.thorough)])
def test_a_deal_that_was_cut_in_its_middle_leaves_no_hand_wrong_and_sure(since: float, sure: bool) -> None:
    """Under the dealer's hands no cut can be seen. Where a packet was seen before it, what is dealt after the comparison is the
    next round; else a whole round is missing."""
    found = splices.cut("stoppa", since, 8.0)
    ((came_to, probability),) = found.hands
    ((true, _),) = truth("stoppa").hands
    assert (probability >= SURE_FROM, came_to == true) == (sure, sure)


@pytest.mark.thorough
@pytest.mark.parametrize("game", CLIPS)
def test_a_whole_clip_comes_to_what_was_played(game: str) -> None:
    """Where a hand is over; as `tests/house/test_demo.py` says of its payments."""
    whole = splices.cut(game)
    assert not whole.noticed
    assert [came_to for came_to, _ in whole.hands] == [came_to for came_to, _ in truth(game).hands]


@pytest.mark.parametrize(
    ("seconds", "said"),
    [(0.0, ""), (0.02, "Una parte non vista"), (8.02, "8 secondi non visti"), (600, "10 minuti non visti")],
)
def test_for_how_long_nothing_was_seen_is_said_where_it_is_known(seconds: float, said: str) -> None:
    assert not_seen(seconds, "it") == said
