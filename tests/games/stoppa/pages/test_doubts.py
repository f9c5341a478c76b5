"""What a page says of cards that lie open and may not all have been seen: it marks them, also when the hand is over."""

from __future__ import annotations

import pytest
from stoppa_table import BET, Table

from companion.dashboard.settings import DEFAULTS
from companion.games import GAMES
from companion.games.stoppa.pages import PAGES
from companion.games.stoppa.pages.view import StoppaView
from companion.games.stoppa.rules import log as tl
from companion.pages.moments import follow

STOPPA = GAMES["stoppa"]
UP = tuple(f"denari-{number}" for number in range(6, 11))
TWO, THREE = ("coppe-2", "coppe-3"), ("coppe-2", "coppe-3", "coppe-4")


def view(table: Table) -> StoppaView:
    """The page as it now stands."""
    return PAGES.view(tuple(follow(STOPPA.rules, STOPPA.pages, table.evening.log)), "en", DEFAULTS.view)


def compared(winner: tuple[str, ...], loser: tuple[str, ...]) -> Table:
    """Anna and Bruno have shown these for the punto grosso."""
    return Table().dealt().tell(tl.Grosso(), *BET).shows(0, *winner).shows(1, *loser)


@pytest.mark.parametrize(("loser", "sure"), [(TWO, False), (THREE, True)])
def test_a_group_that_may_have_an_unseen_card_is_marked(loser: tuple[str, ...], sure: bool) -> None:
    made = view(compared(("spade-2", "spade-3", "spade-5"), loser))
    assert [seat.doubtful for seat in made.seats if seat.cards] == [False, not sure]
    assert made.ruling is not None
    assert made.ruling.sure == sure


@pytest.mark.parametrize(("winner", "sure"), [(("spade-2", "spade-3"), False), (("spade-2", "spade-3", "spade-5"), True)])
def test_a_group_that_took_a_punto_stays_marked_when_the_hand_is_over(winner: tuple[str, ...], sure: bool) -> None:
    table = compared(winner, THREE).lays(0, "denari-4").lays(1, *(f"bastoni-{number}" for number in range(5, 11)), "coppe-2")
    table.lays(0, "spade-3").lays(1, "coppe-4").lays(0, "spade-5", *UP, "spade-2", "denari-3").cleared()
    (grosso,) = [won for won in view(table).won if won.punto == "Grosso"]
    assert (grosso.winner, grosso.score, grosso.sure) == ("Anna", 40, sure)
