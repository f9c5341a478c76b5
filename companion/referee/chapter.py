"""One hand of the evening: all that was reported about it, and the histories that this leaves.

A chapter begins where the hand before ends; so what happens between the two (a ricompera, a Matto taken out) opens it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import takewhile

from companion.decks.stu import KINDS, Kind, as_kind
from companion.eyes.sighting import Appeared, Shown, Sighting
from companion.games.stu.referee.covered import Covered, covered
from companion.games.stu.referee.explain import LAIN_SECONDS
from companion.games.stu.rules import State
from companion.games.stu.rules.log import End, Event, Hand, Rebuy, Reveal, Void
from companion.games.stu.rules.state import NOBODY
from companion.referee.decode import Beam, Ruling, ended, extend, payments, prune, rule
from companion.referee.facts import Facts, faces_seen, fact_of, facts_of, struck
from companion.referee.hypothesis import Hypothesis
from companion.referee.mending import fixed, told
from companion.referee.reasons import UNFITTING_BEGINNING
from companion.referee.record import Fixed, Said
from companion.table.errors import Unfitting
from companion.table.log import Line

CAME_BACK, STAYED_OUT = math.log(0.97), math.log(0.03)
"""A card dealt to a player who is out means that they came back, and is seldom a misreading."""
CAME_BACK_UNSEEN = math.log(0.01)
"""A player who is out has come back, and nobody saw their card dealt: it must have been shown."""
SURE = 0.95
"""A ruling at least this probable is taken for sure: nobody is asked about it."""
BARELY = 9.0
"""Of a hand that is over, histories this much less likely (natural logarithm) than the best are forgotten."""
BARELY_UNSURE = 20.0
"""The same where the ruling is not sure: somebody may tell what nobody thought of."""
AT_ONCE = frozenset({"gnao", "bragon"})
"""Kinds that cost somebody a pedina in mid-hand, and so perhaps the rest of the hand."""

Step = Sighting | Covered | Fixed


@dataclass(frozen=True, slots=True)
class Account:
    """What was reported about one hand. ``id``: unique in the evening, in the order in which the hands were begun.

    ``sightings`` by time; ``cleared``: when its cards were gathered; ``fixes``: as they were made; ``answers``: question id →
    choice id, None for "don't know", as pairs; ``closed``: nothing that is seen from now on belongs to it.
    """

    id: int
    sightings: tuple[Sighting, ...] = ()
    cleared: float | None = None
    fixes: tuple[Fixed, ...] = ()
    answers: tuple[tuple[str, str | None], ...] = ()
    closed: bool = False


@dataclass(frozen=True)
class Chapter:
    """A hand as best known: its ``account``, the engine's state ``before`` it, and what this comes to.

    ``steps``: what was seen and corrected, in the order in which it counts. ``beams``: the histories before the first
    step, after it, after the second, …; none are kept of a hand that is over. ``outcome``: the histories by now.
    """

    account: Account
    before: State
    steps: tuple[Step, ...]
    beams: tuple[Beam, ...]
    outcome: Beam

    @property
    def id(self) -> int:
        return self.account.id

    @cached_property
    def ruling(self) -> Ruling | None:
        """What the hand most probably came to, or comes to so far; None when nothing has been reported."""
        return rule(self.outcome) if self.outcome else None

    @cached_property
    def after(self) -> State:
        """The engine's state after it, as far as it has gone."""
        return self.ruling.history.state if self.ruling else self.before

    @cached_property
    def lines(self) -> tuple[Line, ...]:
        """Its lines of the table log, with time and confidence; those fixed by hand are certain."""
        if self.ruling is None:
            return ()
        return tuple(
            Line(line.event, line.t, 1.0 if index in self.fixed else round(_sureness(line, confidence, self.ruling), 4))
            for index, (line, confidence) in enumerate(
                zip(self.ruling.history.lines, self.ruling.line_confidence, strict=True)
            )
        )

    @cached_property
    def fixed(self) -> frozenset[int]:
        """Which of its lines were fixed by hand (indices)."""
        if self.ruling is None:
            return frozenset()
        by_hand = [said.event for said in self._last_said if said.by_hand]
        found = set()
        for index, line in enumerate(self.ruling.history.lines):
            if line.event in by_hand:
                by_hand.remove(line.event)
                found.add(index)
        return frozenset(found)

    @cached_property
    def facts(self) -> tuple[Facts, ...]:
        """What each history of the outcome says about what can be asked for."""
        seen = faces_seen(self.account.sightings)
        return tuple(facts_of(history, self.before, seen) for history in self.outcome)

    @property
    def _last_said(self) -> tuple[Said, ...]:
        return self.account.fixes[-1].lines if self.account.fixes else ()

    @property
    def faceless(self) -> tuple[int, ...]:
        """Whose cards (places) nobody has seen, where that makes it impossible to rule on the hand; none elsewhere."""
        if self.ruling is None or not self.ruling.history.lines or len(self.lines) - 1 in self.fixed:
            return ()
        *lines, last = self.ruling.history.lines
        end = told(self.before, lines) if isinstance(last.event, Void) else None
        hand = end.state.hand if end is not None else None
        return tuple(hand.order[p] for p in hand.positions() if hand.face_of(p) is None) if hand is not None else ()

    @property
    def played(self) -> bool:
        """Whether a hand was begun in it."""
        return self.ruling is not None and any(isinstance(line.event, Hand) for line in self.ruling.history.lines)


