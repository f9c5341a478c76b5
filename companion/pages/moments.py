"""A game as the pages follow it: as its log tells it, and as everybody at the table has seen it. Pure.

A camera may have caught a card while it was dealt, and a correction may name one. Such a face is taken out of the log before
anything is made of it (`Pages.public`), and all that a spectator gets is computed from what is left: so no sentence, no ruling
and no irregularity can give away a card, and nobody has to remember to hide it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from companion.table.errors import Illegal
from companion.table.game import Rules, State
from companion.table.log import Event, Line, least_sure, tag, weight

if TYPE_CHECKING:
    from companion.pages.protocol import Pages


class Moment(Struct, frozen=True):
    """A game after one line of its log.

    Attributes:
        known: the game as the log tells it, faces that nobody showed included. Never shown to anybody.
        seen: the game as everybody has seen it, as far as it was said. Where only the outcome of a hand is known, it stays as it
            was before the first line that stands in, and has the outcome once the hand is over.
        event: what has just happened, without an unseen face; None where the line stands in for what nobody told, or stands
            after such a line in a hand.
        lines: what this line comes to in the public log.
        laid: what lies on the table, in the game's own terms (`Pages.laid`).
        confidence: the probability (0…1) that the last ruling is right, as its lines say; None where none does.
        sure: number (from 1) of each hand that is over and of whose ruling the lines say how sure it is, and that probability.
        stated: numbers of the hands that are over, and that only have a known outcome.
        run: what the public log comes to, in a hand in which a line stands in; None elsewhere. Never shown to anybody.
        begins: whether this line has begun a hand. A `hand` line need not: in some games it can end the game.
        ended: the game as everybody saw it when the hand before was over, where the line that begins a hand says that, too.
        act: how sure (0…1) the act is that is under way, or was ended by this line, a passo with its answer, say: as its least
            sure line; None where no line says.
        least: how sure the least sure line of the hand in progress is; None where no line says, and between hands.
    """

    known: State
    seen: State
    event: Event
    lines: tuple[Line, ...]
    laid: Any = None
    confidence: float | None = None
    sure: tuple[tuple[int, float], ...] = ()
    stated: tuple[int, ...] = ()
    run: State | None = None
    begins: bool = False
    ended: State | None = None
    act: float | None = None
    least: float | None = None


def advance(rules: Rules, pages: Pages, before: Moment | None, line: Line) -> Moment:
    """The game one line further; the first line, with nothing `before`, must be `game`.

    Raises Illegal when the line cannot have happened now.
    """
    event = line.event
    if before is None:
        if tag(event) != "game":
            raise Illegal("the log does not begin with a game", expected="a `game` line")
        state = rules.begin(event)
        return Moment(state, state, event, (line,))
    known = rules.apply(before.known, event)
    if before.run is not None or (stands_in(line) and rules.in_hand(before.seen) and pages.outcomes is not None):
        return _untold(rules, pages, before, known, line)
    lines = pages.public(before.known, before.seen, line)
    was = seen = before.seen
    laid = before.laid
    for said in lines:
        was, seen = seen, rules.apply(seen, said.event)
        laid = pages.laid(laid, was, said.event, seen)
    act = least_sure(before.act, line.confidence) if pages.due(before.seen) else line.confidence
    confidence, least = _confidence(rules, before, lines, seen, act), _least_of_hand(rules, before, lines, seen)
    sure, begins = _sure(rules, before, seen, confidence, lines[-1].confidence), tag(event) == "hand" and rules.in_hand(seen)
    ended = rules.apply(was, end_of(rules)) if begins and _ended_by(rules, before.seen, seen) else None
    return Moment(known, seen, lines[-1].event, lines, laid, confidence, sure, before.stated, begins=begins, ended=ended, act=act,
                  least=least)


def _untold(rules: Rules, pages: Pages, before: Moment, known: State, line: Line) -> Moment:
    """The game one line further in a hand in which this line, or one before, stands in for what nobody told.

    Raises Illegal when the line cannot have happened now.
    """
    outcomes = pages.outcomes
    assert outcomes is not None
    was = run = before.run if before.run is not None else before.seen
    lines = pages.public(before.known, run, line)
    for said in lines:
        was, run = run, rules.apply(run, said.event)
    told = None if stands_in(line) else lines[-1].event
    lines = (*(replace(said, confidence=0.0) for said in lines[:-1]), lines[-1])
    if not _ended_by(rules, before.seen, run):
        laid = before.laid if told is None else outcomes.laid(before.laid, told, before.seen)
        return replace(before, known=known, event=None, lines=lines, laid=laid, run=run, begins=False, ended=None)
    seen = outcomes.untold(before.seen, run)
    void = told is not None and tag(told) == "void"
    if void or rules.in_hand(seen):  # nothing is left of the hand, or the next has begun with the same line
        laid = pages.laid(before.laid, before.seen, told, seen)
    else:
        laid = outcomes.laid(before.laid, told, seen)
    line = line if told is not None else replace(line, confidence=1.0)
    begins = rules.in_hand(seen)
    confidence = None if begins else line.confidence
    stated = before.stated if void else (*before.stated, rules.hands(seen))
    sure = _with_last(rules, before, seen, 1.0 if begins else line.confidence)
    ended = outcomes.untold(before.seen, rules.apply(was, end_of(rules))) if begins else None
    return Moment(known, seen, told, lines, laid, confidence, sure, stated, begins=begins, ended=ended,
                  least=line.confidence if begins else None)


def follow(rules: Rules, pages: Pages, lines: Iterable[Line], before: Moment | None = None) -> Iterator[Moment]:
    """The game after each of these lines, which come after the moment ``before``; the first of a log comes after None.

    Raises Illegal at a line that cannot have happened.
    """
    for line in lines:
        before = advance(rules, pages, before, line)
        yield before


def stands_in(line: Line) -> bool:
    """Whether this line of a hand stands for an outcome that somebody has stated: nobody has seen or said it."""
    return line.confidence == 0.0 and tag(line.event) not in _FRAME


_FRAME = frozenset({"hand", "end", "void"})
"""A hand that was told has been begun and ended; where these have a confidence of 0 its ruling is in doubt."""


def is_sure(moment: Moment, sure_from: float) -> bool:
    """Whether the lines of this moment are sure; one that stands for an outcome is not in doubt, it is not shown."""
    said = [line.confidence for line in moment.lines if line.confidence is not None]
    return not said or min(said) >= sure_from or moment.event is None


DECIDED_FROM = 0.5
"""Probability from which a line of a hand in progress decides something: below it is more likely wrong than right."""


def settled(rules: Rules, moments: Sequence[Moment]) -> Sequence[Moment]:
    """The moments without those last ones of a hand in progress that decide something, and are more likely wrong than right. A
    player who lays down three cards has first laid one: what follows from that one alone would be told, and called out, for
    a tenth of a second."""
    end = len(moments)
    while end > 1 and _undecided(rules, moments[end - 2], moments[end - 1]):
        end -= 1
    return moments[:end]


def _undecided(rules: Rules, before: Moment, now: Moment) -> bool:
    if now.event is None or not (rules.in_hand(before.seen) and rules.in_hand(now.seen)):
        return False
    said = [line.confidence for line in now.lines if line.confidence is not None]
    return bool(said) and 0.0 < min(said) < DECIDED_FROM and rules.outcome(now.seen) != rules.outcome(before.seen)


def told_lines(moments: Sequence[Moment]) -> tuple[int, ...]:
    """The numbers (from 1) of the lines that tell something: a step each where a game is gone through. Those that stand in for
    what nobody told show what the one before them showed."""
    return tuple(at for at, moment in enumerate(moments, start=1) if moment.event is not None)


def last_hand(moments: Sequence[Moment]) -> tuple[Moment, ...]:
    """The moments of the hand in progress or, between hands, of the last one, from its deal on."""
    for index in range(len(moments) - 1, -1, -1):
        if moments[index].begins:
            return tuple(moments[index:])
    return ()


def is_tagged(moment: Moment, *tags: str) -> bool:
    """Whether what has just happened is told, and is one of these kinds (`companion.table.log.tag`)."""
    return moment.event is not None and tag(moment.event) in tags


def hands_that_count(rules: Rules, lines: Iterable[Line], state: State) -> int:
    """The number of hands that people read wherever it is said how many were played: those that are over, without the void ones,
    which were dealt and count for nobody. ``lines``: the whole log; ``state``: the game after it."""
    return rules.hands(state) - sum(tag(line.event) == "void" for line in lines)


class HandPlayed(NamedTuple):
    """A hand, in states of the game as everybody has seen it: ``before`` it, and ``after`` it; of the one in progress, as it
    stands. ``told``: the last one in which its ruling changed: a penalty, or cards shown once it was over, belong to it."""

    before: State
    after: State
    told: State


def hands_played(rules: Rules, moments: Sequence[Moment]) -> Iterator[HandPlayed]:
    """The hands, in order of play."""
    begun: State | None = None
    over: HandPlayed | None = None
    for before, now in pairwise(moments):
        if over is not None and not now.begins and rules.ruling(now.seen, rules.hands(over.after)) != _ruling_of(rules, over):
            over = over._replace(told=now.seen)
        if not rules.in_hand(before.seen) and rules.in_hand(now.seen):
            if over is not None:
                yield over
            begun, over = before.seen, None
        elif begun is not None and _ended_by(rules, before.seen, now.seen):
            after = now.seen if now.ended is None else now.ended
            begun, over = None, HandPlayed(begun, after, after)
            if rules.in_hand(now.seen):
                yield over
                begun, over = after, None
    if over is not None:
        yield over
    if begun is not None:
        yield HandPlayed(begun, moments[-1].seen, moments[-1].seen)


def hands_as_told(rules: Rules, moments: Sequence[Moment]) -> list[HandPlayed]:
    """The hands, with all that was told of each: behind a void hand, too, which has nothing of its own."""
    found = list(hands_played(rules, moments))
    first = rules.hands(found[0].before) + 1 if found else 1
    for before, now in pairwise(moments):
        number = hand_of(rules, before.seen, now.seen)
        if first <= number < rules.hands(now.seen):
            found[number - first] = found[number - first]._replace(told=now.seen)
    return found


def _ruling_of(rules: Rules, played: HandPlayed) -> Any:
    return rules.ruling(played.told, rules.hands(played.after))


def up_to_the_last_hand(rules: Rules, pages: Pages, moments: Sequence[Moment]) -> Sequence[Moment]:
    """The moments up to the last one between two hands: what lies in a hand that goes on is nobody's yet. Where one line has
    ended a hand and begun the one that goes on, the `end` of the first stands in its place."""
    many = len(moments)
    while many and rules.in_hand(moments[many - 1].seen):
        many -= 1
        now = moments[many]
        if now.ended is not None:
            over = advance(rules, pages, moments[many - 1], Line(end_of(rules), now.lines[-1].t))
            return (*moments[:many], replace(over, sure=now.sure, stated=now.stated))
    return moments[:many]


def between_hands(rules: Rules, moments: Sequence[Moment], has: Callable[[State], Sequence[int]]) -> list[Sequence[int]]:
    """What everybody ``has``, numbers: before the first hand, and at each next one's beginning. A penalty that stands behind a
    void hand, and belongs to a hand before that, is counted from that hand's end on."""
    found = [has(moments[0].seen)]
    for before, now in pairwise(moments):
        if _ended_by(rules, before.seen, now.seen):
            found.append(has(now.seen if now.ended is None else now.ended))
        elif not rules.in_hand(now.seen):
            was, found[-1] = has(before.seen), has(now.seen)
            since = len(found) - 1 - rules.hands(now.seen) + hand_of(rules, before.seen, now.seen)
            for at in range(since, len(found) - 1):
                found[at] = [had + to - of for had, of, to in zip(found[at], was, found[-1], strict=True)]
    return found


