"""Of each game of the house: logs in which cards are known that nobody may see, and the same logs had nobody seen them.

A new game adds its `Hidden` to `HIDDEN`, or its id to `ALL_OPEN`: the tests of `test_no_leak.py` ask for every game of `GAMES`.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from evenings import evenings as stu_evenings
from hypothesis import strategies as st
from msgspec.structs import replace

from companion.decks import italian
from companion.games import GAMES
from companion.games.stoper import bots as stoper_bots
from companion.games.stoper import rules as stoper_rules
from companion.games.stoper.rules import log as stoper
from companion.games.stoper.rules.cards import cards_in
from companion.games.stoppa import bots as stoppa_bots
from companion.games.stoppa.rules import log as stoppa
from companion.games.stu import bots as stu_bots
from companion.games.stu import rules as stu_rules
from companion.games.stu.pages.chances import public_view
from companion.games.stu.rules import log as stu
from companion.pages.moments import Moment
from companion.referee import Evening, observe
from companion.table.log import Line
from workshop.streams.stoper import noise as stoper_noise
from workshop.streams.stoper import referee as stoper_referee
from workshop.streams.stoper import truth as stoper_streams
from workshop.streams.stoper import truth as stoper_truth
from workshop.streams.stoppa import noise as stoppa_noise
from workshop.streams.stoppa import referee as stoppa_referee
from workshop.streams.stoppa import truth as stoppa_streams
from workshop.streams.stu import evenings as stu_streams
from workshop.streams.stu import noise as stu_noise
from workshop.streams.stu import referee as stu_referee

Log = Sequence[Line]
CARD = re.compile(r"\b(?:denari|coppe|spade|bastoni)-(?:10|[1-9])\b")
NAMED = {name.it: kind for kind, name in italian.NAMES.items()}


@dataclass(frozen=True)
class Hidden:
    """What the tests of a leak need of a game.

    ``logs``: logs of a few hands, with cards in them that nobody has laid open. ``whole``: one that comes to every step that the
    table waits for. ``blind``: the same log, had nobody seen a card before everybody did. ``noted``: the same log at a table
    where the rules never lay open what was hidden. ``faces``: which cards a view or a moviola, as plain values, shows or names.
    ``money``: what everybody must be told truly, of a report. ``watched``: what the referee makes of an evening that the eyes
    have reported badly and doubtfully; None where no eyes follow the game. ``reckoned``: what its chances are, or what they are
    reckoned from where that takes long.
    """

    logs: st.SearchStrategy[tuple[Line, ...]]
    whole: Callable[[], Log]
    blind: Callable[[Log], Log]
    faces: Callable[[Any], set[str]]
    money: Callable[[Any], object]
    watched: Callable[[], Evening] | None = None
    noted: Callable[[Log], Log] = lambda lines: lines
    reckoned: Callable[[list[Moment]], object] = lambda moments: None


def _faces_of_italian(plain: Any) -> set[str]:
    said = str(plain)
    return {*CARD.findall(said), *(kind for name, kind in NAMED.items() if name in said)}


# Lu Stù.


def _stu_blind(lines: Log) -> Log:
    """Cards of a hand in progress; once it is over everybody has seen those that were in it."""
    state, begun = stu_rules.begin(lines[0].event), len(lines)
    for at, line in enumerate(lines[1:], start=1):
        state = stu_rules.apply(state, line.event)
        begun = at if isinstance(line.event, stu.Hand) else begun
    return tuple(
        replace(line, event=replace(line.event, card=None), confidence=None)
        if state.hand is not None and at > begun and isinstance(line.event, stu.Deal | stu.Draw) else line
        for at, line in enumerate(lines)
    )  # fmt: skip


def _stu_faces(plain: Any) -> set[str]:
    """Of the cards: their kinds are words and numbers that sentences have, too."""
    if isinstance(plain, dict):
        found = {plain["face"]} if isinstance(plain.get("face"), str) else set()
        return found.union(*map(_stu_faces, plain.values()))
    return set().union(*map(_stu_faces, plain)) if isinstance(plain, list) else set()


def _stu_whole() -> Log:
    rare = stu_bots.EventProbabilities(penalty=0.1, void=0, exposed=0.2, wrong_dealer=0.1, matto=0.1, split=0, close=0,
                                       mistake=0.3)
    return stu_bots.simulate(stu_bots.Settings(players=stu_bots.seated(4), pedine=1, event_probabilities=rare), hands=40, seed=5)


def _stu_watched(seed: int = 9) -> Evening:
    true = stu_streams.timed(next(stu_streams.evenings(2, seed)))
    evening = Evening.of(GAMES["stu"], true[0].event)
    for sighting in stu_referee.spoilt(true, stu_noise.Noise.medium(), f"leak {seed}"):
        evening = observe(evening, sighting)
    return evening


# Stoppa.

STOPPA_WILD = stoppa_bots.EventProbabilities(
    void=0.1, annul=0.1, wrong_dealer=0.1, giro=0.15, omission=0.15, found=0.3, shown=0.5, unsaid=0.3
)


@st.composite
def stoppa_evenings(draw: st.DrawFn) -> tuple[Line, ...]:
    """The log of a few hands in which every dealt card is known, with mistakes and incidents."""
    house = stoppa.HouseRules(
        pass_=draw(st.sampled_from(["final", "checks"])),
        grosso_nobody=draw(st.sampled_from(["dealer", "carried"])),
        three_aces_anytime=draw(st.booleans()),
        all_at_once=draw(st.sampled_from(["deck", "left"])),
    )
    players = stoppa_bots.seated(draw(st.integers(3, 6)))
    table = stoppa_bots.Settings(players=players, house_rules=house, event_probabilities=STOPPA_WILD, faces=True)
    return stoppa_bots.simulate(table, hands=draw(st.integers(1, 3)), seed=draw(st.integers(0, 2**32)))


def _stoppa_blind(lines: Log) -> Log:
    """What stays in a hand is never laid open, not even later."""
    return tuple(
        replace(line, event=replace(line.event, faces=()), confidence=None) if isinstance(line.event, stoppa.Deal) else line
        for line in lines
    )


def _stoppa_whole() -> Log:
    table = stoppa_bots.Settings(players=stoppa_bots.seated(4), event_probabilities=STOPPA_WILD, faces=True)
    return stoppa_bots.simulate(table, hands=2, seed=21)


def true_and_watched_stoppa(seed: int) -> tuple[tuple[Line, ...], Evening]:
    """An evening, and what the referee makes of what the eyes report of it."""
    true = next(stoppa_streams.evenings(1, seed))
    stream = stoppa_referee.spoilt(true, stoppa_noise.LEVELS["medium"], f"leak {seed}")
    return true, stoppa_referee.evening_of(true[0].event, stream)


# Stoper.

STOPER_WILD = stoper_bots.EventProbabilities(
    void=0.1, wrong_dealer=0.1, absent=0.1, chips=0.8, bluff=0.4, dealt=1, discards=1, late=0.4
)


@st.composite
def stoper_evenings(draw: st.DrawFn) -> tuple[Line, ...]:
    """The log of a few hands in which every card dealt, thrown away and received is known, with bluffs and incidents."""
    house = stoper.HouseRules(
        ace_pair_third=draw(st.sampled_from(["figure", "any"])),
        false_opening=draw(st.sampled_from(["noted", "forfeit"])),
        dealer_pays=draw(st.booleans()),
    )
    table = stoper_bots.Settings(
        players=stoper_bots.seated(draw(st.integers(4, 6))), mode=draw(st.sampled_from(["cash", "torneo"])),
        house_rules=house, event_probabilities=STOPER_WILD, stacks=draw(st.sampled_from([400, 2000])),
    )  # fmt: skip
    seed = draw(st.integers(0, 2**32))
    return received(stoper_bots.simulate(table, hands=draw(st.integers(1, 3)), seed=seed), seed)


def received(lines: Log, seed: int) -> tuple[Line, ...]:
    """The log with a line for the cards that were received for those changed: some that nobody else is known to have."""
    return tuple(_received(lines, random.Random(seed)))


def _received(lines: Log, chance: random.Random) -> Iterator[Line]:
    shown_later = [set(line.event.cards) if isinstance(line.event, stoper.Show) else set[str]() for line in lines]
    kinds, state = italian.KINDS, None
    for at, line in enumerate(lines):
        yield line
        state = stoper_rules.begin(line.event) if state is None else stoper_rules.apply(state, line.event)
        if isinstance(line.event, stoper.Cambio) and line.event.n and state.hand is not None:
            taken = set().union(*shown_later[at:]) | {kinds[card] for known in state.hand.known for card in cards_in(known.cards)}
            left = [kinds[card] for card in cards_in(state.hand.deck) if kinds[card] not in taken]
            deal = stoper.Deal(to=line.event.by, faces=tuple(chance.sample(left, line.event.n)) if len(left) > 4 else ())
            later = [one for one in lines[at:] if isinstance(one.event, stoper.Show) and one.event.by == line.event.by]
            if deal.faces and not later and stoper_rules.check(state, deal) is None:
                state = stoper_rules.apply(state, deal)
                yield Line(deal, None, 0.9)


def _stoper_blind(lines: Log) -> Log:
    """Neither cards dealt nor those thrown away."""
    found = []
    for line in lines:
        event = line.event
        if isinstance(event, stoper.Deal):
            count = len(event.faces) if event.cards is None else event.cards
            line = Line(replace(event, cards=count, faces=()), line.t)
        elif isinstance(event, stoper.Cambio):
            line = replace(line, event=replace(event, discards=None))
        found.append(line)
    return tuple(found)


def _stoper_noted(lines: Log) -> Log:
    """A false opening is only noted: discards are laid open by nobody."""
    first = lines[0].event
    return (Line(replace(first, house_rules=replace(first.house_rules, false_opening="noted"))), *lines[1:])


def stoper_watched(seed: int) -> Evening:
    """What the referee makes of a hand in which the eyes are unsure of many faces."""
    true = next(stoper_streams.evenings(1, seed))
    game, doubtful = true[0].event, stoper_noise.Noise(face_doubted=0.5, shown_missed=0.05)
    seen = stoper_noise.corrupt(stoper_truth.ideal(true), doubtful, len(game.players), random.Random(f"leak {seed}"))
    return stoper_referee.evening_of(game, seen, stoper_truth.told(true))


def _stoper_whole() -> Log:
    table = stoper_bots.Settings(players=stoper_bots.seated(5), event_probabilities=STOPER_WILD, stacks=800)
    return received(stoper_bots.simulate(table, hands=2, seed=4), 4)


def _without_irregularities(hands: Sequence[Any]) -> list[Any]:
    """Hands as they were paid; a mistake may be one that only hidden cards prove."""
    return [replace(hand, irregularities=()) for hand in hands]


HIDDEN = {
    "stu": Hidden(
        logs=stu_evenings(), whole=_stu_whole, blind=_stu_blind, faces=_stu_faces, watched=_stu_watched,
        reckoned=public_view,
        money=lambda told: (
            told.players, told.pot, told.status, told.settlement, [hand.payments for hand in told.hands],
        ),
    ),
    "stoppa": Hidden(
        logs=stoppa_evenings(), whole=_stoppa_whole, blind=_stoppa_blind, faces=_faces_of_italian,
        watched=lambda: true_and_watched_stoppa(19)[1],
        money=lambda told: (told.players, told.status, told.giro, _without_irregularities(told.hands)),
    ),
    "stoper": Hidden(
        logs=stoper_evenings(), whole=_stoper_whole, blind=_stoper_blind, faces=_faces_of_italian, noted=_stoper_noted,
        watched=lambda: stoper_watched(37), reckoned=lambda moments: GAMES["stoper"].pages.chances(moments),
        money=lambda told: (told.players, told.carried, told.status, _without_irregularities(told.hands)),
    ),
}  # fmt: skip
ALL_OPEN: frozenset[str] = frozenset()
"""The games whose logs can hold no card but those that everybody has seen. `test_no_leak.py` tries that nothing is kept from
spectators in them, and no line tells what somebody was dealt."""
