"""A baseline without the rules: every sighting is believed as it comes, at once and for good, and the log is written from that.

No history is weighed against another, and no later face corrects an earlier guess. The engine only keeps the books: what it
refuses cannot stand in a log and is left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from companion.decks.stu import as_kind
from companion.games.stu.rules import Illegal, State, apply, begin
from companion.games.stu.rules import log as tl
from companion.games.stu.rules.log import Event, Game
from companion.games.stu.rules.trumps import is_trump
from companion.games.stu.sightings import Appeared, Cleared, DeckExchanged, Exchanged, Shown, Sighting
from companion.table.log import Line

BELIEVED = 0.5
"""An exchange at least this probable has happened."""
ALONE_SECONDS = 2.5
"""A trump shown with no other card shown this many seconds before or after refuses a passo."""


def log_without_rules(game: Game, sightings: Sequence[Sighting]) -> tuple[Line, ...]:
    """The log that these sightings give when nothing is known of what can follow what. Every line has confidence 1."""
    clerk = _Clerk(begin(game), [Line(game)])
    reports = sorted(last_of_each_face(sightings), key=lambda seen: seen.t)
    shows = [seen.t for seen in reports if isinstance(seen, Shown)]
    for seen in reports:
        if isinstance(seen, Appeared):
            clerk.dealt.append((seen.t, seen.place))
        elif isinstance(seen, Cleared):
            clerk.end(seen.t)
        else:
            clerk.begin_hand()
            if isinstance(seen, Shown):
                alone = sum(abs(t - seen.t) <= ALONE_SECONDS for t in shows) == 1
                clerk.shown(seen, alone)
            elif isinstance(seen, Exchanged) and seen.probability >= BELIEVED:
                clerk.exchanged(seen)
            elif isinstance(seen, DeckExchanged) and seen.probability >= BELIEVED:
                clerk.drawn(seen)
    clerk.end(reports[-1].t if reports else 0.0)
    return tuple(clerk.lines)


def last_of_each_face(sightings: Sequence[Sighting]) -> list[Sighting]:
    """The sightings with only the last report on each face."""
    last = {seen.episode: seen for seen in sightings if isinstance(seen, Shown)}
    return [seen for seen in sightings if not isinstance(seen, Shown) or last[seen.episode] is seen]


@dataclass
class _Clerk:
    state: State
    lines: list[Line]
    dealt: list[tuple[float, int]] = field(default_factory=list)

    def write(self, t: float, *events: Event) -> bool:
        """Write all of the events, or none when one of them is illegal; whether they were written."""
        state = self.state
        try:
            for event in events:
                state = apply(state, event)
        except Illegal:
            return False
        self.state = state
        self.lines += [Line(event, t, 1.0) for event in events]
        return True

    def begin_hand(self) -> None:
        places = {place for _, place in self.dealt}
        if self.state.hand is not None or len(places) < 2:
            return
        t, names = self.dealt[0][0], self.state.table.names
        for seat in sorted(places - set(self.state.in_play)):
            self.write(t, tl.Rebuy(by=names[seat]))
        self.write(t, tl.Hand())
        self.dealt.clear()

    def name(self, place: int) -> str:
        return self.state.table.names[place]

    def exchanged(self, seen: Exchanged) -> None:
        hand = self.state.hand
        if hand is None:
            return
        a, b = (self.name(place) for place in seen.places)
        if hand.asking and {self.name(hand.order[p]) for p in (hand.asking.asker, hand.asking.asked)} == {a, b}:
            self.write(seen.t, tl.Swap(with_=self.name(hand.order[hand.asking.asked])))
            return
        for asker, asked in ((a, b), (b, a)):
            if self.write(seen.t, tl.Passo(by=asker), tl.Swap(with_=asked)):
                return

    def drawn(self, seen: DeckExchanged) -> None:
        who = self.name(seen.place)
        if not self.write(seen.t, tl.Passo(by=who), tl.Draw(by=who)):
            self.write(seen.t, tl.Draw(by=who))

    def shown(self, seen: Shown, alone: bool) -> None:
        hand = self.state.hand
        who, kind = self.name(seen.place), as_kind(seen.alternatives[0][0])
        if hand is None or seen.place not in hand.order:
            return
        reveal = tl.Reveal(by=who, card=kind)
        position = hand.order.index(seen.place)
        if alone and is_trump(kind) and hand.asking is None:
            before = hand.before(position)
            if before >= 0 and self.write(seen.t, tl.Passo(by=self.name(hand.order[before])), reveal):
                return
        self.write(seen.t, reveal)

    def end(self, t: float) -> None:
        """The hand is over; where a face was never seen it ends void."""
        self.dealt.clear()
        if self.state.hand is not None and not self.write(t, tl.End()):
            self.write(t, tl.Void(reason="cards not seen"))
