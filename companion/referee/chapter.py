"""One hand of the evening: all that was reported about it, and the histories that this leaves.

A chapter begins where the hand before ends; so what happens between the two (somebody comes back, say) opens it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import accumulate
from typing import Any

from companion.referee.beam import Explained, Ruling, rule
from companion.referee.decoding import NOTHING_DECODED, Decoding, decode_hand, facts_of, history_of
from companion.referee.record import StatedLine
from companion.referee.sighting_model import ChipUncertainty, DealQuestion, Refereed, Step
from companion.referee.values import Beam, Facts, HandReports, KeptHand
from companion.table.game import State
from companion.table.log import Line, tag
from companion.table.sure import SURE_FROM

MIN_AGREED_PROBABILITY = 0.995
"""Least probability of a ruling that counts as sure although a part of the hand could not be seen. It is higher than for
other hands, as what may have happened unseen is weighed by guesses."""
MIN_LINE_CONFIDENCE = 0.0001
"""Least confidence of a line that the eyes give: 0 marks a line that stands in for an outcome."""
PLAYERS_KNOWN_PROBABILITY = 0.9
"""Probability that the right players are in a hand, where an earlier one could not be ruled on and may have put somebody out."""
MIN_CHIPS_KNOWN_PROBABILITY = 0.5
"""Least probability that chips are where they are thought to be, after a hand that was not sure."""
MAX_DOUBTED_PROBABILITY = SURE_FROM - 0.01
"""Greatest probability that is given for a ruling of such a hand with less than `MIN_AGREED_PROBABILITY`, and for a ruling
that passes over what was clearly seen: just below sure."""


@dataclass(frozen=True)
class Chapter:
    """A hand as best known: its ``reports``, the engine's state ``before`` it, and what follows from them.

    ``steps``, ``beams`` and ``explained`` are the `Decoding`; of a hand that is over only the steps are kept. ``kept``: what a
    hand that is over has come to before a restart: it is decoded again only when somebody asks for its histories. ``cache``: for
    what others work out from it.
    """

    game: Refereed = field(repr=False, compare=False)
    reports: HandReports
    before: State
    steps: tuple[Step, ...] = ()
    beams: tuple[Beam, ...] = ()
    explained: Mapping[Step, Explained] = field(default_factory=dict, repr=False, compare=False)
    histories: Beam | None = None
    kept: KeptHand | None = field(default=None, compare=False)
    cache: dict[Any, Any] = field(default_factory=dict, repr=False, compare=False)

    @property
    def id(self) -> int:
        return self.reports.id

    @cached_property
    def outcome(self) -> Beam:
        """The histories by now."""
        if self.histories is not None:
            return self.histories
        return decode_hand(self.game, self.reports, self.before).outcome

    @cached_property
    def ruling(self) -> Ruling | None:
        """What the hand most probably came to, or comes to so far; None when nothing has been reported."""
        if not self.outcome:
            return None
        found = rule(self.outcome)
        lines = found.history.lines
        sure = found.probability * self.certainty * self._owned(lines)
        last = self._said_of(lines).get(len(lines) - 1)
        if last is not None and last.confidence is not None:
            sure = min(sure, last.confidence)
        doubted = found.history.doubtful or (self.blind and sure < MIN_AGREED_PROBABILITY)
        return replace(found, probability=min(sure, MAX_DOUBTED_PROBABILITY) if doubted else sure)

    @cached_property
    def blind(self) -> tuple[tuple[float, float], ...]:
        """Spans of time, from and until in seconds, in which nothing of it could be seen."""
        return self.game.sighting_model.blind(self.reports.sightings) if self.game.sighting_model is not None else ()

    @cached_property
    def doubts(self) -> tuple[DealQuestion, ...]:
        """Its sightings that may belong to another hand, while nobody has answered."""
        return self.game.sighting_model.doubts(self.reports, self.before) if self.game.sighting_model is not None else ()

    @cached_property
    def certainty(self) -> float:
        """Probability that the sightings up to here, this hand included, are split into the right hands."""
        return math.prod((doubt.surely for doubt in self.doubts), start=self.reports.surely * self._standing)

    @property
    def _standing(self) -> float:
        """Probability that the right players are in it, though an earlier hand could not be ruled on."""
        model, unruled = self.game.sighting_model, self.reports.earlier_unruled and not self.named
        return PLAYERS_KNOWN_PROBABILITY if unruled and model is not None and model.may_have_gone(self.before) else 1.0

    @cached_property
    def named(self) -> tuple[str, ...]:
        """The players whose standing the table has stated before the hand."""
        said = self.reports.fixes[-1].lines if self.reports.fixes else ()
        return tuple(dict.fromkeys(name for one in said if tag(one.event) == "set" for name in one.event.names))

    @cached_property
    def in_doubt(self) -> ChipUncertainty:
        """Whose chips are in doubt when it begins: nobody's whose standing the table has stated."""
        names, was = self.game.rules.names(self.before) if self.named else (), self.reports.doubted
        left = tuple((0, 0) if names and name in self.named else those for name, those in zip(names or was, was, strict=False))
        return left if any(map(any, left)) else ()

    def _owned(self, lines: tuple[Line, ...]) -> float:
        """Probability that the chips on which the hand depends are where they are thought to be."""
        model, doubted = self.game.sighting_model, self.in_doubt
        return self.reports.owned if doubted and model and model.depends_on_chips(self.before, lines, doubted) else 1.0

    @cached_property
    def settled(self) -> bool:
        """Whether nobody need doubt what the hand has come to: it is sure, or somebody has told its end."""
        return not self.played or (self.probability or 0.0) >= SURE_FROM or len(self.lines) - 1 in self.fixed

    @cached_property
    def doubted(self) -> tuple[ChipUncertainty, float]:
        """Whose chips are in doubt after it, and the probability that they are where they are thought to be."""
        was, owned, model = self.in_doubt, self.reports.owned, self.game.sighting_model
        if model is None or self.settled or not (now := model.doubted(self.outcome, self.before, was)):
            return was, owned
        return now, max(MIN_CHIPS_KNOWN_PROBABILITY, owned * (self.probability or 0.0))

    @property
    def unruled_so_far(self) -> bool:
        """Whether this hand, or one before, could not be ruled on, as a part of it could not be seen."""
        return self.unruled or (self.reports.earlier_unruled and not self.named)

    @cached_property
    def probability(self) -> float | None:
        """Probability of exactly this outcome; None when nothing has been reported."""
        if self.kept is not None:
            return self.kept.probability
        return self.ruling.probability if self.ruling is not None else None

    @cached_property
    def after(self) -> State:
        """The engine's state after it, as far as it has gone."""
        if self.kept is not None:
            state = self.before
            for line in self.kept.lines:
                state = self.game.rules.apply(state, line.event)
            return state
        return self.ruling.history.state if self.ruling else self.before

    @cached_property
    def states(self) -> tuple[State, ...]:
        """The engine's state before each of its lines, and after the last."""
        return tuple(accumulate((line.event for line in self.lines), self.game.rules.apply, initial=self.before))

    @cached_property
    def lines(self) -> tuple[Line, ...]:
        """Its lines of the table log, with time and confidence; those fixed by hand are certain."""
        if self.kept is not None:
            return self.kept.lines
        if self.ruling is None:
            return ()
        return tuple(
            Line(line.event, line.t, _sureness(line, confidence, self.ruling, self._stated.get(index)))
            for index, (line, confidence) in enumerate(
                zip(self.ruling.history.lines, self.ruling.line_confidence, strict=True)
            )
        )

    @cached_property
    def fixed(self) -> frozenset[int]:
        """Which of its lines were fixed by hand (indices)."""
        return frozenset(index for index, one in self._stated.items() if one.confidence is None)

    @cached_property
    def standing_in(self) -> frozenset[int]:
        """Which of its lines stand for an outcome that somebody has stated (indices): nobody has seen or said them."""
        return frozenset(index for index, one in self._stated.items() if one.stand_in)

    @cached_property
    def written(self) -> dict[int, float]:
        """Index of each of its lines that was taken from a log which is not certain of it → how sure that is."""
        return {index: one.confidence for index, one in self._stated.items() if one.confidence is not None}

    @cached_property
    def _stated(self) -> dict[int, StatedLine]:
        """As `_said_of`, of its own lines."""
        if self.kept is not None:
            return self._said_of(self.kept.lines)
        return self._said_of(self.ruling.history.lines) if self.ruling is not None else {}

    def _said_of(self, lines: tuple[Line, ...]) -> dict[int, StatedLine]:
        """Index of each of these lines that somebody has said, or a log that was taken on → what was said: each thing that was
        said is one line, in order."""
        said = [one for one in (self.reports.fixes[-1].lines if self.reports.fixes else ()) if one.by_hand]
        found = {}
        for index, line in enumerate(lines if said else ()):
            if (at := next((at for at, one in enumerate(said) if one.event == line.event), None)) is not None:
                found[index] = said.pop(at)
        return found

    @cached_property
    def facts(self) -> tuple[Facts, ...]:
        """What each history of the outcome says about what can be asked for."""
        return facts_of(self.game, self.outcome, self.reports, self.before)

    @cached_property
    def missing(self) -> tuple[int, ...]:
        """Whose cards (places) nobody has seen, where that makes it impossible to rule on the hand; none elsewhere."""
        if self.game.sighting_model is None or not self.lines or len(self.lines) - 1 in self.fixed:
            return ()
        return self.game.sighting_model.missing(self.before, self.lines)

    @property
    def unruled(self) -> bool:
        """Whether the chapter's hand is over, and could not be ruled on because a part of it could not be seen."""
        return bool(self.reports.closed and self.blind and self.missing)

    @cached_property
    def played(self) -> bool:
        """Whether a hand was begun in it. A `hand` line need not begin one: in some games it can end the game."""
        rules = self.game.rules
        begun, before = any(tag(line.event) == "hand" for line in self.lines), rules.hands(self.before)
        return begun and (rules.in_hand(self.after) or rules.hands(self.after) > before)

    @cached_property
    def void(self) -> bool:
        """Whether its hand is void."""
        return any(tag(line.event) == "void" for line in self.lines)

    @cached_property
    def over(self) -> bool:
        """Whether a hand was begun in it, and is over."""
        return self.played and not self.game.rules.in_hand(self.after)


