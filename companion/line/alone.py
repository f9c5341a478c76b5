"""A game that is a table log alone, without what it was made of: from a file, or from an older program. It can be gone on with by
thumb.
"""

from __future__ import annotations

from collections.abc import Sequence

from companion.games import game_of
from companion.ledger import Ledger
from companion.line.recorder import EveningRecorder
from companion.pages.moments import stands_in
from companion.referee import Evening
from companion.referee.chapter import MIN_LINE_CONFIDENCE
from companion.referee.corrections import end_of
from companion.referee.evening import reported
from companion.referee.record import Fixed, Said
from companion.table.errors import NotKept
from companion.table.log import Event, Line, tag


def taken_on(ledger: Ledger, game_id: int, told: Evening) -> EveningRecorder:
    """The recorder of this game from now on, which gets the record of ``told`` where it has none.

    Raises:
        NotKept, LedgerError: as `EveningRecorder.change`.
    """
    recorder = EveningRecorder(ledger, game_id, Evening.of(told.game, told.record.game))
    recorder.change(lambda now: now if now.record.entries else told)
    return recorder


def evening_of(lines: Sequence[Line]) -> Evening:
    """The evening that a table log tells, every line of it as if it had been said by hand; but a line that is not certain stays
    as sure as the log says, and one that stands for an outcome goes on doing so.

    Raises:
        NotKept: it has no game line. GameError: it cannot have happened.
    """
    if not lines or tag(lines[0].event) != "game":
        raise NotKept("the game has no game line: begin a new evening")
    game = game_of(lines[0].event)
    rules, evening = game.rules, Evening.of(game, lines[0].event)
    state, told, plain = rules.begin(lines[0].event), list[Said](), end_of(rules)
    for at, line in enumerate(lines[1:], start=1):
        if tag(line.event) == "end" and not rules.in_hand(state):
            continue  # said already, with what ended the hand
        before, state = state, rules.apply(state, line.event)
        if rules.in_hand(before) and rules.in_hand(state) and rules.hands(state) > rules.hands(before):
            end = _said(Line(plain, line.t, line.confidence), in_hand=False)
            evening, told = _told(evening, [*told, end]), []  # the next hand's line says that it is over
        told.append(_said(line, in_hand=rules.in_hand(before)))
        if rules.in_hand(before) and not rules.in_hand(state):
            if tag(line.event) not in ("end", "void") and rules.check(state, plain) is None:
                over = _end_after(lines[at:], plain)
                told.append(_said(over, in_hand=False))
                state = rules.apply(state, over.event)
            evening, told = _told(evening, told), []
    return _told(evening, told) if told else evening


def _said(line: Line, *, in_hand: bool) -> Said:
    """What the log says, as sure as it is. ``in_hand``: a hand is in progress before it."""
    if in_hand and stands_in(line):
        return Said(line.event, line.t, by_hand=True, stand_in=True)
    sure = line.confidence is None or line.confidence >= 1
    return Said(line.event, line.t, by_hand=True, confidence=None if sure else max(MIN_LINE_CONFIDENCE, line.confidence or 0.0))


def _end_after(lines: Sequence[Line], end: Event) -> Line:
    """The line that ends a hand which is over with the first of these: the `end` that follows it, else one as sure as that."""
    for line in lines[1:]:
        if tag(line.event) == "hand":
            break
        if tag(line.event) == "end":
            return Line(line.event, line.t, line.confidence)
    return Line(end, lines[0].t, None if stands_in(lines[0]) else lines[0].confidence)


def _told(evening: Evening, told: Sequence[Said]) -> Evening:
    return reported(evening, Fixed(evening.current.id, tuple(told), opening=len(told)))
