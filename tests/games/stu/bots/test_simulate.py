"""Simulated games: always legal, always the same for the same seed, and played from what a player knows."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from companion.decks.stu import COPIES, KINDS
from companion.games.stu.bots import PLAIN, STYLES, EventProbabilities, Settings, SimulatorError, evening, seated, simulate
from companion.games.stu.bots.hand import PlayedHand
from companion.games.stu.bots.view import View
from companion.games.stu.rules import State, log, replay, replay_log, report
from companion.games.stu.rules.log import HouseRules, read_lines
from companion.games.stu.rules.state import Hand, Position
from companion.table.log import Line, write_lines

RARE = EventProbabilities(penalty=0.5, void=0.1, exposed=0.3, wrong_dealer=0.1, matto=0.3, split=0.5, close=0.02, mistake=0.3)

tables = st.builds(
    Settings,
    players=st.integers(2, 39).map(seated),
    stake=st.integers(1, 10**9),
    edition=st.sampled_from(["booklet", "piazza-2010"]),
    house_rules=st.builds(
        HouseRules,
        salta_on_dealer=st.sampled_from(["deck", "stop"]),
        backward_run=st.sampled_from(["choice", "forced"]),
        two_matti_lowest=st.sampled_from(["others", "matti"]),
    ),
    styles=st.lists(st.sampled_from(STYLES), min_size=1, max_size=4).map(tuple),
    dealing=st.sampled_from(["at-once", "one-by-one"]),
    pedine=st.integers(1, 5),
    event_probabilities=st.sampled_from([EventProbabilities(), RARE, PLAIN]),
)
seeds = st.integers(0, 2**32)


def kinds_of(lines: tuple[Line, ...]) -> Counter[str]:
    return Counter(type(line.event).__name__ for line in lines)


@settings(max_examples=40, deadline=None)
@given(tables, seeds, st.integers(1, 12))
def test_every_log_is_legal_and_complete(table: Settings, seed: int, hands: int) -> None:
    lines = simulate(table, hands=hands, seed=seed)
    data = write_lines(lines)
    assert read_lines(data) == lines
    state = replay_log(data)
    said = report(state)
    assert sum(said.settlement.values()) == said.pot if said.settlement else said.status != "won"
    assert state.hand is None, "no hand is left open"
    assert kinds_of(lines)["Hand"] == len(said.hands) <= hands
    assert kinds_of(lines)["Hand"] == hands or said.winner, "only a winner ends the game before"


@settings(max_examples=20, deadline=None)
@given(tables, seeds)
def test_the_deck_has_each_card_twice_and_every_face_is_told(table: Settings, seed: int) -> None:
    """Dealt and drawn cards are those of one deck, and nobody draws a card that another still has."""
    lines = simulate(table, hands=4, seed=seed)
    state: State | None = None
    untold = 0
    for number, line in enumerate(lines):
        event = line.event
        untold += isinstance(event, log.Deal) and event.card is None
        assert not isinstance(event, log.Draw) or event.card
        state = replay(lines[:1]) if number == 0 else evening.apply(state, event)  # type: ignore[arg-type]
        if state.hand is not None:
            faces = [kind for kind in state.hand.faces if kind is not None]
            assert all(faces.count(kind) <= COPIES for kind in KINDS)
            assert faces.count("matto") <= state.matti
    assert untold <= kinds_of(lines)["Hand"] * (table.event_probabilities.exposed > 0), "only of a card that is to be shown early"


@settings(max_examples=10, deadline=None)
@given(tables, seeds)
def test_the_same_seed_gives_the_same_log(table: Settings, seed: int) -> None:
    assert simulate(table, hands=3, seed=seed) == simulate(table, hands=3, seed=seed)


def test_another_seed_gives_another_log() -> None:
    table = Settings(players=seated(6))
    assert len({write_lines(simulate(table, hands=2, seed=seed)) for seed in range(20)}) == 20


def test_more_hands_only_go_on() -> None:
    table = Settings(players=seated(8), event_probabilities=PLAIN)
    short, long = (simulate(table, hands=hands, seed=5) for hands in (3, 6))
    assert long[: len(short)] == short


class Watched(PlayedHand):
    """Before each decision, asks what the player would know if the cards they have not seen lay differently."""

    views = 0

    def _view(self, hand: Hand, position: Position, asked: Position) -> View:
        view = super()._view(hand, position, asked)
        known = self.memory.seen[position] | self.memory.shown
        hidden = [token for token in range(len(self.deck)) if not known >> token & 1]
        kinds = [self.deck[token] for token in hidden]
        Random(len(self.events)).shuffle(kinds)
        changed = self.deck.copy()
        for token, kind in zip(hidden, kinds, strict=True):
            changed[token] = kind
        self.memory.deck = changed
        assert super()._view(replace(hand, faces=(None,) * len(hand.faces)), position, asked) == view
        self.memory.deck = self.deck
        assert all(kind is None for token, kind in enumerate(view.faces) if token in hidden)
        Watched.views += 1
        return view


@pytest.mark.parametrize("players", [2, 5, 12])
def test_bots_decide_by_what_they_know(players: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A decision is a function of the view, and the view stays the same whatever the hidden cards are."""
    monkeypatch.setattr(evening, "PlayedHand", Watched)
    before = Watched.views
    for seed in range(10):
        simulate(Settings(players=seated(players), event_probabilities=RARE), hands=10, seed=seed)
    assert Watched.views > before + 50


