"""An evening of Stoppa as a test tells it: what is seen and what is said, one after the other."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from told_table import ToldTable

from companion.games.stoppa.rules import log as tl
from companion.games.stoppa.sightings import Cleared, Dealt, Laid, Odds, PlaceOdds, Shown

NAMES = ("Anna", "Bruno", "Carla", "Dino")
FIRST = tl.new_game(NAMES, misera=600, small=100, dealer="Dino")


class Table(ToldTable):
    """An evening told as it goes: backs dealt, cards laid, words said; two seconds pass with each."""

    game, word_seconds, gathered = "stoppa", 2.0, Cleared

    def __init__(self) -> None:
        super().__init__(FIRST)

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
        """A card laid whose face or place is in doubt."""
        self.t += 2.0
        return self.see(self.card(kinds, places))

    def card(self, kinds: Odds, places: PlaceOdds, motion: int | None = None) -> Laid:
        episode = self.new()
        return Laid(self.t, episode, kinds, places, episode if motion is None else motion)

    def shows(self, place: int, *kinds: str) -> Table:
        self.t += 2.0
        for kind in kinds:
            self.see(Shown(self.t, place, self.new(), ((kind, 1.0),)))
        return self

    def laid(self) -> list[str]:
        return [f"{lay.by[0]} {' '.join(lay.cards)}" for lay in self.lines("lay")]


DENARI = tuple(f"denari-{number}" for number in range(1, 11))
BET = (tl.Punto(by="Anna", to=50), tl.Vedo(by="Bruno"), tl.Passo(by="Carla"), tl.Passo(by="Dino"))


@cache
def doubtful_place() -> Table:
    """Anna's last-but-two card, or one of Carla's or Bruno's: nobody stops unless she has it."""
    table = Table().dealt().lays(0, *DENARI[:8]).doubtful((("denari-9", 1.0),), ((1, 0.5), (2, 0.5)))
    return table.lays(0, "denari-10", "coppe-3").doubtful((("coppe-4", 1.0),), ((1, 0.6), (2, 0.4))).cleared()


@cache
def doubtful_group() -> Table:
    """With the seven of coppe Bruno has three of a suit, with that of spade two."""
    table = Table().dealt(1).tell(*BET).shows(0, "denari-3", "denari-8", "denari-10")
    for odds in ((("coppe-7", 0.5), ("spade-7", 0.5)), (("coppe-5", 1.0),), (("coppe-9", 1.0),)):
        table.see(Shown(table.t, 1, table.new(), odds))
    return table.dealt(3).lays(0, *DENARI).cleared()


@cache
def gathered_before_the_stop() -> Table:
    """Anna has one card left when the pile is gathered: she has laid it unseen, or all agreed to leave it."""
    return Table().dealt().lays(0, *DENARI[:9]).lays(1, "coppe-10", "coppe-1", "coppe-2", "coppe-3").cleared()
