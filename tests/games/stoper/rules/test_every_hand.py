"""Every hand of three cards of the three decks: how many have which score, and that two which can meet are never equal."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, groupby
from typing import Any

import pytest

from companion.decks.italian_sets import INDEX, cards_in, kinds_in, mask_of
from companion.games.stoper.rules.cards import DECKS, Rank, deck_of, opens, rank

COUNTS: dict[int, dict[int, int]] = {
    36: {33: 4, 32: 72, 31: 12, 30: 4, 28: 12, 27: 24, 26: 24, 25: 24, 24: 28, 23: 28, 22: 140, 21: 275, 20: 347},
    32: {33: 4, 32: 72, 31: 12, 30: 4, 28: 12, 27: 24, 26: 24, 25: 24, 24: 16, 23: 16, 22: 116, 21: 235, 20: 295},
    28: {33: 4, 32: 72, 31: 12, 30: 4, 28: 12, 27: 24, 26: 24, 25: 12, 24: 4, 23: 16, 22: 88, 21: 183, 20: 243},
}
"""Deck → score → hands, of the scores from 20 up; those of 36 cards stand in the rules made exact."""
HANDS = {36: 7140, 32: 4960, 28: 3276}
LOWEST = {36: 3, 32: 4, 28: 5}


def hands(deck: int) -> list[int]:
    return [mask_of(three) for three in combinations(cards_in(DECKS[deck]), 3)]  # type: ignore[index]


@pytest.mark.parametrize("deck", DECKS)
def test_the_number_of_hands_with_each_score(deck: int) -> None:
    scores = Counter(rank(hand).score for hand in hands(deck))
    assert scores.total() == HANDS[deck]
    assert {score: count for score, count in scores.items() if score >= 20} == COUNTS[deck]
    assert min(scores) == LOWEST[deck]
    assert 29 not in scores
    assert (19 in scores) == (deck > 28)
    assert sum(count for score, count in scores.items() if score < 20) == HANDS[deck] - sum(COUNTS[deck].values())


@pytest.mark.parametrize("third", ["figure", "any"])
@pytest.mark.parametrize("deck", DECKS)
def test_two_hands_that_can_meet_are_never_equal(deck: int, third: Any) -> None:
    def key(hand: int) -> Rank:
        return rank(hand, third)

    for _, equal in groupby(sorted(hands(deck), key=key), key=key):
        for one, other in combinations(equal, 2):
            assert one & other, (kinds_in(one), kinds_in(other))


def plain_score(kinds: tuple[str, ...]) -> int:
    """The score by the words of the rules, another way."""
    aces = [kind for kind in kinds if kind.endswith("-1")]
    numbers = {kind: int(kind.split("-")[1]) for kind in kinds}
    if len(aces) == 3:
        return 33
    if len(aces) == 2:
        return 32 if max(numbers.values()) > 7 else 22
    suits = {kind.split("-")[0] for kind in kinds if kind != "denari-1"}
    joker = 11 if "denari-1" in kinds else 0
    of_suit = [[numbers[kind] for kind in kinds if kind.startswith(suit) and kind != "denari-1"] for suit in suits]
    return joker + max(sum(10 if number > 7 else number for number in numbers) for numbers in of_suit)


def test_every_score_is_what_the_words_of_the_rules_say() -> None:
    for hand in hands(36):
        assert rank(hand).score == plain_score(kinds_in(hand)), kinds_in(hand)


TABLE = [
    ("denari-1 bastoni-1 coppe-1", 33), ("spade-1 coppe-1 coppe-8", 32), ("denari-1 coppe-10 coppe-9", 31),
    ("spade-10 spade-9 spade-8", 30), ("denari-1 bastoni-9 bastoni-7", 28), ("coppe-10 coppe-9 coppe-7", 27),
    ("coppe-10 coppe-9 coppe-5", 25), ("denari-10 denari-9 denari-4", 24), ("spade-9 spade-8 spade-3", 23),
    ("spade-1 coppe-1 denari-7", 22), ("bastoni-10 bastoni-9 bastoni-1", 21), ("coppe-10 coppe-8 denari-7", 20),
    ("denari-9 denari-7 coppe-10", 17), ("denari-10 spade-10 coppe-10", 10),
]  # fmt: skip


@pytest.mark.parametrize(("cards", "score"), TABLE)
def test_the_lines_of_the_books_table(cards: str, score: int) -> None:
    assert rank(mask_of(INDEX[kind] for kind in cards.split())).score == score


def test_the_decks_hold_what_they_say_and_every_ace() -> None:
    assert {size: deck.bit_count() for size, deck in DECKS.items()} == {36: 36, 32: 32, 28: 28}
    assert [deck_of(players) for players in (6, 5, 4, 3, 2)] == [36, 32, 28, 28, 28]
    for deck in DECKS.values():
        assert sum(kind.endswith("-1") for kind in kinds_in(deck)) == 4


def test_what_opens_at_one_level_opens_at_those_below() -> None:
    for hand in hands(36):
        by_level = [opens(hand, level, by_figure_alone=True, ace_pair_third="figure") for level in ("re", "cavallo", "donna")]
        assert by_level == sorted(by_level)
        assert opens(hand, "re", by_figure_alone=False, ace_pair_third="figure") >= by_level[0]
        if rank(hand).score > 10:
            assert opens(hand, "re", by_figure_alone=False, ace_pair_third="figure")
