"""Streams of sightings: perfect ones are ruled as it was, and whatever an adversary does to them nothing breaks."""

from __future__ import annotations

from dataclasses import fields
from random import Random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from companion.decks.stu import KINDS
from companion.games import stu
from companion.games.stu.bots import PLAIN, Settings, seated, simulate
from companion.games.stu.rules import log as tl
from companion.games.stu.rules.log import new_game
from companion.games.stu.sightings import Appeared, Cleared, DeckExchanged, Exchanged, Shown, Sighting
from companion.table.log import Line
from workshop.bench.stu import hands
from workshop.choreography.stu.director import direct
from workshop.streams.stu.evenings import evenings, timed
from workshop.streams.stu.noise import LEVELS, Noise, corrupt
from workshop.streams.stu.referee import compare, figures, game_of, log_of
from workshop.streams.stu.truth import ideal

NAMES = ("Anna", "Bruno", "Carla")
NOISES = st.builds(Noise, **{rate.name: st.floats(0, 0.6) for rate in fields(Noise)})


def played(seed: int, players: int, hands: int = 2) -> tuple[Line, ...]:
    """A game in which everything that happens can be seen, with the times of the choreography."""
    table = Settings(players=seated(players), event_probabilities=PLAIN)
    return timed(direct(simulate(table, hands=hands, seed=seed), seed=seed))


def story(*told: tuple[float, tl.Event]) -> tuple[Line, ...]:
    return (Line(new_game(NAMES, 200, "Carla"), 0.0), *(Line(event, t) for t, event in told))


SHORT = story(
    (1, tl.Hand()), (2, tl.Deal(to="Anna")), (3, tl.Deal(to="Bruno")), (4, tl.Deal(to="Carla")),
    (6, tl.Passo(by="Anna")), (9, tl.Taverna(by="Bruno")), (12, tl.Passo(by="Carla")), (15, tl.Draw(by="Carla")),
    (18, tl.Reveal(by="Bruno", card="3")), (18.5, tl.Reveal(by="Carla", card="5")), (19, tl.End()),
)  # fmt: skip


def test_a_log_is_told_as_perfect_eyes_would_tell_it() -> None:
    kinds = [(type(seen).__name__, getattr(seen, "place", None)) for seen in ideal(SHORT)]
    assert kinds == [
        ("Appeared", 0), ("Appeared", 1), ("Appeared", 2),
        ("Shown", 1), ("Exchanged", None), ("Shown", 0),  # the Taverna is shown, given away, and lies face up before its taker
        ("DeckExchanged", 2), ("Shown", 1), ("Shown", 2), ("Cleared", None),
    ]  # fmt: skip


def test_a_log_without_times_is_refused_with_its_line() -> None:
    with pytest.raises(ValueError, match="line 2: no time"):
        ideal((Line(new_game(NAMES, 200, "Carla")), Line(tl.Hand())))


@given(seed=st.integers(0, 10**6), players=st.integers(2, 9))
@example(seed=506, players=6)  # whether a Bragon shown first of all refused somebody or not: nobody can see it
@settings(max_examples=6)
def test_what_perfect_eyes_leave_open_is_not_shown_as_sure(seed: int, players: int) -> None:
    true = played(seed, players)
    for verdict in compare(true, log_of(game_of(true), ideal(true))):
        assert verdict.right or not verdict.sure


def test_perfect_eyes_are_enough_for_the_true_payments() -> None:
    """Ten games, always the same: hardly any hand leaves anything open."""
    rng = Random(7)
    for _ in range(10):
        true = played(rng.randrange(10**6), rng.randint(2, 9))
        for verdict in compare(true, log_of(game_of(true), ideal(true))):
            assert verdict.right
            assert verdict.sure


@given(seed=st.integers(0, 10**6), players=st.integers(2, 6), noise=NOISES)
@settings(max_examples=8)
def test_whatever_the_adversary_does_the_log_can_have_happened(seed: int, players: int, noise: Noise) -> None:
    true = played(seed, players)
    log = log_of(game_of(true), corrupt(ideal(true), noise, players, Random(seed)))
    stu.replay(log)
    assert all(line.confidence is None or 0 <= line.confidence <= 1 for line in log)