def decoded(game: Refereed, reports: HandReports, before: State, old: Chapter | None = None) -> Chapter:
    """Decode a hand. What was worked out for ``old``, an earlier chapter of it, is taken over.

    Raises:
        Unfitting: a correction in ``reports`` cannot be after ``before``.
    """
    known = Decoding(old.steps, old.beams, old.explained) if old is not None and old.before == before else NOTHING_DECODED
    (steps, beams, explained), outcome = decode_hand(game, reports, before, known)
    if reports.closed:
        beams, explained = (), {}
    return Chapter(game, reports, before, steps, beams, explained, outcome)


def after(previous: Chapter, reports: HandReports) -> HandReports:
    """The reports of the hand after ``previous``."""
    doubted, owned = previous.doubted
    return replace(reports, unruled=previous.unruled, earlier_unruled=previous.unruled_so_far, doubted=doubted, owned=owned)


def after_another_past(chapter: Chapter, previous: Chapter) -> Chapter:
    """The chapter after another past that ends with the hand ``previous``. The hand is decoded again only where that makes a
    difference to it.

    Raises:
        Unfitting: a correction in it cannot be after that.
    """
    reports, before = after(previous, chapter.reports), previous.after
    if reports != chapter.reports:
        return decoded(chapter.game, reports, before)
    if before == chapter.before:
        return chapter
    if not chapter.reports.closed or not _same_situation(chapter, before):
        return decoded(chapter.game, chapter.reports, before)
    outcome = [history_of(chapter.game, before, history.lines, like=history) for history in chapter.outcome]
    possible = tuple(history for history in outcome if history)
    if not possible:
        return decoded(chapter.game, chapter.reports, before)
    return replace(chapter, before=before, histories=possible, kept=None, cache={})


def _same_situation(chapter: Chapter, before: State) -> bool:
    model = chapter.game.sighting_model
    if model is None:
        return False
    now, was = (model.situation(state, chapter.reports, chapter.outcome) for state in (before, chapter.before))
    return now == was


def _sureness(line: Line, confidence: float, ruling: Ruling, said: StatedLine | None) -> float:
    """How sure a line is, as the log has it. ``confidence``: by the histories; ``said``: what was said of it, by a person or by a
    log that was taken on."""
    if said is not None:
        return 0.0 if said.stand_in else 1.0 if said.confidence is None else said.confidence
    if tag(line.event) == "void":
        return 0.0  # stands for a ruling that nobody can make from what was seen
    return round(max(MIN_LINE_CONFIDENCE, ruling.probability if tag(line.event) == "end" else confidence), 4)

