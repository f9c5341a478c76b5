"""How well the eyes tell which card was laid: rulings on what counts for a card, on looks made up by hand."""

from __future__ import annotations

import math

import pytest

from companion.eyes.sighting import CardSeen, Quad
from companion.games import GAMES
from companion.games.stoppa.rules.log import Lay
from companion.games.stoppa.sightings import Laid
from companion.table.log import Line
from workshop.bench.stoppa.laid import NEAR, SOON, laid_cards
from workshop.bench.watching import Look, encode_sighting

QUAD: Quad = ((0, 0), (60, 0), (60, 105), (0, 105))


def look(t: float, *said: Laid, card: str | None = None, around: float | None = None) -> Look:
    cards = (CardSeen(QUAD, "italian", "face", 0.9, card, ((card, 0.9),), around),) if card else ()
    return Look(t, cards, tuple(encode_sighting(one, GAMES["stoppa"]) for one in said))


def laid(t: float, episode: int, **odds: float) -> Laid:
    kinds = tuple((kind.replace("_", "-"), p) for kind, p in odds.items())
    return Laid(t, episode, kinds, ((0, 1.0),), episode)


def test_the_last_that_was_said_of_a_card_counts() -> None:
    looks = [look(1.2, laid(1.0, 1, coppe_2=0.3)), look(1.5, laid(1.0, 1, coppe_2=0.8, denari_2=0.1))]
    (card,) = laid_cards([Line(Lay(by="Anna", cards=("coppe-2",)), 1.0)], looks)
    assert (card.kind, card.many, card.p, card.around) == ("coppe-2", 1, 0.8, None)


@pytest.mark.parametrize(("off", "p"), [(NEAR / 2, 0.8), (2 * NEAR, 0.0)])
def test_what_was_said_of_another_time_does_not(off: float, p: float) -> None:
    (card,) = laid_cards([Line(Lay(by="Anna", cards=("coppe-2",)), 1.0)], [look(5.0, laid(1.0 + off, 1, coppe_2=0.8))])
    assert card.p == p


def test_each_of_several_has_the_best_of_what_was_said() -> None:
    looks = [look(1.5, laid(1.0, 1, coppe_1=0.9, spade_1=0.02), laid(1.0, 2, spade_1=0.3, denari_1=0.3))]
    upper, under = laid_cards([Line(Lay(by="Anna", cards=("coppe-1", "spade-1")), 1.0)], looks)
    assert (upper.p, under.p, under.many) == (0.9, 0.3, 2)


def test_around_the_one_on_top_is_what_was_seen_soon_after() -> None:
    truth = [Line(Lay(by="Anna", cards=("coppe-1", "spade-1")), 1.0)]
    seen = [look(1.4, card="denari-7", around=0.9), look(1.5, card="spade-1"), look(1.6, card="spade-1", around=0.3)]
    assert {card.around for card in laid_cards(truth, seen)} == {0.3}
    late = [look(1.0 + 2 * SOON, card="spade-1", around=0.3)]
    assert {card.around for card in laid_cards(truth, late)} == {None}
    assert not math.isnan(next(laid_cards(truth, late)).p)
