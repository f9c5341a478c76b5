"""*Il video della serata*: half a minute of the night to send round, made on this machine when an organiser asks for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import current_app

if TYPE_CHECKING:
    from companion.dashboard.reel.making import Reels


def erase_reel(game: int) -> None:
    """Delete a game's reel, where one was made."""
    if (found := _reels()) is not None:
        found.erase(game)


def erase_reels() -> None:
    """Delete all reels: names that are forgotten stand in some."""
    if (found := _reels()) is not None:
        found.erase_all()


def kept() -> bool:
    """Whether this program makes reels: where it has a folder for them."""
    return _reels() is not None


def _reels() -> Reels | None:
    found: Reels | None = current_app.extensions.get("reels")
    return found
