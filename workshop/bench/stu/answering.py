"""A truthful witness, for benchmarks: answers the referee's questions as somebody who sat at the table would.

Witnesses know what everybody at the table has seen: who passed to whom, what was exchanged and drawn, and every face that lay
open. They do not know a face that was never shown.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from companion.decks.stu import Kind
from companion.games import GAMES
from companion.games.stu.referee.facts import DEALINGS, default_of, fact_of, facts_of
from companion.games.stu.referee.history import History
from companion.games.stu.rules import State, begin
from companion.games.stu.rules.engine import apply
from companion.games.stu.rules.log import Game, Hand, Reveal
from companion.games.stu.sightings import Appeared, Shown
from companion.referee import Evening
from companion.referee.chapter import Chapter
from companion.referee.decoding import history_of
from companion.referee.evening import hand_of
from companion.referee.questions import Contradicted, Question, answer, question
from companion.referee.values import OTHER, Fact, Facts, value_in
from companion.table.errors import Unfitting
from companion.table.log import Line
from companion.table.sure import SURE_FROM

DEALT = 2.0
"""Seconds that dealing takes: a hand that began just before the table was lost from view was not seen to be dealt."""
NEAR = 3.0
"""Seconds. A face was turned at most this long before or after the eyes saw it."""


@dataclass(frozen=True, slots=True)
class _TrueHand:
    """``start``, ``end``: seconds. ``shown``: the faces shown (place, kind, seconds); ``last``: place → the face open there in
    the end."""

    start: float
    end: float
    facts: Facts
    shown: tuple[tuple[int, Kind, float], ...]
    last: dict[int, Kind]


class Witness:
    """Answers from a true log whose lines have their times ``t`` in seconds, as a clip's log has."""

    def __init__(self, truth: Sequence[Line]) -> None:
        self._hands = _hands(truth)

    def answer(self, asked: Question, begun: float, missed: tuple[float, float] | None = None) -> str | None:
        """The id of the true choice; None ("don't know") for what nobody saw or what is not among the choices.

        ``begun``: when the hand in question was seen to begin, seconds; ``missed``: from when to when it must have been played,
        where nothing of it was seen.
        """
        hands = [hand for hand in self._hands if hand.start <= begun + NEAR]
        if missed is not None:
            hands = [hand for hand in self._hands if hand.start >= missed[0] - NEAR and hand.end <= missed[1] + NEAR]
        fact = fact_of(asked.id.partition(":")[2])
        if fact.kind in DEALINGS:
            return self._dealings(fact, begun)
        if not hands:
            return None
        value = _card(hands[-1], fact) if fact.kind == "card" else value_in(hands[-1].facts, fact, default_of(fact))
        offered = [choice.id for choice in asked.choices]
        others = [id for id in offered if id.startswith(f"{OTHER}:")]
        if value in offered or value is None:
            return value
        return others[0] if others and value not in others[0].split(":") else None

    def _dealings(self, fact: Fact, begun: float) -> str:
        """How many hands were dealt after the one seen to begin at ``begun`` seconds, or were played as a whole, in a time
        in which nothing could be seen."""
        start, _, until = fact.key.partition("@")[2].partition("-")
        t, end = float(start), float(until)
        if fact.kind == "played":
            return str(sum(t <= hand.start + DEALT and hand.end <= end for hand in self._hands))
        return str(sum(begun < hand.start <= end for hand in self._hands))


def _missed(chapter: Chapter) -> tuple[float, float] | None:
    """From when to when (seconds) a hand was played that nobody saw; None of any other."""
    if not chapter.reports.missed:
        return None
    return min(one.t for one in chapter.reports.sightings), chapter.reports.cleared or math.inf


def settle(evening: Evening, witness: Witness, *, sure: float = SURE_FROM, most: int = 8) -> tuple[Evening, tuple[Question, ...]]:
    """The evening after its open questions have been answered, at most ``most`` of them, and these questions.

    ``sure``: as of `companion.referee.questions.question`. An answer that contradicts everything counts as "don't know": the
    table would have to correct the hand.
    """
    asked: list[Question] = []
    while len(asked) < most and (one := question(evening, sure)) is not None:
        asked.append(one)
        try:
            chapter = evening.chapter(hand_of(one.id))
            cards = (seen.t for seen in chapter.reports.sightings if isinstance(seen, Appeared | Shown))
            begun = min(cards, default=(chapter.lines[0].t if chapter.lines else None) or one.t)
            evening = answer(evening, one.id, witness.answer(one, begun, _missed(chapter)))
        except (Contradicted, Unfitting):
            evening = answer(evening, one.id, None)
    return evening, tuple(asked)


def _card(hand: _TrueHand, fact: Fact) -> str | None:
    """The face in question: the one turned there about that time, or else the one that lay there in the end."""
    (place,) = fact.places
    near = [(abs(t - fact.t), kind) for where, kind, t in hand.shown if where == place and abs(t - fact.t) <= NEAR]
    if "@" in fact.key and near:
        return min(near)[1]
    return hand.last.get(place)


def _hands(truth: Sequence[Line]) -> tuple[_TrueHand, ...]:
    hands: list[_TrueHand] = []
    lines: list[Line] = []
    before: State | None = None
    state: State | None = None
    for line in truth:
        if isinstance(line.event, Game):
            state = begin(line.event)
            continue
        assert state is not None, "a table log begins with its game line"
        if before is None:
            before, lines = state, []
        ended = state.hand is not None
        state = apply(state, line.event)
        lines.append(line)
        if ended and state.hand is None:
            hands.append(_true_hand(before, lines))
            before = None
    if before is not None and any(isinstance(line.event, Hand) for line in lines):
        hands.append(_true_hand(before, lines))
    return tuple(hands)


def _true_hand(before: State, lines: list[Line]) -> _TrueHand:
    history = history_of(GAMES["stu"], before, lines)
    assert isinstance(history, History), "the truth is a log that can have happened"
    seats = {name: seat for seat, name in enumerate(before.table.names)}
    shown: list[tuple[int, Kind, float]] = []
    last: dict[int, Kind] = {}
    state = before
    for line in lines:
        state = apply(state, line.event)
        if isinstance(line.event, Reveal):
            shown.append((seats[line.event.by], line.event.card, line.t or 0.0))
        if state.hand is None:
            continue
        hand = state.hand
        last = {}
        for position in hand.positions():
            face = hand.face_of(position)
            if face is not None and hand.is_shown(hand.holds[position]):
                last[hand.order[position]] = face
        shown += [(place, kind, line.t or 0.0) for place, kind in last.items()]
    begun = next(line.t for line in lines if isinstance(line.event, Hand))
    return _TrueHand(begun or 0.0, lines[-1].t or 0.0, facts_of(history, before, ()), tuple(shown), last)