def decoded(account: Account, before: State, old: Chapter | None = None) -> Chapter:
    """Think a hand through. What ``old``, an earlier chapter of it, has thought through already is taken over.

    Raises:
        Unfitting: a correction in ``account`` cannot be after ``before``.
    """
    steps = _steps(account)
    beams = [_start(account, before)]
    if old is not None and old.before == before and old.beams and old.beams[0] == beams[0]:
        same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(old.steps, steps, strict=False)))
        beams = list(old.beams[: same + 1])
    for step in steps[len(beams) - 1 :]:
        beams.append(fixed(beams[-1], step, before) if isinstance(step, Fixed) else extend(beams[-1], step))
    beam = _faces_told(_heeded(beams[-1], account, before), account)
    if account.cleared is not None and beam:
        beam = ended(beam, account.cleared)
    elif not account.closed:
        beam = _over_if_seen(beam)
    for fix in account.fixes:
        if fix.after is None and fix.opening is None:
            beam = fixed(beam, fix, before)
    beam = _heeded(beam, account, before)
    if account.closed:
        beam = _kept(beam)
    return Chapter(account, before, steps, () if account.closed else tuple(beams), beam)


def _kept(beam: Beam) -> Beam:
    """What is worth keeping of a hand that is over."""
    if not beam:
        return beam
    barely = BARELY if rule(beam).probability >= SURE else BARELY_UNSURE
    best = max(history.weight for history in beam)
    return tuple(history for history in beam if history.weight > best - barely)


def moved(chapter: Chapter, before: State) -> Chapter:
    """The chapter after another past. Where that makes no difference to the hand it is not thought through again.

    Raises:
        Unfitting: a correction in it cannot be after ``before``.
    """
    if before == chapter.before:
        return chapter
    if not chapter.account.closed or _situation(before, chapter) != _situation(chapter.before, chapter):
        return decoded(chapter.account, before)
    outcome = [told(before, history.lines, like=history) for history in chapter.outcome]
    kept = tuple(history for history in outcome if history)
    return replace(chapter, before=before, outcome=kept) if kept else decoded(chapter.account, before)


def _situation(state: State, chapter: Chapter) -> tuple[object, ...]:
    """What the play of the hand hangs on: of the pedine only who has any, where nobody can have lost one in mid-hand."""
    alternatives = {kind for seen in chapter.account.sightings if isinstance(seen, Shown) for kind, _ in seen.alternatives}
    paid = any(payment.by or payment.cause == "penalty" for history in chapter.outcome for payment in payments(history))
    whole = paid or bool(alternatives & AT_ONCE)
    pedine = state.pedine if whole else tuple(count > 0 for count in state.pedine)
    return state.table, pedine, state.next_dealer(), state.matti, state.ricompere_open, state.won


def _heeded(beam: Beam, account: Account, before: State) -> Beam:
    """What the answers given leave of a beam; one that would leave nothing is passed over."""
    seen = faces_seen(account.sightings)
    for question, choice in account.answers:
        if choice is not None:
            facts = [facts_of(history, before, seen) for history in beam]
            beam = struck(beam, facts, fact_of(question.partition(":")[2]), choice) or beam
    return beam


