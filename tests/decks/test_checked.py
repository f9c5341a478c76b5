"""A deck file whose pictures would keep a decoder busy is refused where it comes in."""

from __future__ import annotations

from pathlib import Path

import pytest
from fake_sight import a_deck
from hostile import comment, frame, jpeg, many_scans, two_sizes
from msgspec.structs import replace

from companion.decks.checked import MAX_CARD_SCANS, decode_deck, read_deck
from companion.decks.deckfile import DeckFile, encode_deck
from companion.line.teaching.shelf import Shelf
from companion.table.errors import BadDeck


def with_picture(picture: bytes) -> DeckFile:
    deck = a_deck()
    first, *others = deck.cards
    return replace(deck, cards=(replace(first, pictures=(picture,)), *others))


@pytest.mark.parametrize(
    "picture",
    [
        pytest.param(many_scans(700), id="700 scans"),
        pytest.param(many_scans(MAX_CARD_SCANS + 1), id="a scan more than an encoder writes"),
        pytest.param(two_sizes(b"\xff\xff\xfe\x00\x04", 1024, 8), id="another size behind fill bytes"),
        pytest.param(two_sizes(comment(frame(160, 100)), 520, 8), id="a frame in a comment"),
        pytest.param(two_sizes(b"\xff\x01"), id="a marker that stands alone"),
        pytest.param(jpeg()[:-40], id="cut short"),
    ],
)
def test_a_picture_that_is_not_what_it_says_is_refused_with_the_card(picture: bytes, tmp_path: Path) -> None:
    data = encode_deck(with_picture(picture))
    with pytest.raises(BadDeck, match=r"^nonna: .*matto"):
        decode_deck(data, "nonna")
    with pytest.raises(BadDeck, match="matto"):
        Shelf(tmp_path).take_in("nonna", data)
    (tmp_path / "zia.deck").write_bytes(data)
    with pytest.raises(BadDeck, match="matto"):
        read_deck(tmp_path / "zia.deck")
    entry = Shelf(tmp_path).entry("zia")
    assert entry is not None
    assert entry.deck is None


def test_progressive_pictures_are_taken() -> None:
    deck = with_picture(jpeg(progressive=True))
    assert decode_deck(encode_deck(deck), "nonna") == deck
