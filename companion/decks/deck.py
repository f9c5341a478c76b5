"""The interface of a deck. A module can be one, such as `companion.decks.italian`."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple, Protocol


class Name(NamedTuple):
    """The names of a card: in Italian, in English, and in the dialect of Montorio (with the article), where it has one."""

    it: str
    en: str
    montorio: str = ""


class Deck(Protocol):
    """A deck of cards. Its ids are used in table logs, in the labels of pictures, and in the files of enrolled decks."""

    @property
    def KINDS(self) -> tuple[str, ...]:  # noqa: N802 (a module's constant)
        """The ids of its cards, each once."""

    @property
    def COPIES(self) -> int:  # noqa: N802
        """How many cards of each kind it has."""

    @property
    def NAMES(self) -> Mapping[str, Name]:  # noqa: N802
        """Id → what people call the card."""


def suited(suits: Mapping[str, Name], numbers: Mapping[int, Name]) -> Mapping[str, Name]:
    """The cards of a deck with suits: id, such as ``denari-7`` → name, suit by suit."""
    return MappingProxyType({
        f"{suit}-{number}": Name(f"{card.it} di {of.it}", f"{card.en} of {of.en}")
        for suit, of in suits.items()
        for number, card in numbers.items()
    })
