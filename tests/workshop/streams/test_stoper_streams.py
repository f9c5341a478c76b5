"""Streams of Stoper: perfect ones give the log back, and whatever an adversary does to them nothing breaks."""

from __future__ import annotations

from dataclasses import fields, replace
from random import Random

import msgspec
import pytest
from click.testing import CliRunner
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from companion.cli import main
from companion.games import GAMES
from companion.games.stoper import rules
from companion.games.stoper.bots import PLAIN, EventProbabilities, Settings, seated, simulate
from companion.games.stoper.rules import log as tl
from companion.games.stoper.sightings import Cleared, Shown, Sighting
from companion.referee import record
from companion.table.errors import Illegal
from companion.table.log import Event, Line
from companion.table.sure import SURE_FROM
from workshop.streams.stoper.noise import LEVELS, Noise, corrupt
from workshop.streams.stoper.referee import compare, evening_of, exactly, figures, measured
from workshop.streams.stoper.truth import evenings, ideal, timed, told

NOISES = st.builds(Noise, **{rate.name: st.floats(0, 0.4) for rate in fields(Noise)})
SEEN_OR_SAID = EventProbabilities(void=0.05, wrong_dealer=0.1, absent=0.1, chips=0.9, bluff=0.05, dealt=0, discards=0, late=0.2)


def played(seed: int, players: int, hands: int = 2, event_probabilities: EventProbabilities = PLAIN) -> tuple[Line, ...]:
    table = Settings(players=seated(players), mode="cash" if seed % 2 else "torneo", stacks=600,
                     event_probabilities=event_probabilities)
    return timed(simulate(table, hands=hands, seed=seed), Random(seed))


def events(lines: tuple[Line, ...]) -> list[Event]:
    """What happened, without the ends that are the log's own; hands shown, which may stand elsewhere, after all else."""
    happened = [line.event for line in lines if not isinstance(line.event, tl.End | tl.Close)]
    kinds = [replace_cards(one) for one in happened]
    return [one for one in kinds if not isinstance(one, tl.Show)] + sorted(
        (one for one in kinds if isinstance(one, tl.Show)), key=lambda one: (one.by, one.cards))  # fmt: skip


def replace_cards(event: Event) -> Event:
    return msgspec.structs.replace(event, cards=tuple(sorted(event.cards))) if isinstance(event, tl.Show) else event


@settings(deadline=None, max_examples=12)
@example(seed=538, players=5)
@given(seed=st.integers(0, 10_000), players=st.integers(4, 6))
def test_a_stream_without_noise_gives_the_log_back(seed: int, players: int) -> None:
    true = played(seed, players, event_probabilities=SEEN_OR_SAID)
    assert events(evening_of(true[0].event, ideal(true), told(true)).log) == events(true)


@settings(deadline=None, max_examples=10, suppress_health_check=[HealthCheck.too_slow])
@given(seed=st.integers(0, 1000), players=st.integers(4, 6), noise=NOISES, share=st.floats(0, 1))
def test_whatever_is_seen_up_to_any_moment_is_a_log_that_the_rules_accept_and_no_chip_is_lost(
    seed: int, players: int, noise: Noise, share: float
) -> None:
    true = played(seed, players)
    seen = corrupt(ideal(true), noise, players, Random(seed))
    evening = evening_of(true[0].event, seen[: round(share * len(seen))], told(true))
    state = rules.replay(evening.log)
    on_table = 0 if state.hand is None else state.hand.pot
    assert sum(state.stacks) + state.carried.pot + on_table == state.brought
    assert all(line.confidence is None or 0 <= line.confidence <= 1 for line in evening.log)


@settings(deadline=None, max_examples=8, suppress_health_check=[HealthCheck.too_slow])
@given(seed=st.integers(0, 1000), players=st.integers(4, 6), noise=NOISES)
def test_a_card_that_nobody_saw_is_shown_by_nobody(seed: int, players: int, noise: Noise) -> None:
    true = played(seed, players)
    seen = corrupt(ideal(true), noise, players, Random(seed))
    read = {kind for one in seen if isinstance(one, Shown) for kind, _ in one.alternatives}
    lines = evening_of(true[0].event, seen, told(true)).log
    assert {kind for line in lines if isinstance(line.event, tl.Show) for kind in line.event.cards} <= read


@settings(deadline=None, max_examples=6)
@given(seed=st.integers(0, 1000), players=st.integers(4, 6))
@example(seed=23, players=4)  # the phone refuses words, by the chips that the winner is not thought to have
@example(seed=77, players=4)  # the winner opens the next hand with more chips than a loser would have left
@example(seed=16, players=4)
def test_a_showdown_without_a_face_seen_is_sure_only_where_the_later_bets_leave_one_winner(seed: int, players: int) -> None:
    true = played(seed, players, hands=5)
    seen: list[Sighting] = [one for one in ideal(true) if not isinstance(one, Shown)]
    log = evening_of(true[0].event, seen, told(true)).log
    for number, (verdict, refused) in enumerate(zip(compare(true, log), refusals(true, log), strict=False)):
        assert refused or verdict.right or not verdict.sure
        if verdict.sure and not refused and verdict.true is not None and len(verdict.true.shown) > 1:
            assert len(stacks_possible(true, taken_of(true, log), number)) == 1


