"""A game that is a table log alone, without what it was made of: from a file, or from an older program. It can be gone on with by
thumb, each line as if it had been said by hand.
"""

from __future__ import annotations

from collections.abc import Sequence

from companion.games import game_of
from companion.ledger import Ledger
from companion.line.scribe import Scribe
from companion.referee import Evening
from companion.referee.corrections import end_of
from companion.referee.evening import reported
from companion.referee.record import Fixed, Said
from companion.table.errors import NotKept
from companion.table.log import Line, tag


def taken_on(ledger: Ledger, game_id: int, told: Evening) -> Scribe:
    """The scribe of this game from now on, which gets the record of ``told`` where it has none.

    Raises:
        NotKept, LedgerError: as `Scribe.change`.
    """
    scribe = Scribe(ledger, game_id, Evening.of(told.game, told.record.game))
    scribe.change(lambda now: now if now.record.entries else told)
    return scribe


def evening_of(lines: Sequence[Line]) -> Evening:
    """The evening that a table log tells, every line of it as if it had been said by hand.

    Raises:
        NotKept: it has no game line. GameError: it cannot have happened.
    """
    if not lines or tag(lines[0].event) != "game":
        raise NotKept("the game has no game line: begin a new evening")
    game = game_of(lines[0].event)
    rules, evening = game.rules, Evening.of(game, lines[0].event)
    state, told = rules.begin(lines[0].event), list[Said]()
    for line in lines[1:]:
        if tag(line.event) == "end" and not rules.in_hand(state):
            continue  # after a final won outright: said already
        before, state = state, rules.apply(state, line.event)
        told.append(Said(line.event, line.t, by_hand=True))
        if rules.in_hand(before) and not rules.in_hand(state):
            if tag(line.event) not in ("end", "void"):
                end = end_of(rules)
                told.append(Said(end, line.t, by_hand=True))
                state = rules.apply(state, end)
            evening, told = _told(evening, told), []
    return _told(evening, told) if told else evening


def _told(evening: Evening, told: Sequence[Said]) -> Evening:
    return reported(evening, Fixed(evening.current.id, tuple(told), opening=len(told)))
