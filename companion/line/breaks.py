"""A break of the table: nobody plays, so nothing that a camera sees then is part of the game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

BREAK: Final = "break"
"""Name of the note with since when a game has a break, Unix seconds; "" or none while it is played."""


def has_break(notes: Mapping[str, str]) -> bool:
    """Whether a game with these notes of the ledger has a break."""
    return bool(notes.get(BREAK))
