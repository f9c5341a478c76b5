"""What holds in every game, tried on random legal play (Hypothesis) and on random games with real cards."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import hypothesis.strategies as st
import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule
from stu_play import HOUSES, real_game

from companion.decks.stu import KINDS, RANK
from companion.games import stu
from companion.games.stu.rules import log
from companion.games.stu.rules.state import State
from companion.table.log import Line, write_lines

NAMES = ("Anna", "Bruno", "Carla", "Dino", "Elsa")
RENAMED = dict(zip(NAMES, ("Elsa", "Zoe\u0301", "Anna", "日本", "Bruno"), strict=True))


def everything(names: tuple[str, ...]) -> Iterator[log.Event]:
    """Every event in its plainest form, possible or not, for these players and a stranger."""
    cards = (None, *KINDS)
    for name in (*names, "Nobody"):
        yield from (log.Sto(by=name), log.Passo(by=name), log.Swap(with_=name), log.Taverna(by=name))
        yield from (log.Hand(dealer=name), log.Rebuy(by=name), log.Penalty(player=name))
        for card in cards:
            yield log.Deal(to=name, card=card)
            yield log.Draw(by=name, card=card)
        yield from (log.Reveal(by=name, card=card) for card in KINDS)
    yield from (log.Hand(), log.End(), log.Void(), log.Close(), log.Matto(in_deck=1), log.Matto(in_deck=2))
    yield from (log.Split(shares=dict.fromkeys(pair, Decimal("0.5"))) for pair in itertools.combinations(names, 2))
    yield log.new_game(names, 100, names[0])


def renamed(event: Any) -> Any:
    """The event with every player renamed."""
    plain = msgspec.to_builtins(event)
    text = json.dumps(plain, default=str)
    for old, new in RENAMED.items():
        text = text.replace(json.dumps(old), json.dumps(f"<{new}>"))
    return msgspec.convert(json.loads(text.replace('"<', '"').replace('>"', '"')), type(event), strict=False)


def plain_report(state: State) -> Any:
    return json.loads(json.dumps(stu.report(state).to_dict()))


class AnyGame(RuleBasedStateMachine):
    """A game of legal acts drawn by chance: the kind of act first, so that faces do not crowd out the rest."""

    @initialize(
        players=st.integers(2, 5),
        dealer=st.integers(0, 4),
        piazza=st.booleans(),
        house=st.sampled_from(HOUSES),
        standing=st.lists(st.integers(1, 3), min_size=5, max_size=5),
    )
    def sit_down(self, players: int, dealer: int, piazza: bool, house: log.HouseRules, standing: list[int]) -> None:
        names = NAMES[:players]
        self.game = log.new_game(
            names,
            101,
            names[dealer % players],
            edition="piazza-2010" if piazza else "booklet",
            house_rules=house,
            standing={name: log.Standing(pedine, pedine == 3) for name, pedine in zip(names, standing, strict=False)},
        )
        self.events: list[log.Event] = [self.game]
        self.states = [stu.begin(self.game)]

    @property
    def state(self) -> State:
        return self.states[-1]

    @rule(data=st.data())
    def something_happens(self, data: st.DataObject) -> None:
        legal: dict[str, list[log.Event]] = {}
        for event in stu.legal_acts(self.state):
            legal.setdefault(type(event).__name__, []).append(event)
        kinds = sorted(legal, key=lambda kind: (kind in ("Void", "Close", "Deal", "Split", "Penalty"), kind))
        event = data.draw(st.sampled_from(legal[data.draw(st.sampled_from(kinds))]))
        after = stu.apply(self.state, event)
        self.conserve(self.state, event, after)
        self.events.append(event)
        self.states.append(after)

    def conserve(self, before: State, event: log.Event, after: State) -> None:
        """Pedine come and go by payments and ricompere only, money by stakes and ricompere only."""
        came = 3 if isinstance(event, log.Rebuy) else 0
        if not isinstance(event, log.Void) and not (after.restarted and not before.restarted):
            was, now = (sum(p["delta"] for hand in plain_report(s)["hands"] for p in hand["payments"]) for s in (before, after))
            assert sum(after.pedine) - sum(before.pedine) == came + now - was
        bought = 101 * 2 ** (before.ricompere + 1) if came else 0
        assert stu.report(after).pot - stu.report(before).pot == bought

    @invariant()
    def standing_makes_sense(self) -> None:
        report = stu.report(self.state)
        assert all(player.pedine >= 0 for player in report.players)
        assert all(player.pedine >= 3 for player in report.players if player.virgin)
        assert [hand.n for hand in report.hands] == list(range(1, len(report.hands) + 1))
        assert (report.winner is not None) == (report.status in ("won", "won_unless_reentry"))
        assert (report.dealer is None) == (report.settlement is not None) == (report.status == "won")
        if report.settlement is not None:
            assert sum(report.settlement.values()) == report.pot
            assert all(amount >= 0 for amount in report.settlement.values())

    @invariant()
    def nobody_holds_the_same_card(self) -> None:
        if (hand := self.state.hand) is not None:
            held = [hand.holds[position] for position in hand.positions()]
            assert len({*held, *hand.under}) == len(held) + len(hand.under)
            assert len(held) + len(hand.under) + hand.fresh == self.state.deck
            assert all(token in held for token in range(40) if hand.is_shown(token)), "only held cards lie face up"
            assert all(hand.faces.count(kind) <= 2 for kind in KINDS)

    @invariant()
    def the_hand_waits_for_one_thing(self) -> None:
        if (hand := self.state.hand) is not None:
            waits = [hand.asking is not None, hand.drawing >= 0, hand.back >= 0]
            assert sum(waits) <= 1
            assert hand.back < 0 or hand.still_in(hand.back)
            assert hand.asking is None or hand.asking.back or hand.turn == hand.asking.asker
            assert hand.drawing < 0 or hand.turn == hand.dealer_position or not hand.still_in(hand.dealer_position)
            assert hand.turn == len(hand.order) or hand.still_in(hand.turn)
            assert not hand.touched & ~((1 << len(hand.order)) - 1)

    @invariant()
    def exactly_the_legal_acts_are_legal(self) -> None:
        legal = stu.legal_acts(self.state)
        for event in everything(self.state.table.names):
            error = stu.check(self.state, event)
            assert (error is None) == (event in legal), (event, error)

    def teardown(self) -> None:
        if not hasattr(self, "events"):
            return
        lines = [Line(event) for event in self.events]
        for count in range(1, len(lines) + 1):
            assert stu.replay(lines[:count]) == self.states[count - 1], "replaying is playing, undoing is replaying less"
        data = write_lines(lines)
        assert log.read_lines(data) == tuple(lines)
        assert stu.replay_log(data) == self.state
        self.rename_everybody()

    def rename_everybody(self) -> None:
        other = stu.begin(renamed(self.game))
        for event in self.events[1:]:
            other = stu.apply(other, renamed(event))
        assert stu.report(other) == renamed(stu.report(self.state))


AnyGame.TestCase.settings = settings(
    max_examples=15, stateful_step_count=30, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
TestAnyGame = AnyGame.TestCase


@given(seed=st.integers(0, 2**32), players=st.integers(2, 12))
@settings(max_examples=30, deadline=None)
def test_games_with_real_cards_can_have_happened(seed: int, players: int) -> None:
    events = list(real_game(seed, players, hands=10))
    state = stu.replay(Line(event) for event in events)
    assert state.hand is None
    assert all(hand.payments for hand in state.hands), "in every hand of this game somebody pays"


@given(seed=st.integers(0, 2**32))
@settings(max_examples=20, deadline=None)
def test_a_deal_told_with_faces_changes_no_payment(seed: int) -> None:
    """Who pays does not depend on when a face became known: the same hands, dealt face up for the log, come to the same."""
    events = list(real_game(seed, 5, hands=6))
    state = stu.begin(events[0])  # type: ignore[arg-type]
    known: list[log.Event] = [events[0]]
    hand_starts: list[int] = []
    for event in events[1:]:
        before, state = state, stu.apply(state, event)
        if isinstance(event, log.Hand):
            hand_starts.append(len(known))
        elif isinstance(event, log.End) and before.hand is not None:
            faces = before.hand.faces
            deals = [
                log.Deal(to=before.table.names[seat], card=faces[position])
                for position, seat in enumerate(before.hand.order)
                if faces[position] is not None
            ]
            known[hand_starts[-1] + 1 : hand_starts[-1] + 1] = deals
        known.append(event)
    told = stu.replay(Line(event) for event in known)
    assert [hand.payments for hand in told.hands] == [hand.payments for hand in state.hands]
    assert [{*hand.irregularities} for hand in told.hands] == [{*hand.irregularities} for hand in state.hands]


@given(seed=st.integers(0, 2**32), players=st.integers(2, 9))
@settings(max_examples=60, deadline=None)
def test_mistakes_found_are_those_that_the_faces_prove(seed: int, players: int) -> None:
    """Worked out a second time from the events: who passed, exchanged and showed what, beside the faces known at the end of the
    hand."""
    events = list(real_game(seed, players, hands=4, careless=0.3))
    assert isinstance(events[0], log.Game)
    state = stu.begin(events[0])
    passed: list[tuple[str, int, int, str]] = []
    shown: list[str] = []
    early: set[str] = set()
    for event in events[1:]:
        before, state = state, stu.apply(state, event)
        if isinstance(event, log.Hand):
            passed, shown, early = [], [], set()
        if (hand := before.hand) is None:
            continue
        names = [before.table.names[seat] for seat in hand.order]
        dealer = len(names) - 1
        holder = dict(zip(names, hand.holds, strict=True))
        ask = hand.asking
        if isinstance(event, log.Passo | log.Sto) or (isinstance(event, log.Draw) and event.by == names[dealer]):
            early |= {*shown} if state is not before else set()
        if isinstance(event, log.Passo) and state is not before and event.by != names[dealer]:
            passed.append(("passed_unbeatable", holder[event.by], 11, event.by))
        elif isinstance(event, log.Draw) and event.by == names[dealer]:
            passed.append(("passed_unbeatable", holder[event.by], 15, event.by))
        elif isinstance(event, log.Swap) and ask is not None:
            handed = any(c.taker == ask.asked and c.giver == ask.asker and c.token == holder[event.with_] for c in hand.ceded)
            passed += [] if handed else [("should_have_refused", holder[event.with_], 11, event.with_)]
        elif isinstance(event, log.Reveal) and hand.faces[holder[event.by]] is None:
            shown += [] if ask is not None and names[ask.asked] == event.by else [event.by]
        if state.hand is None:
            faces = list(hand.faces)
            if isinstance(event, log.Reveal):
                faces[holder[event.by]] = event.card
            proven = {(kind, name) for kind, token, rank, name in passed if RANK.get(faces[token] or "matto", 0) >= rank}
            proven |= {("exposed_early", name) for name in early}
            assert {(found.kind, found.player) for found in state.hands[-1].irregularities} == proven


class LongGame(AnyGame):
    """The same, longer."""


TestLongGame = pytest.mark.slow(LongGame.TestCase)
TestLongGame.settings = settings(
    max_examples=10, stateful_step_count=100, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
