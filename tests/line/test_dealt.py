"""Places that mark themselves where one card was dealt to each, whatever else lies on the table."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence

import pytest
import recorded_looks
from hypothesis import given
from hypothesis import strategies as st

from companion.decks.lists import PEDINE
from companion.eyes.table import Table, TableMap
from companion.line.camera import Point, SeenCard
from companion.line.dealt import Deal

SIZE = (1280, 720)
CORNERS: tuple[Point, Point, Point, Point] = ((398.3, 16.6), (1099.8, 132.1), (1097.0, 702.4), (179.2, 508.9))
TOP = TableMap(Table(1, SIZE, CORNERS, ()), SIZE)
LENGTH = 0.1
"""Of a card, in widths of the table."""


def card(x: float, y: float, turn: float = 0.0, length: float = LENGTH, side: str = "back", deck: str = "stu") -> SeenCard:
    """A card on the table: ``x``, ``y`` from its middle (0) to its edges (±1), ``turn`` in radians."""
    along = length / 2 * complex(math.cos(turn), math.sin(turn))
    across = along * 1j * 0.6
    middle = complex(0.5 + x / 2, (0.5 + y / 2) / TOP.aspect)
    quad = [middle + one for one in (along + across, along - across, -along - across, -along + across)]
    pixels = TOP.to_pixels([(one.real, one.imag) for one in quad])
    return SeenCard(tuple((float(a), float(b)) for a, b in pixels), side, deck, None, 0.0, None)


def ring(many: int, turn: float = 0.0, out: float = 0.7) -> list[SeenCard]:
    """One card before each player, anticlockwise."""
    angles = [turn - 2 * math.pi * number / many for number in range(many)]
    return [card(out * math.cos(angle), out * math.sin(angle), angle) for angle in angles]


def places(cards: Sequence[SeenCard], *, clockwise: bool = False) -> tuple[Point, ...]:
    return Deal().places(cards, CORNERS, SIZE, clockwise=clockwise)


@given(st.integers(2, 20), st.floats(0, math.tau), st.booleans(), st.randoms())
def test_places_come_in_order_round_the_table_whatever_the_order_in_which_cards_were_found(
    many: int, turn: float, clockwise: bool, chance: random.Random
) -> None:
    dealt = ring(many, turn, 0.85)
    found = places(dealt, clockwise=clockwise)
    assert len(found) == many
    mixed = list(dealt)
    chance.shuffle(mixed)
    assert places(mixed, clockwise=clockwise) == found
    assert found[0] == max(found, key=lambda at: at[1])
    angles = [math.atan2(y - 0.5 / TOP.aspect, x - 0.5) for x, y in TOP.to_table(found)]
    steps = [(b - a) % math.tau for a, b in zip(angles, (*angles[1:], angles[0]), strict=True)]
    assert sum(steps) == pytest.approx(math.tau if clockwise else math.tau * (many - 1))


NOT_PLACES = {
    "a pack in the middle, read as a back": card(0.05, -0.1),
    "a card left half way to the middle": card(0.2, 0.3),
    "a pack in front of the dealer, read as a back": card(0.42, 0.03),
    "a pack in a corner": card(0.75, 0.75, side="stack"),
    "a pedina": card(0.75, -0.75, deck=PEDINE),
    "a phone": card(0.7, 0.7, length=0.2),
    "a matchbox": card(0.7, 0.7, length=0.05),
    "a card on a chair": card(1.3, 0.2),
    "a second card with the first": card(0.72, 0.06),
}


@pytest.mark.parametrize("thing", NOT_PLACES.values(), ids=NOT_PLACES.keys())
def test_what_is_no_players_card_makes_no_place(thing: SeenCard) -> None:
    alone, beside = places(ring(6)), places([*ring(6), thing])
    assert len(beside) == 6
    assert max(math.dist(a, b) for a, b in zip(alone, beside, strict=True)) < 15


def test_nothing_on_the_table_makes_no_places() -> None:
    assert places([]) == ()


PACK, CARD, NOTHING = card(0.8, 0.8, side="stack"), card(0.8, 0.8), None
LOOKS_AT_A_SPOT = {
    "a pack that is lifted": ([PACK, PACK, PACK, CARD, CARD], False),
    "a pack that is lifted, without a look at it between": ([PACK, PACK, PACK, NOTHING, CARD], True),
    "a card that is misread once": ([CARD, PACK, CARD], True),
    "a card that is misread twice": ([PACK, PACK, CARD], True),
    "a card that is misread once in a while": ([CARD, PACK, *[CARD] * 3, PACK, *[CARD] * 3, PACK, CARD], True),
    "a card that is put where a pack was seen four times": ([*[PACK] * 4, *[CARD] * 4], True),
    "a card that is put where a pack has lain for long": ([*[PACK] * 100, *[CARD] * 25], True),
    "a pack that has lain for long and is held for long": ([*[PACK] * 100, *[CARD] * 24], False),
    "a pack that looks like a card once in a while": ([*[PACK] * 3, CARD, CARD, PACK, CARD, CARD], False),
}


@pytest.mark.parametrize(("looks", "is_place"), LOOKS_AT_A_SPOT.values(), ids=LOOKS_AT_A_SPOT.keys())
def test_a_spot_is_no_place_once_several_looks_saw_a_pack_there_until_as_many_in_a_row_saw_a_card(
    looks: Sequence[SeenCard | None], is_place: bool
) -> None:
    deal, six = Deal(), ring(6)
    for seen in looks:
        found = deal.places([*six, *([seen] if seen is not None else [])], CORNERS, SIZE, clockwise=False)
    assert len(found) == (7 if is_place else 6)


def test_a_pack_that_lies_alone_at_first_is_known_though_it_is_not_found_in_quite_the_same_spot() -> None:
    deal = Deal()
    for number in range(3):
        assert deal.places([card(0.8 + number / 500, 0.8, side="stack")], CORNERS, SIZE, clockwise=False) == ()
    assert len(deal.places([*ring(6), CARD], CORNERS, SIZE, clockwise=False)) == 6


@pytest.mark.parametrize("game", sorted(recorded_looks.CLIPS))
def test_places_of_a_clip_are_where_its_table_has_them(game: str) -> None:
    """From the first deal, once all lie still: the places of TABLE.json, in their order, within 30 pixels of 1280, a third of a
    card."""
    file = recorded_looks.DemoClip(game).table
    told = tuple(seat.place for seat in file.table.players)
    deal, before = Deal(), tuple[Point, ...]()
    for seen in recorded_looks.seen(game):
        cards = [SeenCard(one.quad, one.side, one.deck, one.card, 0.0, None) for one in seen.cards]
        found = deal.places(cards, file.table.corners, file.table.image_size, clockwise=file.game.pages.clockwise)
        lie_still = len(before) == len(found) and all(math.dist(a, b) < 5 for a, b in zip(before, found, strict=True))
        if lie_still and len(found) == len(told):
            break
        before = found
    else:
        pytest.fail(f"{len(told)} places were never found at once")
    first = min(range(len(told)), key=lambda number: math.dist(told[number], found[0]))
    assert max(math.dist(a, b) for a, b in zip((*told[first:], *told[:first]), found, strict=True)) < 30
