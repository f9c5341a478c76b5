"""The odds know what the table knows, and nothing else."""

from __future__ import annotations

import math
from random import Random

import pytest
from exact import SmallTable
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from companion.decks.stu import Kind
from companion.games.stu.bots import PLAIN, Settings, seated, simulate
from companion.games.stu.odds import Act, Heard, listen, look, odds, public_hand
from companion.games.stu.rules import Malformed, State, apply, begin, log, replay
from companion.table.log import Line

SAMPLES = 100


@st.composite
def unfinished(draw: st.DrawFn) -> tuple[Line, ...]:
    """A simulated log, cut off in the middle of a hand."""
    players = draw(st.integers(2, 20))
    lines = simulate(Settings(players=seated(players)), hands=3, seed=draw(st.integers(0, 10**6)))
    open_at = []
    inside = False
    for number, line in enumerate(lines, 1):
        inside = isinstance(line.event, log.Hand) or (inside and not isinstance(line.event, log.End | log.Void))
        if inside:
            open_at.append(number)
    return lines[: draw(st.sampled_from(open_at))]


def follow(lines: tuple[Line, ...]) -> tuple[State, Heard]:
    """The state with every face that the log tells, and what a listener at the table has heard."""
    first = lines[0].event
    assert isinstance(first, log.Game)
    state, heard = begin(first), Heard()
    for line in lines[1:]:
        before, state = state, apply(state, line.event)
        heard = listen(heard, before, state, line.event)
    return state, heard


def other_faces(lines: tuple[Line, ...], rng: Random) -> tuple[Line, ...]:
    """The same log, the hidden cards of its last hand exchanged among one another."""
    state, heard = follow(lines)
    hand = state.hand
    if hand is None:
        return lines
    hidden = [token for token in range(len(hand.faces)) if not heard.seen >> token & 1]
    mixed = [hand.faces[token] for token in hidden]
    rng.shuffle(mixed)
    face: dict[int, Kind | None] = dict(zip(hidden, mixed, strict=True))
    start = max(number for number, line in enumerate(lines) if isinstance(line.event, log.Hand))
    changed = list(lines[: start + 1])
    drawn = len(hand.order)
    for line in lines[start + 1 :]:
        event = line.event
        if isinstance(event, log.Deal):
            token = hand.order.index(state.table.names.index(event.to))
            event = log.Deal(to=event.to, card=face.get(token, event.card))
        elif isinstance(event, log.Draw):
            event = log.Draw(by=event.by, card=face.get(drawn, event.card))
            drawn += 1
        changed.append(Line(event))
    return tuple(changed)


@settings(max_examples=25, deadline=None)
@given(unfinished(), st.randoms(use_true_random=False))
def test_hidden_faces_do_not_change_the_odds(lines: tuple[Line, ...], rng: Random) -> None:
    changed = other_faces(lines, rng)
    view, other = look(lines), look(changed)
    assert view == other
    assert public_hand(*follow(lines)) == public_hand(*follow(changed))
    assert public_hand(follow(lines)[0]) == public_hand(follow(changed)[0])
    if view is not None and other is not None:
        assert odds(view, samples=SAMPLES) == odds(other, samples=SAMPLES)


@settings(max_examples=25, deadline=None)
@given(unfinished())
def test_a_state_that_knows_every_face_and_a_log_without_them_look_the_same(lines: tuple[Line, ...]) -> None:
    view, known = look(lines), public_hand(*follow(lines))
    assert (view is None) == (known is None)
    if view is not None and known is not None:
        assert view == known


@settings(max_examples=25, deadline=None)
@given(unfinished())
def test_chances_are_chances(lines: tuple[Line, ...]) -> None:
    view = look(lines)
    if view is None:
        return
    found = odds(view, samples=SAMPLES, seed=3)
    assert found == odds(view, samples=SAMPLES, seed=3)
    assert [player.name for player in found.players] == list(view.names)
    assert 1 <= found.effective <= SAMPLES * 1.0001
    for player in found.players:
        assert 0 <= player.pays <= 1.0001
        assert math.isclose(sum(player.deltas.values()), 1, abs_tol=1e-6)


@pytest.mark.parametrize("seed", range(30))
def test_with_all_cards_shown_the_odds_are_the_ruling(seed: int) -> None:
    lines = simulate(Settings(players=seated(2 + seed % 11)), hands=6, seed=seed)
    compared = 0
    for number, line in enumerate(lines):
        view = look(lines[:number]) if isinstance(line.event, log.End) else None
        if view is None:
            continue  # an `end` that came with the last reveal
        before, after = replay(lines[:number]), replay(lines[: number + 1])
        paid = {p.player: p.delta for p in after.hands[-1].payments[len(before.hand.payments if before.hand else ()) :]}
        for player in odds(view, samples=20).players:
            delta = sum(
                p.delta for p in after.hands[-1].payments[len(view.hand.payments) :] if p.player == player.name
            )
            assert player.deltas == {delta: pytest.approx(1)}
            assert player.pays == pytest.approx(float(paid.get(player.name, 0) < 0))
        compared += 1
    assert compared