def test_a_player_knows_the_own_card_the_one_given_away_and_those_shown() -> None:
    seen: list[View] = []

    class Noted(PlayedHand):
        def _view(self, hand: Hand, position: Position, asked: Position) -> View:
            seen.append(super()._view(hand, position, asked))
            return seen[-1]

    table = Settings(players=seated(3))
    for seed in range(200):
        state = evening.Evening(table, seed).state
        state = evening.apply(state, log.Hand())
        seen.clear()
        played = Noted(table, state, ("card",) * 3, Random(seed))
        played.play()
        names = [type(event).__name__ for event in played.events]
        if names[3:6] == ["Passo", "Swap", "Sto"]:
            first, second = seen[:2]
            cards = [event.card for event in played.events[:3] if isinstance(event, log.Deal)]
            assert first.faces == (cards[0], None, None), "only the own card before anything happened"
            assert second.faces == (cards[0], cards[1], None), "after the exchange, also the one given away"
            assert second.holds == (1, 0, 2)
            return
    pytest.fail("nobody exchanged and stayed in 200 hands")


ALL = {
    "Game", "Hand", "Deal", "Sto", "Passo", "Swap", "Taverna", "Draw", "Reveal", "End", "Rebuy", "Matto", "Penalty",
    "Void", "Split", "Close",
}  # fmt: skip
UNSEEN = {"Matto", "Penalty", "Void", "Split", "Close"}


@pytest.fixture(scope="module")
def many() -> list[tuple[Line, ...]]:
    """Games as they come, of both editions."""
    return [
        simulate(Settings(players=seated(2 + seed % 12), edition=("booklet", "piazza-2010")[seed % 2]), hands=40, seed=seed)
        for seed in range(40)
    ]


def test_everything_happens_some_day(many: list[tuple[Line, ...]]) -> None:
    seen: Counter[str] = sum(map(kinds_of, many), Counter())
    assert set(seen) == ALL
    causes = {p.cause for lines in many for hand in report(replay(lines)).hands for p in hand.payments}
    assert causes >= {"lowest", "matto", "two_matti", "gnaffata", "bbummata", "penalty", "taverna_for_nulla"}
    irregular = {i.kind for lines in many for hand in report(replay(lines)).hands for i in hand.irregularities}
    assert irregular == {"passed_unbeatable", "should_have_refused", "exposed_early", "wrong_dealer"}
    events = [line.event for lines in many for line in lines]
    assert any(isinstance(event, log.Rebuy) and event.partners for event in events)
    assert any(isinstance(event, log.Taverna) and event.share for event in events)
    assert any(isinstance(event, log.Taverna) and event.terms for event in events)
    assert {event.in_deck for event in events if isinstance(event, log.Matto)} == {1, 2}


def test_cards_travel_back_and_further_back(many: list[tuple[Line, ...]]) -> None:
    kept = sent = 0
    for lines in many[:20]:
        state = replay(lines[:1])
        for line in lines[1:]:
            hand, event = state.hand, line.event
            if hand is not None and hand.back >= 0 and isinstance(event, log.Sto | log.Passo):
                kept += isinstance(event, log.Sto)
                sent += isinstance(event, log.Passo)
            state = evening.apply(state, event)
    assert kept
    assert sent


def test_plain_games_show_all_that_happens() -> None:
    for seed in range(10):
        lines = simulate(Settings(players=seated(2 + seed), edition="piazza-2010", event_probabilities=PLAIN), hands=20,
                         seed=seed)
        assert not set(kinds_of(lines)) & UNSEEN
        assert not any(hand.irregularities for hand in report(replay(lines)).hands)
        for line in lines:
            assert not (isinstance(line.event, log.Taverna) and (line.event.share or line.event.terms))


def test_one_by_one_each_card_comes_when_it_is_needed() -> None:
    lines = simulate(Settings(players=seated(6), dealing="one-by-one", event_probabilities=PLAIN), hands=1, seed=2)
    names = [type(line.event).__name__ for line in lines[2:]]
    assert names[0] == "Deal"
    assert names[1] in ("Sto", "Passo")
    assert names.count("Deal") == 6


def test_the_careful_outlive_the_reckless() -> None:
    """What the odds bots reckon is worth something: they lose fewer pedine than others at the same table, wherever they sit."""
    lost: Counter[str] = Counter()
    players = seated(6)
    for seed in range(40):
        styles = Random(seed).sample(STYLES * 2, 6)
        table = Settings(players=players, styles=tuple(styles), pedine=40, event_probabilities=PLAIN)
        for hand in report(replay(simulate(table, hands=15, seed=seed))).hands:
            for paid in hand.payments:
                lost[styles[players.index(paid.player)]] -= paid.delta
    assert lost["odds"] < lost["card"] < lost["reckless"]


@pytest.mark.parametrize("players", [(), ("Anna",), ("Anna", "Anna"), tuple(f"P{n}" for n in range(40))])
def test_no_game_of_these(players: tuple[str, ...]) -> None:
    with pytest.raises(SimulatorError):
        simulate(Settings(players=players), hands=1, seed=1)


@pytest.mark.parametrize("count", [-1, 0, 1, 40])
def test_no_table_seats_them(count: int) -> None:
    with pytest.raises(SimulatorError, match="expected 2 to 39"):
        seated(count)


def test_39_different_people() -> None:
    assert len(set(seated(39))) == 39
