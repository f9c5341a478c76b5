"""A hand that nobody has told a word about: the fewest words that agree with what was seen of the cards.

A camera alone cannot know what was bet. For its log to say what it has seen, players who were seen to change or to show cards are
taken to be in for the smallest bet that is possible, everybody else to have passed, and nobody to have bet after the exchange.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from companion.games.stoper import rules
from companion.games.stoper.referee.exchanges import place_shares, spread
from companion.games.stoper.referee.history import History
from companion.games.stoper.referee.retelling import ToldLines, retold
from companion.games.stoper.rules.betting import smallest
from companion.games.stoper.rules.cards import HAND
from companion.games.stoper.rules.log import Apro, Busso, Parola, Passo, Vedo
from companion.games.stoper.rules.state import Seat
from companion.table.game import Turn
from companion.table.log import Event, Line

IN_THE_HAND = 0.5
"""Probability from which on somebody was seen to change cards."""
MOST_WORDS = 40
"""Words that are tried at most: more than any hand takes in which nobody raises."""


def with_words(one: History, t: float) -> Iterator[History]:
    """The histories with the fewest words that agree with what was seen; ``t``: when the cards were gathered, seconds."""
    if one.state.hand is None:
        return
    stays = seen_in(one)
    words, now, at = list[Line](), one, one.seen.dealt_until if one.seen.dealt else one.acted
    begun = one.lines
    for _ in range(MOST_WORDS):
        hand = now.state.hand
        if hand is None or hand.phase not in ("blind", "opening"):
            break
        event = _word(now, stays)
        more = now.with_line(Line(event, round(at, 2))) if event is not None else None
        if more is None:
            return
        words.append(more.lines[-1])
        now = more
    start = one
    for found in _knocked(start, words, t):
        yield _guessed(found, len(begun))


def seen_in(one: History) -> frozenset[Seat]:
    """The players who were seen to change or to show cards; empty where it is one alone, as nothing follows from that."""
    seen, players = one.seen, len(one.state.table.names)
    found = {face.place for face in seen.faces}
    for came in seen.dealt:
        if came.t > seen.dealt_until and spread(came.counts)[0] < IN_THE_HAND:
            found.add(came.place)
    for thrown in seen.thrown:
        shares, counts = place_shares(thrown.places, players), spread(thrown.counts)
        for seat, share in enumerate(shares):
            if share * (counts[1] + counts[2]) >= IN_THE_HAND and counts[HAND] < IN_THE_HAND:
                found.add(seat)
    return frozenset(found) if len(found) > 1 else frozenset()


def _word(one: History, stays: frozenset[Seat]) -> Event | None:
    """The word that costs the player in turn least: the smallest opening or a vedo of one who stays, otherwise parola or
    passo."""
    hand, turn = one.state.hand, rules.waiting(one.state)
    if hand is None or not isinstance(turn, Turn) or turn.who is None:
        return None
    seat = one.state.table.names.index(turn.who)
    if hand.high:
        return Vedo(by=turn.who) if seat in stays else Passo(by=turn.who)
    if seat not in stays:
        return Parola(by=turn.who)
    most = one.state.stacks[seat] + hand.totals[seat]
    return Apro(by=turn.who, to=min(smallest(one.state, hand), most))


def _knocked(one: History, words: list[Line], t: float) -> Iterator[History]:
    """The histories in which all have changed cards, and nobody has bet afterwards."""
    beam = retold(one, ToldLines(tuple(words)), one.seen, over=True)
    for _ in range(MOST_WORDS):
        if not beam or all(found.state.hand is None or found.state.hand.phase != "final" for found in beam):
            break
        turns = [rules.waiting(found.state) for found in beam]
        who = next(turn.who for turn in turns if isinstance(turn, Turn) and turn.who is not None)
        words.append(Line(Busso(by=who), round(_before_showing(one, t), 2)))
        beam = retold(one, ToldLines(tuple(words)), one.seen, over=True)
    yield from beam


def _before_showing(one: History, t: float) -> float:
    return min((face.t for face in one.seen.faces), default=t)


def _guessed(one: History, begun: int) -> History:
    """The history with all its words marked as guesses."""
    words = (line.event for line in one.lines[begun:] if isinstance(line.event, Apro | Busso | Parola | Passo | Vedo))
    return replace(one, guessed=one.guessed | set(words), told=False)
