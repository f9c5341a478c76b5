"""Moments of rendered evenings with French decks: the truth about each place, what is counted right, and the report."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from companion.assets import asset
from companion.eyes.sighting import CardSeen
from workshop.bench.recipe import read_bench
from workshop.bench.stu.pedine.measure import (
    GOALS,
    LOOKS_PER_SECOND,
    SECONDS,
    Counted,
    Moment,
    markdown,
    moment,
    only_known,
    rates,
)
from workshop.bench.watching import Footage, Found
from workshop.deck.ramino import FACES
from workshop.deck.strange import courts, decks, french
from workshop.deck.strange.backs import FAMILIES
from workshop.deck.strange.french import FrenchDeck


@cache
def a_moment() -> Moment:
    return moment("easy", read_bench(asset("datasets/bench.yaml")).levels["easy"], 0)


def test_a_french_deck_has_all_cards_whole_and_no_two_alike() -> None:
    deck = FrenchDeck(1, 160)
    assert [card for _, card in deck] == [*FACES, "back"]
    drawn = {card: deck["ramino", card] for card in ("7h", "7d", "7c", "7s", "10s", "As", "Kc", "Qc", "back")}
    width = round(160 * deck.size[0] / deck.size[1])
    assert {picture.shape for picture in drawn.values()} == {(160, width, 4)}
    for picture in drawn.values():
        assert picture[80, width // 2, 3] == 255
        assert picture[0, 0, 3] == 0, "its corners are round"
    pictures = list(drawn.values())
    assert all(not np.array_equal(one, other) for n, one in enumerate(pictures) for other in pictures[:n])


def test_equal_seeds_equal_decks_and_other_seeds_other_ones() -> None:
    again, other = FrenchDeck(2, 120), FrenchDeck(3, 120)
    assert np.array_equal(FrenchDeck(2, 120)["ramino", "Qh"], again["ramino", "Qh"])
    assert FrenchDeck(2, 120).size == again.size != other.size


def test_what_it_is_drawn_with_is_kept_out_of_training() -> None:
    assert set(french.COURTS) <= set(courts.STYLES) & decks.HELD_OUT
    assert {back for back in french.BACKS if back in FAMILIES} <= decks.HELD_OUT


def test_a_card_that_there_is_not_is_refused() -> None:
    with pytest.raises(KeyError):
        FrenchDeck(1)["ramino", "14h"]


def test_a_moment_has_pictures_and_the_count_of_every_place() -> None:
    made = a_moment()
    pictures = list(made.pictures())
    assert len(pictures) == SECONDS * LOOKS_PER_SECOND
    assert [one.t for one in pictures[:2]] == [0.0, pytest.approx(1 / LOOKS_PER_SECOND)]
    assert pictures[0].image.shape[1::-1] == tuple(made.table.image_size)
    assert len(made.counts) == len(made.table.players)
    assert any(count for count in made.counts)
    assert all(count is None or 0 <= count <= 6 for count in made.counts)


def one(level: str, true: int, told: int | None, known: int | None = None) -> Counted:
    return Counted(f"{level}-000", level, 0, true, told, known)


def test_rates_tell_places_with_pedine_from_those_without_and_nothing_told_is_wrong() -> None:
    found = rates([one("easy", 2, 2), one("easy", 1, None), one("easy", 0, 0, 0), one("easy", 0, 1, 0)])
    assert {name: (rate.hits, rate.of) for name, rate in found.items()} == {
        "all": (2, 4), "with pedine": (1, 2), "without": (1, 2), "known decks only": (2, 4),
    }  # fmt: skip


def test_the_report_has_a_row_for_each_difficulty_and_names_what_is_wrong() -> None:
    text = markdown([one("easy", 2, 2), one("hard", 3, 1), one("hard", 1, None)], "companion evaluate pedine --moments 1")
    assert "`companion evaluate pedine --moments 1`: 2 moments" in text
    assert [line.split(" | ")[0] for line in text.split("\n") if line.startswith(tuple(f"| {level}" for level in GOALS))] == [
        "| easy", "| hard",
    ]  # fmt: skip
    assert "- `hard-000`, place 0: 3, told 1" in text
    assert "- `hard-000`, place 0: 1, told nothing" in text


def test_what_would_be_counted_by_known_decks_alone_leaves_unknown_cards_out() -> None:
    quad = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))
    cards = tuple(CardSeen(quad, deck, "face", 0.9) for deck in ("stu", "ramino", "unknown"))
    footage = Footage((10, 10), (Found(0.0, cards, None, None, (), False, (), None),), 0.0)
    assert [card.deck for card in only_known(footage).looks[0].cards] == ["stu", "ramino"]
