"""An evening of Stoppa as a test tells it: what is seen and what is said, one after the other."""

from __future__ import annotations

from collections.abc import Iterable

from companion.games import GAMES
from companion.games.stoppa.rules import log as tl
from companion.games.stoppa.sightings import Cleared, Dealt, Laid, Odds, PlaceOdds, Shown, Sighting
from companion.referee import Evening, observe
from companion.referee.chapter import Chapter
from companion.referee.corrections import Correction, correct
from companion.table.log import Event, tag

NAMES = ("Anna", "Bruno", "Carla", "Dino")
FIRST = tl.new_game(NAMES, misera=600, small=100, dealer="Dino")


class Table:
    """An evening told as it goes: backs dealt, cards laid, words said; two seconds pass with each."""

    def __init__(self) -> None:
        self.evening, self.t, self.episode = Evening.of(GAMES["stoppa"], FIRST), 0.0, 0

    def see(self, *seen: Sighting) -> Table:
        for one in seen:
            self.evening = observe(self.evening, one)
        return self

    def tell(self, *events: Event) -> Table:
        for event in events:
            self.t += 2.0
            at = len(self.chapter.lines)
            self.evening = correct(self.evening, Correction(self.chapter.id, at, at, (event,), t=self.t))
        return self

    def dealt(self, rounds: int = 4, *, but: Iterable[int] = (), mano: int = 0) -> Table:
        for number in range(rounds):
            self.t += 10.0
            order = [(mano + at) % 4 for at in range(4)]
            count = 1 if number == 3 else 3
            self.see(*(Dealt(self.t + 0.8 * at, place, count) for at, place in enumerate(order) if place not in but))
        return self

    def lays(self, place: int, *kinds: str, motion: int | None = None) -> Table:
        for kind in kinds:
            if motion is None:
                self.t += 2.0
            self.see(self.card(((kind, 1.0),), ((place, 1.0),), motion))
        return self

    def doubtful(self, kinds: Odds, places: PlaceOdds) -> Table:
        """A card laid, of which the face or the place is in doubt."""
        self.t += 2.0
        return self.see(self.card(kinds, places))

    def cleared(self) -> Table:
        self.t += 3.0
        return self.see(Cleared(self.t))

    def card(self, kinds: Odds, places: PlaceOdds, motion: int | None = None) -> Laid:
        self.episode += 1
        return Laid(self.t, self.episode, kinds, places, self.episode if motion is None else motion)

    def shows(self, place: int, *kinds: str) -> Table:
        self.t += 2.0
        for kind in kinds:
            self.episode += 1
            self.see(Shown(self.t, place, self.episode, ((kind, 1.0),)))
        return self

    @property
    def chapter(self) -> Chapter:
        return self.evening.current

    def lines(self, e: str) -> list[Event]:
        return [line.event for line in self.chapter.lines if tag(line.event) == e]

    def laid(self) -> list[str]:
        return [f"{lay.by[0]} {' '.join(lay.cards)}" for lay in self.lines("lay")]