def three(*events: log.Event) -> tuple[Line, ...]:
    game = log.new_game(("Anna", "Bruno", "Carla"), 100, "Carla")
    return tuple(map(Line, (game, log.Hand(), *events)))


def test_between_hands_there_are_none() -> None:
    assert look(three()[:1]) is None


def test_a_log_without_its_game_line_is_refused() -> None:
    with pytest.raises(Malformed, match="no game line"):
        look(three()[1:])


def heard(*events: log.Event) -> Heard:
    view = look(three(*events))
    assert view is not None
    return view.heard


ASKED = (log.Passo(by="Anna"), log.Swap(with_="Bruno"))


def test_what_is_heard_of_sto_and_passo() -> None:
    assert heard(log.Sto(by="Anna")).acts == (Act(True, 0),)
    assert heard(*ASKED).acts == (Act(False, 0),)
    assert heard(*ASKED).yielded == 1 << 1
    assert heard(*ASKED, log.Sto(by="Bruno")).acts[1:] == (Act(True, 0, given=1),)
    assert heard(log.Sto(by="Carla")).acts == (Act(True, 0), Act(True, 1), Act(True, 2)), "those before have stayed"
    assert heard(log.Passo(by="Carla")).acts == (Act(True, 0), Act(True, 1)), "the dealer's passo counts with the draw"
    assert heard(log.Passo(by="Carla"), log.Draw(by="Carla")).acts[2:] == (Act(False, 2),)
    assert heard(log.Draw(by="Carla")).acts == (Act(True, 0), Act(True, 1), Act(False, 2))


def test_a_passo_that_says_nothing_new_is_not_counted_twice() -> None:
    gnaffed = (log.Sto(by="Anna"), log.Passo(by="Bruno"), log.Reveal(by="Carla", card="gnao"))
    assert heard(*gnaffed).acts == heard(*gnaffed, log.Passo(by="Bruno")).acts


def chance(name: str, *events: log.Event) -> float:
    view = look(three(*events))
    assert view is not None
    return next(player.pays for player in odds(view).players if player.name == name)


def test_who_stays_pays_less_often_and_who_is_refused_more_often() -> None:
    stayed = chance("Anna", log.Sto(by="Anna"))
    refused = chance("Anna", log.Passo(by="Anna"), log.Reveal(by="Bruno", card="cucco"))
    assert stayed < chance("Anna") < refused


def test_who_gave_a_card_away_and_stays_knows_why() -> None:
    assert chance("Anna", *ASKED, log.Sto(by="Bruno")) > 2 * chance("Bruno", *ASKED, log.Sto(by="Bruno"))


def test_what_is_heard_may_be_as_unlikely_as_it_likes() -> None:
    """A card passed on sixty times can only be a trump: no probability is lost to rounding."""
    view = SmallTable(("gnao", "bragon", "cucco"), (3, 3, 3)).view()
    absurd = replace(view, heard=replace(view.heard, acts=(Act(False, 0),) * 60))
    for player in odds(absurd, samples=SAMPLES).players:
        assert math.isclose(sum(player.deltas.values()), 1, abs_tol=1e-6)


@pytest.mark.slow
def test_odds_hold_in_games_they_know_nothing_of() -> None:
    """Reliability: of all chances near p, about a share p comes true, among bots whose habits are not the model's."""
    said_and_true: list[tuple[float, bool]] = []
    for seed in range(60):
        lines = simulate(Settings(players=seated(4 + seed % 9), event_probabilities=PLAIN, pedine=12), hands=3, seed=seed)
        ends = [number for number, line in enumerate(lines) if isinstance(line.event, log.End)]
        for start, end in zip([0, *ends], ends, strict=False):
            acts = [n for n in range(start, end) if isinstance(lines[n].event, log.Sto | log.Passo | log.Draw)]
            view = look(lines[: acts[2 * len(acts) // 3]])
            if view is None:
                continue
            paid = {p.player for p in replay(lines[: end + 1]).hands[-1].payments if p.rule in (8, 12, 13) and p.delta < 0}
            said_and_true += [(player.pays, player.name in paid) for player in odds(view, samples=2000).players]
    for low, high in ((0, 0.05), (0.05, 0.1), (0.1, 0.2), (0.2, 0.4), (0.4, 1.01)):
        some = [(said, came) for said, came in said_and_true if low <= said < high]
        said, came = (sum(column) / len(some) for column in zip(*some, strict=True))
        assert abs(said - came) < 0.03 + 3 * math.sqrt(said * (1 - said) / len(some)), (low, high, said, came)
