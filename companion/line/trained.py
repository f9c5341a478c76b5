"""The trained eyes that ship: they find the cards in pictures for `serve`, `watch` and `demo`."""

from __future__ import annotations

from collections.abc import Sequence

from companion.assets import asset
from companion.decks.deckfile import DeckFile
from companion.decks.lists import ListId
from companion.eyes.incremental import IncrementalDetector
from companion.eyes.look import Eyes
from companion.eyes.seeing import Look
from companion.line.corrections_learnt import CorrectionsLearnt


def trained(cards: ListId = "stu", decks: Sequence[tuple[str, DeckFile]] = (), lessons: CorrectionsLearnt | None = None) -> Look:
    """What finds the cards of one source, for a game that is played with the list ``cards``, with these taught decks, and with
    the ``lessons`` of the first of them that is of this list, or of the shipped deck. Raises `CompanionError` where the models
    are missing."""
    eyes = load(cards, decks)
    played = next((name for name, deck in decks if deck.list == cards), cards)
    return IncrementalDetector(lessons.attach(eyes, played) if lessons is not None else eyes).look


def load(cards: ListId, decks: Sequence[tuple[str, DeckFile]]) -> Eyes:
    """The models, for a list of cards and taught decks. Raises `CompanionError` where they are missing."""
    return Eyes.load(asset("models"), threads=2, decks=decks, cards=cards)