def sightings(players: int) -> st.SearchStrategy[Sighting]:
    """Any sighting at all, whether or not it makes sense."""
    t, place = st.floats(0, 60), st.integers(0, players - 1)
    probability = st.floats(0.01, 1)
    faces = st.lists(st.sampled_from(KINDS), min_size=1, max_size=3, unique=True).map(
        lambda kinds: tuple((kind, 1 / len(kinds)) for kind in kinds)
    )
    return st.one_of(
        st.builds(Appeared, t, place),
        st.builds(Shown, t, place, st.integers(1, 9), faces),
        st.builds(
            lambda t, a, b, p: Exchanged(t, t + 1, (a, (a + b) % players), p), t, place, st.integers(1, players - 1), probability
        ),
        st.builds(lambda t, a, p: DeckExchanged(t, t + 1, a, p), t, place, probability),
        st.builds(Cleared, t),
    )


@given(players=st.integers(2, 5), data=st.data())
@settings(max_examples=25)
def test_nonsense_makes_a_log_that_can_have_happened(players: int, data: st.DataObject) -> None:
    stream = data.draw(st.lists(sightings(players), max_size=20))
    log = log_of(new_game(seated(players), 200, seated(players)[0]), stream)
    stu.replay(log)
    assert all(line.confidence is None or 0 <= line.confidence <= 1 for line in log)


@pytest.mark.parametrize("level", LEVELS)
def test_the_adversary_is_honest_about_its_doubts(level: str) -> None:
    """Of the faces reported with some probability that share is right, but for those misread outright."""
    true = [(kind, Shown(float(i), 0, i, ((kind, 1.0),))) for i, kind in enumerate(list(KINDS) * 100)]
    noise = LEVELS[level]
    said = [corrupt((seen,), noise, 4, Random(i)) for i, (_, seen) in enumerate(true)]
    reported = [(kind, seen[0]) for (kind, _), seen in zip(true, said, strict=True) if seen and isinstance(seen[0], Shown)]
    hoped = sum(seen.alternatives[0][1] for _, seen in reported) / len(reported)
    right = sum(kind == seen.alternatives[0][0] for kind, seen in reported) / len(reported)
    assert right == pytest.approx(hoped - noise.face_misread, abs=0.01)


def test_the_same_seed_spoils_the_same_way() -> None:
    stream = ideal(SHORT)
    assert corrupt(stream, Noise.hard(), 3, Random(5)) == corrupt(stream, Noise.hard(), 3, Random(5))
    assert sorted(seen.t for seen in corrupt(stream, Noise(), 3, Random(5))) == [seen.t for seen in stream]


def test_the_adversary_takes_cards_that_everybody_lifts_for_an_exchange_of_neighbours() -> None:
    stream = ideal(SHORT)
    (more,) = set(corrupt(stream, Noise(lifted=1.0), 3, Random(5))) - set(stream)
    assert isinstance(more, Exchanged)
    assert 4 < more.t < 6, "after the last deal, before anybody passes"
    assert more.probability <= 0.3


def test_evenings_have_as_many_hands_as_asked_for() -> None:
    assert sum(len(hands.played(timed(evening))) for evening in evenings(15, seed=2)) == 15


def test_figures_count_a_missing_hand_as_wrong_and_an_invented_one_as_sure_but_wrong() -> None:
    game = Line(new_game(NAMES, 200, "Carla"), 0.0)
    missing = figures(compare(SHORT, (game,)))
    assert (missing.hands, missing.right, missing.sure_but_wrong, missing.recall) == (1, 0.0, 0.0, 0.0)
    invented = figures(compare((game,), SHORT))
    assert invented.sure_but_wrong == 1.0
    same = figures(compare(SHORT, SHORT))
    assert (same.right, same.recall, same.precision) == (1.0, 1.0, 1.0)


def test_an_exchange_told_at_another_time_or_between_others_is_not_found() -> None:
    late = tuple(Line(line.event, (line.t or 0) + 4 if isinstance(line.event, tl.Taverna) else line.t) for line in SHORT)
    assert figures(compare(SHORT, late)).recall == 0.5