def _faces_told(beam: Beam, account: Account) -> Beam:
    """The histories with the faces in them that the eyes never saw, and somebody has told."""
    for question, choice in account.answers:
        fact = fact_of(question.partition(":")[2])
        if fact.kind == "card" and "@" not in fact.key and choice in KINDS:
            beam = tuple(_face_told(history, fact.places[0], as_kind(choice), account) for history in beam)
    return beam


def _face_told(history: Hypothesis, seat: int, kind: Kind, account: Account) -> Hypothesis:
    hand = history.state.hand
    position = hand.order.index(seat) if hand is not None and seat in hand.order else NOBODY
    if hand is None or position == NOBODY or not hand.still_in(position) or hand.face_of(position) is not None:
        return history
    t = account.cleared if account.cleared is not None else history.acted
    return history.after([Reveal(by=history.state.table.names[seat], card=kind)], 0.0, t) or history


def _steps(account: Account) -> tuple[Step, ...]:
    """Sightings in order of time, and what they leave open; each correction made in mid-hand after those that were known."""
    seen: list[Sighting | Covered] = [*account.sightings, *covered(account.sightings)]
    steps: list[Step] = [*sorted(seen, key=lambda step: step.t)]
    for fix in account.fixes:
        if fix.after is not None and fix.opening is None:
            known = [index for index, step in enumerate(steps) if isinstance(step, Fixed) or step.t <= fix.after]
            steps.insert(known[-1] + 1 if known else 0, fix)
    return tuple(steps)


def _start(account: Account, before: State) -> Beam:
    """How the hand can have begun."""
    opening = [fix.lines[: fix.opening] for fix in account.fixes if fix.opening is not None]
    if not opening:
        return prune(_beginnings(Hypothesis(before, 0.0, (), 0.0), account.sightings))
    lines = tuple(Line(said.event, said.t) for said in opening[-1])
    begun = told(before, lines)
    if begun is None:
        raise Unfitting(UNFITTING_BEGINNING)
    if any(isinstance(line.event, Hand) for line in lines):
        return (begun,)
    return prune(_beginnings(begun, account.sightings)) or (begun,)


def _beginnings(empty: Hypothesis, sightings: tuple[Sighting, ...]) -> Iterable[Hypothesis]:
    """The hand begun with the first card dealt: who is out and was dealt a card, or shows one, may have come back (rule 10)."""
    dealt = [seen for seen in sightings if isinstance(seen, Appeared)]
    if not dealt:
        return ()
    t = dealt[0].t
    starts = [replace(empty, acted=t)]
    for seat in sorted({seen.place for seen in sightings if isinstance(seen, Appeared | Shown)} - set(empty.state.in_play)):
        came = [seen.t for seen in dealt if seen.place == seat]
        faces = [seen.t for seen in sightings if isinstance(seen, Shown) and seen.place == seat]
        given = any(not any(_gathered(put, face) for face in faces) for put in came)
        shown = any(face - t >= LAIN_SECONDS and not any(_gathered(put, face) for put in came) for face in faces)
        if not (given or shown):
            continue
        back: list[Event] = [Rebuy(by=empty.state.table.names[seat])]
        returned = [start.after(back, CAME_BACK if given else CAME_BACK_UNSEEN, t) for start in starts]
        if given:
            starts = [replace(start, weight=start.weight + STAYED_OUT) for start in starts]
        starts += [start for start in returned if start]
    begun = (start.after([Hand()], 0.0, t) for start in starts)
    return tuple(start for start in begun if start and start.state.hand is not None)


def _gathered(put: float, face: float) -> bool:
    """Whether a card that came at one time and showed its face at another was one of the hand before, being gathered."""
    return 0 <= face - put < LAIN_SECONDS


def _over_if_seen(beam: Beam) -> Beam:
    """When everybody's card has been seen in the likeliest history, the hand is ruled without waiting for the clearing."""
    if not beam or beam[0].state.hand is None or beam[0].owed or beam[0].after([End()], 0.0, beam[0].acted) is None:
        return beam
    return ended(beam, beam[0].acted)


def _sureness(line: Line, confidence: float, ruling: Ruling) -> float:
    if isinstance(line.event, Void):
        return 0.0  # stands for a ruling that nobody can make from what was seen
    return ruling.probability if isinstance(line.event, End) else confidence
