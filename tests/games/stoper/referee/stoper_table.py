"""An evening of Stoper as a test tells it: what is seen and what is said, one after the other."""

from __future__ import annotations

from functools import cache

from told_table import ToldTable

from companion.games.stoper.rules import log as tl
from companion.games.stoper.sightings import Cleared, CountOdds, Dealt, Odds, PlaceOdds, Shown, Thrown

NAMES = ("Ada", "Bice", "Ciro", "Dora")
FIRST = tl.new_game(NAMES, 10000, "Dora")
HAND = tl.Hand(cip=50, invito=50)
OPENED = (tl.Apro(by="Ada", to=200), tl.Vedo(by="Bice"), tl.Vedo(by="Ciro"), tl.Passo(by="Dora"))
KNOCKED = (tl.Busso(by="Ada"), tl.Busso(by="Bice"), tl.Busso(by="Ciro"))
ADAS = ("denari-10", "denari-9", "spade-7")
BICES = ("bastoni-7", "bastoni-6", "bastoni-5")
CIROS = ("coppe-10", "spade-9", "denari-7")
SIX: Odds = (("bastoni-6", 0.55), ("spade-6", 0.45))


class Table(ToldTable):
    """An evening told as it goes: a second passes with each word, two with all that cards do."""

    game, word_seconds, gathered = "stoper", 1.0, Cleared

    def __init__(self, first: tl.Game = FIRST) -> None:
        super().__init__(first)

    def dealt(self, *places: int) -> Table:
        self.t += 2.0
        for place in places or range(4):
            self.t += 0.4
            self.see(Dealt(self.t, self.new(), place, ((3, 1.0),), self.t + 3.0))
        self.t += 6.0
        return self

    def throws(self, place: int, count: int, *, places: PlaceOdds | None = None, counts: CountOdds | None = None) -> Table:
        self.t += 2.0
        return self.see(Thrown(self.t, self.new(), places or ((place, 1.0),), counts or ((count, 1.0),)))

    def receives(self, place: int, count: int) -> Table:
        self.t += 1.0
        return self.see(Dealt(self.t, self.new(), place, ((count, 1.0),), self.t))

    def changes(self, place: int, count: int) -> Table:
        return self.throws(place, count).receives(place, count)

    def shows(self, place: int, *faces: str | Odds) -> Table:
        self.t += 2.0
        for face in faces:
            odds: Odds = ((face, 1.0),) if isinstance(face, str) else face
            self.see(Shown(self.t, place, self.new(), odds))
        return self

    def changed(self, chapter: int = -1) -> list[tuple[str, int]]:
        return [(line.by, line.n) for line in self.lines("cambio", chapter)]


def opened() -> Table:
    """Ada, Bice and Ciro are in, Dora has passed; the exchange is on."""
    return Table().tell(HAND).dealt().tell(*OPENED)


def at_showdown() -> Table:
    """Each of the three has changed a card and knocked."""
    return opened().changes(0, 1).changes(1, 1).changes(2, 1).tell(*KNOCKED)


@cache
def doubtful_face() -> Table:
    """With the six of bastoni Bice has eighteen, all of one suit; with that of spade twelve. Ada has thirteen."""
    return at_showdown().shows(0, "denari-7", "denari-6", "coppe-5").shows(1, "bastoni-7", "bastoni-5", SIX).shows(
        2, "denari-5", "spade-7", "coppe-6").cleared()  # fmt: skip


@cache
def unseen_hand() -> Table:
    """Of Bice's hand two cards of a suit were seen: with the right third she has the pot."""
    return at_showdown().shows(0, *ADAS).shows(1, "bastoni-10", "bastoni-5").shows(2, *CIROS).cleared()


def after_a_doubtful_hand(stacks: int = 1000, third: Odds = SIX) -> Table:
    """Bice has most probably won some 600 chips from Ada and Ciro; else Ada has. ``third``: Bice's third card."""
    return doubtful_showdown(stacks, third).cleared()


def doubtful_showdown(stacks: int = 1000, third: Odds = SIX) -> Table:
    """The same, with the cards still on the table."""
    table = Table(tl.new_game(NAMES, stacks, "Dora")).tell(HAND).dealt().tell(*OPENED)
    table.changes(0, 1).changes(1, 1).changes(2, 1).tell(*KNOCKED).shows(0, "denari-7", "denari-6", "coppe-5")
    return table.shows(1, "bastoni-7", "bastoni-5", third).shows(2, "denari-5", "spade-7", "coppe-6")
