"""What a hand comes to each time that something more is seen or said, and when it is over."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator

from msgspec.structs import replace

from companion.games.stoper.referee.beginnings import begun_by_dealing, usual_hand
from companion.games.stoper.referee.costs import BEAM_LIMITS, log_of
from companion.games.stoper.referee.history import History, history
from companion.games.stoper.referee.retelling import ToldLines, retold
from companion.games.stoper.referee.seen import NOTHING_SEEN, of_a_hand, seen_of
from companion.games.stoper.referee.showdowns import settled
from companion.games.stoper.referee.unspoken import with_words
from companion.games.stoper.rules import State
from companion.games.stoper.rules.log import End, Void
from companion.referee.beam import prune
from companion.referee.corrections import begins_with
from companion.referee.values import HandReports
from companion.table.log import Event, Line, tag

GUESSED_WORDS_PROBABILITY = 0.5
"""Probability of the history of a hand for which the phone has told too little."""


def with_answers(beam: tuple[History, ...], reports: HandReports, before: State) -> tuple[History, ...]:
    """The histories of the hand, built again from what was said by hand and all that was seen."""
    if not reports.sightings or (reports.fixes and reports.fixes[-1].confirms):
        return tuple(replace(one, told=bool(reports.fixes)) for one in beam)
    seen, said, over = seen_of(reports.sightings), said_of(reports), reports.cleared is not None
    found: list[History] = []
    for begun in _begun(beam, reports, before):
        rest = ToldLines(_after_beginning(said, begun), said.gone)
        found += [one.costing(begun.weight) for one in retold(replace(begun, weight=0.0), rest, seen, over=over)]
    return _kept(found) or beam


def said_of(reports: HandReports) -> ToldLines:
    """The lines of a hand that somebody has put in by hand, and those of the eyes that somebody has taken out."""
    if not reports.fixes:
        return ToldLines()
    lines = tuple(Line(one.event, one.t) for one in reports.fixes[-1].lines if one.by_hand)
    gone, before = set[Event](), set[Event]()
    for fix in reports.fixes:
        by_hand = {one.event for one in fix.lines if one.by_hand}
        if by_hand <= before:  # nothing was said in their place; what only could not follow a new line may come back
            gone |= {line.event for line in fix.removed}
        before = by_hand
    return ToldLines(lines, frozenset(gone - before))


def _begun(beam: tuple[History, ...], reports: HandReports, before: State) -> Iterator[History]:
    """Every way in which the hand may have begun, each once; where only the eyes have seen it, for the lowest stakes that are
    possible."""
    found: dict[tuple[Event, ...], tuple[float, tuple[Line, ...]]] = {}
    for one in beam:
        lines = one.lines[: begins_with(line.event for line in one.lines) or None]
        weight, _ = found.get(events := tuple(line.event for line in lines), (one.weight, lines))
        found[events] = max(weight, one.weight), lines
    for weight, lines in found.values():
        made: History | None = replace(history(before, (), 0.0), before=before, weight=weight)
        for line in lines:
            made = made.with_line(line) if made is not None else None
        if made is not None:
            yield made
    plain = usual_hand(before, least=1)
    if not found and reports.cleared is not None and of_a_hand(reports.sightings) and not reports.fixes and plain is not None:
        start = replace(history(before, (), 0.0), before=before)
        yield from begun_by_dealing(start, list(seen_of(reports.sightings).dealt), plain)


def _after_beginning(said: ToldLines, begun: History) -> tuple[Line, ...]:
    """What was said after that."""
    opening = [line.event for line in begun.lines]
    rest = []
    for line in said.lines:
        if line.event in opening:
            opening.remove(line.event)
        elif tag(line.event) not in ("hand", "chips", "set"):
            rest.append(line)
    return tuple(rest)


def ended(beam: tuple[History, ...], t: float) -> tuple[History, ...]:
    """The histories with the hand ended at ``t`` seconds. After a showdown that was not wholly seen there is one history for each
    player who may have won it.

    A hand ends void where the phone has told too little: there is nothing to rule on. Where it has told nothing at all, the
    history has the fewest words that agree with what was seen, all of them guesses.
    """
    found: list[History] = []
    for one in beam:
        hand = one.state.hand
        if hand is None:
            found.append(_with_end(one, t))
        elif hand.phase == "showdown":
            found += [_with_end(more, t) for more in settled(one, t)] or _void(one, t)
        elif one.told:
            found += _void(one, t)
        else:
            spoken = [_with_end(more, t) for start in with_words(one, t) for more in _settled_or_over(start, t)]
            found += [more.costing(log_of(GUESSED_WORDS_PROBABILITY)) for more in spoken]
            found += [void.costing(log_of(GUESSED_WORDS_PROBABILITY) - 0.1) for void in _void(one, t)]
    return _kept(found) or beam


def _settled_or_over(one: History, t: float) -> list[History]:
    hand = one.state.hand
    if hand is None:
        return [one]
    return list(settled(one, t)) if hand.phase == "showdown" else []


def _void(one: History, t: float) -> list[History]:
    void = one.after([Void()], 0.0, t)
    return [void] if void is not None else []


def _with_end(one: History, t: float) -> History:
    """The history with its ``end``, unless that stands there."""
    return one.after([End()], 0.0, t) or one


def over_if_seen(beam: tuple[History, ...]) -> tuple[History, ...]:
    """The histories with their ``end``, if the hand is over by itself in the likeliest one: no need to wait for the clearing. A
    hand that is kept by hand alone is ended by hand."""
    if not beam or beam[0].seen == NOTHING_SEEN or beam[0].state.hand is not None or beam[0].state.ended is None:
        return beam
    return tuple(one if one.state.hand is not None else _with_end(one, one.acted) for one in beam)


def situation(state: State, reports: HandReports, beam: tuple[History, ...]) -> Hashable:
    """What the play of a hand depends on: everybody's chips, the pot that was left, who deals, for how much."""
    return state.table, state.stacks, state.dealer, state.carried, state.cip, state.invito, state.away


def _kept(found: Iterable[History]) -> tuple[History, ...]:
    return tuple(one for one in prune(found, BEAM_LIMITS) if isinstance(one, History))
