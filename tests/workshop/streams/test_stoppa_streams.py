"""Streams of Stoppa: perfect ones give the log back, and whatever an adversary does to them nothing breaks."""

from __future__ import annotations

from dataclasses import fields
from random import Random

import msgspec
import pytest
from click.testing import CliRunner
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.cli import main
from companion.games import GAMES
from companion.games.stoppa import rules
from companion.games.stoppa.bots import PLAIN, EventProbabilities, Settings, seated, simulate
from companion.games.stoppa.rules import log as tl
from companion.games.stoppa.sightings import Cleared, Laid
from companion.referee import record
from companion.table.log import Event, Line
from companion.table.sure import SURE_FROM
from workshop.streams.stoppa.noise import LEVELS, Noise, corrupt
from workshop.streams.stoppa.referee import compare, evening_of, figures, measured, merged, spoilt, stoppata_right
from workshop.streams.stoppa.truth import evenings, ideal, timed, told

NOISES = st.builds(Noise, **{rate.name: st.floats(0, 0.4) for rate in fields(Noise)})
SEEN_OR_SAID = EventProbabilities(wrong_dealer=0.1, giro=0.2, annul=0.1, omission=0.03, void=0.05)


def played(seed: int, players: int, hands: int = 1, event_probabilities: EventProbabilities = PLAIN) -> tuple[Line, ...]:
    table = Settings(players=seated(players), event_probabilities=event_probabilities)
    return timed(simulate(table, hands=hands, seed=seed), Random(seed))


def events(lines: tuple[Line, ...]) -> tuple[list[Event], list[str]]:
    """What happened, without the ends that are the log's own, and who dealt: a dealer whose turn it is may be named or not."""
    happened = [line.event for line in lines if not isinstance(line.event, tl.End | tl.Close | tl.Hand)]
    return happened, [hand.dealer for hand in rules.replay(lines).hands]


@settings(deadline=None, max_examples=6)
@given(seed=st.integers(0, 10_000), players=st.integers(3, 6))
def test_a_stream_without_noise_gives_the_log_back(seed: int, players: int) -> None:
    true = played(seed, players, event_probabilities=SEEN_OR_SAID)
    assert events(evening_of(true[0].event, merged(ideal(true), told(true))).log) == events(true)


@pytest.mark.thorough
@settings(deadline=None, max_examples=5, suppress_health_check=[HealthCheck.too_slow])
@given(seed=st.integers(0, 1000), players=st.integers(3, 6), noise=NOISES, share=st.floats(0, 1))
def test_whatever_is_seen_up_to_any_moment_is_a_log_that_the_rules_accept(
    seed: int, players: int, noise: Noise, share: float
) -> None:
    true = played(seed, players)
    stream = merged(corrupt(ideal(true), noise, players, Random(seed)), told(true))
    evening = evening_of(true[0].event, stream[: round(share * len(stream))])
    assert rules.replay(evening.log).hands is not None
    assert all(line.confidence is None or 0 <= line.confidence <= 1 for line in evening.log)


@pytest.mark.workshop
@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.thorough)])
def test_what_is_shown_as_sure_is_right_at_a_well_lit_table(seed: int) -> None:
    for evening in measured(3, LEVELS["easy"], seed):
        assert all(verdict.right for verdict in evening if verdict.sure)


@pytest.mark.thorough
def test_without_a_phone_the_stoppata_is_paid_as_it_was() -> None:
    (evening,) = measured(3, LEVELS["none"], 1, phone=False)
    paid = [verdict for verdict in evening if verdict.true is not None and verdict.true.laid]
    assert paid
    assert all(stoppata_right(verdict) for verdict in paid)


def test_a_stream_is_the_same_from_the_same_seed() -> None:
    true = next(evenings(2, 5))
    assert spoilt(true, LEVELS["hard"], "1") == spoilt(true, LEVELS["hard"], "1") != spoilt(true, LEVELS["hard"], "2")


def test_perfect_eyes_tell_cards_of_one_lay_as_one_motion_and_the_clearing_last() -> None:
    true = played(1, 4)
    seen = ideal(true)
    motions = [one.motion for one in seen if isinstance(one, Laid)]
    assert len(set(motions)) == sum(isinstance(line.event, tl.Lay) for line in true)
    assert isinstance(seen[-1], Cleared)


def test_every_sighting_goes_to_disk_and_back() -> None:
    true = played(3, 4, event_probabilities=SEEN_OR_SAID)
    for seen in corrupt(ideal(true), LEVELS["hard"], 4, Random(1)):
        kept = msgspec.json.encode(record.encode_sighting(seen, GAMES["stoppa"]))
        assert record.decode_sighting(msgspec.json.decode(kept, type=dict[str, msgspec.Raw]), GAMES["stoppa"]) == seen


def test_figures_count_right_hands_and_cards_with_their_players() -> None:
    true = played(1, 4)
    found = figures(compare(true, tuple(Line(line.event, line.t, 0.99) for line in true)))
    assert (found.hands, found.right, found.laid, found.sure_but_wrong) == (1, 1.0, 1.0, 0.0)
    other = tuple(line for line in true if not isinstance(line.event, tl.Lay | tl.Close))
    assert figures(compare(true, other)).right == 0.0
    assert SURE_FROM < 0.99


@pytest.mark.workshop
def test_the_command_measures_stoppa() -> None:
    done = CliRunner().invoke(main, ["evaluate", "streams", "--game", "stoppa", "--hands", "1", "--noise", "none", "--json"])
    assert done.exit_code == 0, done.output
    assert '"right":1.0' in done.stdout
