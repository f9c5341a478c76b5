"""A clip with some seconds cut out and the time stamps closed up: what was not seen is not told as sure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
import recorded_looks
import splices

from companion.eyes.following.splices import unspliced
from companion.eyes.seeing import Seen
from companion.eyes.sighting import Unseen
from companion.line.follow import glimpses
from companion.referee import Evening, at_the_end, observe
from companion.referee.questions import question
from companion.table.sure import SURE_FROM
from companion.table.text import not_seen

GAMES = ("stu", "stoppa", "stoper")


def spliced(game: str, since: float, seconds: float) -> Iterator[Seen]:
    """The clip without these seconds."""
    for seen in recorded_looks.seen(game):
        t = seen.picture.t
        if t < since:
            yield seen
        elif t >= since + seconds:
            yield replace(seen, picture=replace(seen.picture, t=t - seconds))


def unseen(game: str, pictures: Iterator[Seen]) -> list[Unseen]:
    """The times in which, as the eyes say, they saw nothing."""
    found = glimpses(pictures, recorded_looks.DemoClip(game).table)
    return [one for glimpse in found for one in glimpse.sightings if isinstance(one, Unseen)]


@pytest.mark.parametrize("game", GAMES)
def test_nothing_is_missing_from_a_whole_clip(game: str) -> None:
    whole = list(recorded_looks.seen(game))
    assert [one.frame_quality for one in unspliced(whole)] == [one.frame_quality for one in whole]


@pytest.mark.parametrize(("game", "since"), [("stu", 54.0), ("stoppa", 20.0), ("stoper", 12.0)])
def test_eight_seconds_cut_out_are_a_time_not_seen(game: str, since: float) -> None:
    (gap,) = unseen(game, spliced(game, since, 8.0))
    assert gap.places is None
    assert gap.until == pytest.approx(since, abs=0.1)


@pytest.mark.slow
@pytest.mark.parametrize("since", [52.0, 54.0])
def test_a_hand_with_a_part_cut_out_is_not_ruled_wrong_and_sure(since: float) -> None:
    """Donato's Bragon was shown in it, and Filomena paid for the Matto as the first to be asked."""
    table = recorded_looks.DemoClip("stu").table
    evening = Evening.of(table.game, table.first)
    for glimpse in glimpses(spliced("stu", since, 8.0), table):
        for sighting in glimpse.sightings:
            evening = observe(evening, sighting)
    first, *others = (chapter for chapter in at_the_end(evening).chapters if chapter.played)
    assert (first.probability or 0.0) >= SURE_FROM, "it was over before"
    assert others
    assert all((chapter.probability or 0.0) < SURE_FROM for chapter in others)
    asked = question(evening)
    assert asked is not None
    assert table.game.pages.question(asked, "it") == "Una parte non vista. Intanto è cominciata un'altra mano?"


def test_a_hand_that_is_sure_and_came_to_something_else_is_counted_as_wrong() -> None:
    """One that was cut out may be missing between two others; one that is not sure is not wrong."""
    whole = splices.Cut(0, 0, (("Anna", 1.0), ("Bruno", 1.0), ("Carla", 1.0)), noticed=False)

    def wrong(*hands: tuple[str, float]) -> tuple[int, ...]:
        return splices.wrong_and_sure(whole, splices.Cut(4, 8, hands, noticed=False))

    assert wrong(("Anna", 1.0), ("Bruno", 1.0), ("Carla", 1.0)) == ()
    assert wrong(("Anna", 1.0), ("Carla", 1.0)) == ()
    assert wrong(("Anna", 1.0), ("Dino", 0.5), ("Carla", 1.0)) == ()
    assert wrong(("Dino", 1.0), ("Bruno", 1.0), ("Anna", 1.0)) == (1, 3)


def test_a_whole_clip_of_stoper_is_sure_and_its_cut_one_is_never_wrong() -> None:
    whole = splices.cut("stoper")
    assert [sure >= SURE_FROM for _, sure in whole.hands] == [True]
    cut = splices.cut("stoper", 12.0, 8.0)
    assert cut.noticed
    assert splices.wrong_and_sure(whole, cut) == ()


@pytest.mark.slow
@pytest.mark.parametrize(("since", "sure"), [(3.7, False), (4.0, True)])
def test_a_deal_that_was_cut_in_its_middle_leaves_no_hand_wrong_and_sure(since: float, sure: bool) -> None:
    """Under the dealer's hands no cut can be seen. Where a packet was seen before it, what is dealt after the comparison is the
    next round; else a whole round is missing."""
    whole, found = splices.cut("stoppa"), splices.cut("stoppa", since, 8.0)
    ((came_to, probability),) = found.hands
    assert (probability >= SURE_FROM, came_to == whole.hands[0][0]) == (sure, sure)


@pytest.mark.parametrize(
    ("seconds", "said"),
    [(0.0, ""), (0.02, "Una parte non vista"), (8.02, "8 secondi non visti"), (600, "10 minuti non visti")],
)
def test_for_how_long_nothing_was_seen_is_said_where_it_is_known(seconds: float, said: str) -> None:
    assert not_seen(seconds, "it") == said