def hand_of(rules: Rules, before: State, now: State) -> int:
    """The number of the hand that a line belongs to, by the states ``before`` it and ``now``: the one in progress; between two
    hands the last one, or one before that, whose ruling it has changed, as a penalty behind a void hand does; 0 before the
    first."""
    last = rules.hands(before) + rules.in_hand(before)
    if rules.in_hand(before) or rules.in_hand(now):
        return last
    return next((n for n in range(last, 0, -1) if rules.ruling(now, n) != rules.ruling(before, n)), last)


def unsure_hands(moment: Moment, sure_from: float) -> frozenset[int]:
    """Numbers of the hands that are over by then, and whose ruling is less probable than ``sure_from``. All pages, sheets and
    texts ask here."""
    return frozenset(number for number, confidence in moment.sure if confidence < sure_from)


def ruling_sure(moment: Moment, sure_from: float) -> bool:
    """Whether the last ruling is as probable as that: of the hand in progress as far as it has come, else of the last hand."""
    return moment.confidence is None or moment.confidence >= sure_from


def _ended_by(rules: Rules, before: State, now: State) -> bool:
    """Whether a hand has ended between these two states."""
    return rules.hands(now) > rules.hands(before)


def end_of(rules: Rules) -> Event:
    """The line that ends a hand."""
    event: Event = rules.LOG.event({"e": "end"})
    return event


