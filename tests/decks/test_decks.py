"""What must hold of every deck, whatever its cards."""

from __future__ import annotations

import re
from collections import Counter

import msgspec
import pytest

from companion.assets import asset
from companion.decks import french, italian, stu
from companion.decks.deck import Deck
from companion.decks.lists import BACKS, drawing

DECKS: dict[str, Deck] = {"stu": stu, "italian": italian, "french": french}
CARDS = {"stu": 40, "italian": 40, "french": 52}
TYPES = {"stu": stu.Kind, "italian": italian.Kind, "french": french.Kind}
NEVER = ("", "joker", "denari-0", "denari-11", "denari-07", "hearts-14", "Hearts-1", "11", "gnao ", "xdenari-7", "denari-7\n")


@pytest.mark.parametrize("deck", DECKS)
def test_the_deck_has_its_cards(deck: str) -> None:
    kinds = DECKS[deck].KINDS
    assert len(kinds) * DECKS[deck].COPIES == CARDS[deck]
    assert len(set(kinds)) == len(kinds)


@pytest.mark.parametrize("deck", DECKS)
def test_ids_can_stand_in_file_names_and_in_logs(deck: str) -> None:
    assert all(re.fullmatch(r"[a-z]+(-\d+)?|\d+", kind) for kind in DECKS[deck].KINDS)
    for kind in DECKS[deck].KINDS:
        assert msgspec.json.decode(msgspec.json.encode(kind), type=TYPES[deck]) == kind
    for other in (*NEVER, *(kind for name in DECKS if name != deck for kind in DECKS[name].KINDS)):
        with pytest.raises(msgspec.ValidationError):
            msgspec.convert(other, TYPES[deck])


@pytest.mark.parametrize("deck", DECKS)
def test_every_card_has_a_name_of_its_own(deck: str) -> None:
    names = DECKS[deck].NAMES
    assert tuple(names) == DECKS[deck].KINDS
    for said in ([name.it for name in names.values()], [name.en for name in names.values()]):
        assert all(said)
        assert Counter(said).most_common(1)[0][1] == 1


def test_an_id_says_of_which_deck_it_is() -> None:
    every = [kind for deck in DECKS.values() for kind in deck.KINDS]
    assert len(set(every)) == len(every)


def test_suits_and_numbers_are_read_off_the_id() -> None:
    for deck in (italian, french):
        assert list(deck.KINDS) == [f"{suit}-{number}" for suit in deck.SUITS for number in deck.NUMBERS]
    assert (italian.NAMES["bastoni-10"].it, french.NAMES["clubs-11"].it) == ("Re di bastoni", "Fante di fiori")


@pytest.mark.parametrize("deck", DECKS)
def test_every_card_has_a_drawing_and_a_name_for_people_who_cannot_see_it(deck: str) -> None:
    shown = {kind: drawing(kind) for kind in DECKS[deck].KINDS}
    assert all((asset("web") / "cards" / one.file).is_file() for one in shown.values())
    assert len({one.file for one in shown.values()}) == len(shown)
    assert all(one.name == DECKS[deck].NAMES[kind] for kind, one in shown.items())


def test_every_drawn_deck_has_a_back() -> None:
    assert all((asset("web") / "cards" / file).is_file() for file in BACKS.values())


@pytest.mark.parametrize("card", [card for card in NEVER if card != "11"])
def test_what_is_no_card_has_no_drawing(card: str) -> None:
    with pytest.raises(ValueError, match="no drawn card is called"):
        drawing(card)
