"""What the program asks of a game beside its rules, its sight and its pages. A game's package says it in `spec.SPEC`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from companion.assets import asset
from companion.decks.deckfile import DeckFile, read_deck


@dataclass(frozen=True, slots=True)
class Demo:
    """A bundled clip, as `companion demo` plays it.

    ``clip``: the video, a path from the project's root. Beside it lie its ``table.json``, and where a phone tells words or
    amounts that no camera can see, these words (``told.jsonl``). ``deck``: the taught deck with which it was filmed; "": a
    shipped one.
    """

    clip: str
    deck: str = ""

    @property
    def path(self) -> Path:
        """The video."""
        return asset(self.clip)

    def decks(self, cards: str) -> list[tuple[str, DeckFile]]:
        """The taught decks, by the name of the list of ``cards`` that they have."""
        return [(cards, read_deck(asset(self.deck)))] if self.deck else []


@dataclass(frozen=True, slots=True)
class Spec:
    """``title``: what people call the game; "": its id will do. ``demo``: its bundled clip; None: there is none."""

    title: str = ""
    demo: Demo | None = None
