"""A hand's histories, from what was told and what was seen of it.

What the phone tells, words and amounts, stands; the eyes add how many cards were changed and what was shown, each where the rules
have it. A hand is built again from its first line whenever something more is seen or said. So a sighting waits for the word that
makes it possible, and a correction changes the hand from where it applies.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from msgspec.structs import replace

from companion.decks.italian_sets import INDEX, kinds_in, mask_of
from companion.games.stoper.referee.costs import BEAM_LIMITS, log_of
from companion.games.stoper.referee.exchanges import changed, thrown_in
from companion.games.stoper.referee.faces import HandRead, Reading, readings
from companion.games.stoper.referee.history import History
from companion.games.stoper.referee.seen import Seen
from companion.games.stoper.rules.cards import Mask
from companion.games.stoper.rules.comparing import may_show
from companion.games.stoper.rules.log import Cambio, Muck, Show
from companion.games.stoper.rules.state import Hand, Seat
from companion.referee.beam import prune
from companion.table.log import Event, Line, tag

MIN_PROBABILITY = 0.003
"""Probability below which a number of cards changed, or a concession, is not tried."""
CHANGED_PROBABILITY = 0.5
"""Probability from which on a player has changed cards, so that all before them have been asked."""
MIN_EXCHANGE_TO_MUCK_SECONDS = 0.1
"""Seconds that pass at least between a player's changing cards and their conceding."""
MAX_WORD_DELAY_SECONDS = 2.0
"""Seconds by which the phone may be late with the word after which somebody lays their cards open."""


@dataclass(frozen=True, slots=True)
class ToldLines:
    """What was told by hand of a hand: its ``lines`` in order; ``gone``: lines of the eyes' that somebody has taken out."""

    lines: tuple[Line, ...] = ()
    gone: frozenset[Event] = frozenset()

    def of(self, kind: type[Event], name: str) -> bool:
        """Whether such a line of this player's was told, or taken out."""
        return any(isinstance(one, kind) and one.by == name for one in (*(line.event for line in self.lines), *self.gone))


def retold(begun: History, said: ToldLines, seen: Seen, *, over: bool = False) -> tuple[History, ...]:
    """The histories of a hand that has ``begun`` in this way, the likeliest first; none where the rules refuse what was said.

    ``over``: nothing more comes; everybody has had their exchange.
    """
    begun = replace(begun, seen=seen, told=bool(said.lines))
    beam: tuple[History, ...] = (begun,)
    for line in said.lines:
        ready = (ready.with_line(line) for one in beam for ready in _made_ready(one, line, said))
        beam = _kept(one for one in ready if one is not None)
    return _kept(more for one in beam for more in _as_far_as_seen(one, said, over))


def _kept(histories: Iterable[History]) -> tuple[History, ...]:
    return tuple(one for one in prune(histories, BEAM_LIMITS) if isinstance(one, History))


def _made_ready(one: History, line: Line, said: ToldLines) -> Iterator[History]:
    """The history with what must have happened before this line was said, and what was seen before it."""
    event, hand = line.event, one.state.hand
    until = line.t if line.t is not None else math.inf
    if hand is None or tag(event) == "end":
        yield one
        return
    if tag(event) == "void":
        yield from _seen_by(one, said, until)
        return
    found: tuple[History, ...] = (one,)
    if hand.phase == "exchange" and not isinstance(event, Show):
        stop = event.by if isinstance(event, Cambio) else None
        found = _exchanged(one, hand, stop, until)
    for now in found:
        yield from _shown(now, said, until) if not isinstance(event, Muck | Show) else (now,)


def _as_far_as_seen(one: History, said: ToldLines, over: bool) -> Iterator[History]:
    """The history with all that was seen after the last line that was said."""
    for now in _seen_by(one, said, math.inf, over=over):
        yield from _conceded(now, said)


def _seen_by(one: History, said: ToldLines, until: float, *, over: bool = False) -> Iterator[History]:
    """The history with the exchanges and the hands that were seen by then; with everybody's exchange, where it is ``over``."""
    hand = one.state.hand
    found: tuple[History, ...] = (one,)
    if hand is not None and hand.phase == "exchange":
        last = hand.todo[-1] if over else _last_to_change(one, hand, until)
        found = _exchanged(one, hand, _after(one, hand, last), until) if last is not None else found
    for now in found:
        yield from _shown(now, said, until)


def _conceded(one: History, said: ToldLines) -> Iterator[History]:
    """The history at a showdown with those conceding who were seen to throw their cards, or with their cards still to be seen."""
    hand = one.state.hand
    if hand is None or hand.phase != "showdown":
        yield one
        return
    found = [one]
    words = [line for line in one.lines if not isinstance(line.event, Show | Muck)]
    word, changing = words[-1].t or 0.0, isinstance(words[-1].event, Cambio)
    last = word + (MIN_EXCHANGE_TO_MUCK_SECONDS if changing else -MAX_WORD_DELAY_SECONDS)
    for seat in hand.order:
        name = one.name(seat)
        if not hand.live >> seat & 1 or seat in hand.conceded or hand.known[seat].shown or said.of(Muck, name):
            continue
        odd = thrown_in(one.seen, len(one.state.table.names), seat, last, math.inf if changing else word)
        if odd >= MIN_PROBABILITY:
            found = [
                more
                for now in found
                for more in _with_or_without(now, Muck(by=name), odd)
            ]
    yield from found