def _confidence(
    rules: Rules, before: Moment, lines: Sequence[Line], seen: State, act: float | None
) -> float | None:  # fmt: skip
    """How sure the ruling is that stands after these public lines of one: what its `end` says, which knows best. In mid-hand, as
    sure as the acts that made payments; once the hand is over, where no `end` says anything, as its least sure line: an
    `end` without a confidence does not say that the cards before it were read well. ``act``: how sure the one is that the line
    belongs to."""
    kind, said = tag(lines[-1].event), lines[-1].confidence
    if not rules.in_hand(seen):
        if kind == "void" or (kind == "end" and said is not None):
            return said  # a void hand rests on no card
        return least_sure(before.least, *_weights(lines)) if rules.in_hand(before.seen) else before.confidence
    if not rules.in_hand(before.seen) or _ended_by(rules, before.seen, seen):
        return None
    paid = rules.outcome(seen) != rules.outcome(before.seen)
    return least_sure(before.confidence, act) if paid else before.confidence


def _least_of_hand(rules: Rules, before: Moment, lines: Sequence[Line], seen: State) -> float | None:
    """See `Moment.least`."""
    if not rules.in_hand(seen):
        return None
    goes_on = rules.in_hand(before.seen) and not _ended_by(rules, before.seen, seen)
    return least_sure(before.least if goes_on else None, *_weights(lines))


def _sure(
    rules: Rules, before: Moment, seen: State, confidence: float | None, said: float | None
) -> tuple[tuple[int, float], ...]:
    """`Moment.sure` after a line. ``confidence``: of the ruling that stands now; ``said``: of the line itself, which in some
    games begins a hand and says that the one before is over."""
    if not rules.in_hand(seen):
        return _with_last(rules, before, seen, confidence)
    if not _ended_by(rules, before.seen, seen):
        return before.sure
    return _with_last(rules, before, seen, least_sure(before.least, said))


def _with_last(rules: Rules, before: Moment, seen: State, confidence: float | None) -> tuple[tuple[int, float], ...]:
    """How sure all hands are that are over, the last one as its lines say by now."""
    number = rules.hands(seen)
    others = before.sure[:-1] if before.sure and before.sure[-1][0] == number else before.sure
    return others if confidence is None or not number else (*others, (number, confidence))


def _weights(lines: Iterable[Line]) -> Iterator[float | None]:
    return (weight(line.event, line.confidence) for line in lines)