def stacks_possible(true: tuple[Line, ...], taken: tuple[Line, ...], number: int) -> set[tuple[int, ...]]:
    """Everybody's chips after hand ``number`` (from 0), for each winner with whom the words ``taken`` of all hands are legal.

    Nothing but the rules says so: every showdown is decided in every way that the hands thrown in leave.
    """
    assert isinstance(true[0].event, tl.Game)
    possible: dict[rules.State, set[tuple[int, ...]]] = {rules.begin(true[0].event): set()}
    hands = -1
    for line in [*taken, None]:
        hands += line is None or isinstance(line.event, tl.Hand)
        following: dict[rules.State, set[tuple[int, ...]]] = {}
        for state, after_hand in possible.items():
            for ready in decided(state) if line is None or isinstance(line.event, tl.Hand) else [state]:
                try:
                    now = rules.apply(ready, line.event) if line is not None else ready
                except Illegal:
                    continue
                following.setdefault(now, set()).update({ready.stacks} if hands == number + 1 else after_hand)
        possible = following or possible  # a word that nothing lets be is none that the referee can have used
    return set().union(*possible.values())


def decided(state: rules.State) -> set[rules.State]:
    """The states in which the hand is over: its showdown with each order of conceding."""
    hand = state.hand
    if hand is None:
        return {state}
    if hand.phase != "showdown":
        return set()
    found = set[rules.State]()
    for seat in hand.order:
        try:
            found |= decided(rules.apply(state, tl.Muck(by=state.table.names[seat])))
        except Illegal:
            continue
    return found


def taken_of(true: tuple[Line, ...], log: tuple[Line, ...]) -> tuple[Line, ...]:
    """What the referee had of the evening: the words that the phone took, and which hands were thrown in or changed."""
    words, kept = told(true), [(line.t, line.event) for line in log]
    return tuple(line for line in true[1:] if not isinstance(line.event, tl.Show | tl.End | tl.Close | tl.Deal)
                 and (line not in words or (line.t, line.event) in kept))  # fmt: skip


def refusals(true: tuple[Line, ...], log: tuple[Line, ...]) -> list[bool]:
    """For each hand, whether the phone refused a word that the chips thought to be there do not allow: the player who said it
    knows."""
    taken = [(line.t, line.event) for line in log]
    hands: list[bool] = []
    for line in told(true):
        hands += [False] * isinstance(line.event, tl.Hand)
        if hands and (line.t, line.event) not in taken:
            hands[-1] = True
    return hands


@settings(deadline=None, max_examples=6)
@given(seed=st.integers(0, 1000), players=st.integers(4, 6))
def test_without_a_phone_nothing_is_sure(seed: int, players: int) -> None:
    true = played(seed, players)
    made = evening_of(true[0].event, ideal(true), ()).log
    assert rules.replay(made)
    assert all((line.confidence or 0.0) < SURE_FROM for line in made if isinstance(line.event, tl.End))


@pytest.mark.workshop
@pytest.mark.parametrize("level", ["easy", "medium"])
def test_what_is_shown_as_sure_is_right(level: str) -> None:
    for evening in measured(12, LEVELS[level], 0):
        assert all(verdict.right for verdict in evening if verdict.sure)


def test_doubtful_faces_leave_sure_only_what_they_do_not_decide() -> None:
    noise = replace(LEVELS["none"], face_doubted=0.5)
    verdicts = [verdict for evening in measured(24, noise, 1) for verdict in evening]
    assert any(not verdict.sure for verdict in verdicts)
    assert figures(verdicts).sure_but_wrong == 0


def test_a_stream_is_the_same_from_the_same_seed() -> None:
    true = next(evenings(2, 5))
    first, again, other = (corrupt(ideal(true), LEVELS["hard"], 6, Random(seed)) for seed in (1, 1, 2))
    assert first == again != other


def test_perfect_eyes_tell_the_clearing_of_every_hand() -> None:
    true = played(1, 4)
    assert sum(isinstance(one, Cleared) for one in ideal(true)) == sum(isinstance(line.event, tl.Hand) for line in true)


def test_every_sighting_goes_to_disk_and_back() -> None:
    true = played(3, 4, event_probabilities=SEEN_OR_SAID)
    for seen in corrupt(ideal(true), replace(LEVELS["hard"], blocked=1.0), 4, Random(1)):
        kept = msgspec.json.encode(record.encode_sighting(seen, GAMES["stoper"]))
        assert record.decode_sighting(msgspec.json.decode(kept, type=dict[str, msgspec.Raw]), GAMES["stoper"]) == seen


def test_figures_count_right_hands_showdowns_to_the_card_and_exchanges() -> None:
    games = (played(seed, 4) for seed in range(20))
    true = next(game for game in games if any(isinstance(line.event, tl.Show) for line in game))
    found = figures(compare(true, tuple(Line(line.event, line.t, 0.99) for line in true)))
    assert (found.right, found.exact, found.exchanges, found.sure_but_wrong) == (1.0, 1.0, 1.0, 0.0)
    served = [tl.Cambio(by=line.event.by, n=0) if isinstance(line.event, tl.Cambio) else line.event for line in true]
    changed = tuple(Line(event, line.t) for event, line in zip(served, true, strict=True))
    assert figures(compare(true, changed)).exchanges == 0.0
    assert not any(exactly(verdict) for verdict in compare(true, true[:1]))


def test_the_command_measures_stoper() -> None:
    done = CliRunner().invoke(main, ["evaluate", "streams", "--game", "stoper", "--hands", "4", "--noise", "none", "--json"])
    assert done.exit_code == 0, done.output
    assert '"right":1.0' in done.stdout