def _with_or_without(one: History, event: Event, odd: float) -> Iterator[History]:
    """The history with this line, whose probability is ``odd``, and without it; as it is where the rules refuse the line."""
    found = one.after([event], log_of(odd), one.acted)
    if found is None:
        yield one
        return
    yield found
    yield one.costing(log_of(1 - odd))


def _exchanged(one: History, hand: Hand, stop: str | None, until: float) -> tuple[History, ...]:
    """The history with the exchanges of all before the player ``stop``, or of everybody, in every likely way."""
    since = one.exchange_at
    beam: tuple[History, ...] = (one,)
    for seat in hand.todo:
        name = one.name(seat)
        if name == stop:
            break
        odds = changed(one.seen, len(one.state.table.names), hand.live, seat, since, until)
        t = _when(one.seen, seat, since, until, one.acted)
        beam = _kept(
            more
            for now in beam
            for number, odd in enumerate(odds)
            if odd >= MIN_PROBABILITY and (more := now.costing(log_of(odd)).with_line(Line(_cambio(name, number), t))) is not None
        )
    return beam


def _cambio(name: str, number: int) -> Cambio:
    """The line that says so; at most 2."""
    return Cambio(by=name, n=2 if number > 1 else 1 if number else 0)


def _when(seen: Seen, seat: Seat, since: float, until: float, at_least: float) -> float:
    """When this player was seen to throw cards, seconds, or else to be dealt some."""
    thrown = [one.t for one in seen.thrown if since <= one.t < until and one.places and one.places[0][0] == seat]
    came = [one.t for one in seen.dealt if since <= one.t < until and one.place == seat]
    return round(min(thrown or came or [at_least]), 2)


def _last_to_change(one: History, hand: Hand, until: float) -> Seat | None:
    """The last in turn who was seen to change cards by then; None where nobody was."""
    since, players = one.exchange_at, len(one.state.table.names)
    seen = [
        seat for seat in hand.todo if 1.0 - changed(one.seen, players, hand.live, seat, since, until)[0] >= CHANGED_PROBABILITY
    ]
    return seen[-1] if seen else None


def _after(one: History, hand: Hand, seat: Seat) -> str | None:
    at = hand.todo.index(seat) + 1
    return one.name(hand.todo[at]) if at < len(hand.todo) else None


def _shown(one: History, said: ToldLines, until: float) -> Iterator[History]:
    """The history with the hands that were laid open by then, where the rules allow it, in every likely way."""
    hand = one.state.hand if one.state.hand is not None else one.state.ended
    if hand is None or not one.seen.faces or (one.state.hand is not None and not _anybody_may_show(one, hand)):
        yield one
        return
    for start, reading in _read(one, hand, said):
        now = start
        for laid in sorted(reading.hands, key=lambda found: found.t):
            name = now.name(laid.seat)
            if not laid.unknown and laid.t < until and not said.of(Show, name) and not said.of(Muck, name):
                now = _with_hand(now, laid)
        yield now


def _anybody_may_show(one: History, hand: Hand) -> bool:
    return any(hand.live >> seat & 1 and may_show(one.state, hand, seat) for seat in hand.order)


def _read(one: History, hand: Hand, said: ToldLines) -> Iterator[tuple[History, Reading]]:
    """The history with the faces read in every likely way: all at once, and for good."""
    if one.reading is not None:
        yield one, one.reading
        return
    names = one.state.table.names
    since = one.exchange_at if one.exchange_at < math.inf else one.acted
    faces = [face for face in one.seen.faces if face.t >= since - MAX_WORD_DELAY_SECONDS]
    told = {names.index(line.event.by): cards_of(line.event) for line in said.lines if isinstance(line.event, Show)}
    taken = {seat: _known_of_others(hand, seat) for seat in range(len(names))}
    for reading in readings(faces, hand.deck, taken, told):
        yield replace(one.costing(reading.cost), reading=reading), reading


def cards_of(shown: Show) -> Mask:
    """The cards that this line names."""
    return mask_of(INDEX[kind] for kind in shown.cards)


def _known_of_others(hand: Hand, seat: Seat) -> Mask:
    """The cards that lines have named of anybody else, other than those laid open; and those that this player threw away."""
    found = hand.known[seat].discards
    for other, known in enumerate(hand.known):
        if other != seat:
            found |= known.dealt | known.discards | known.received
    return found


def _with_hand(one: History, laid: HandRead) -> History:
    """The history with this hand shown, if the rules allow it."""
    event = Show(by=one.name(laid.seat), cards=kinds_in(laid.cards))
    hand = one.state.hand if one.state.hand is not None else one.state.ended
    if hand is None or hand.known[laid.seat].shown:
        return one
    return one.with_line(Line(event, round(max(laid.t, 0.0), 2))) or one
