"""*Il video della serata*: half a minute of the night to send round, made on this machine when an organiser asks for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import current_app

if TYPE_CHECKING:
    from companion.dashboard.recap.making import Recaps


def erase_recap(game: int) -> None:
    """Delete a game's recap, where one was made."""
    if (found := _recaps()) is not None:
        found.erase(game)


def erase_recaps() -> None:
    """Delete all recaps: names that are forgotten stand in some."""
    if (found := _recaps()) is not None:
        found.erase_all()


def kept() -> bool:
    """Whether this program makes recaps: where it has a folder for them."""
    return _recaps() is not None


def _recaps() -> Recaps | None:
    found: Recaps | None = current_app.extensions.get("recaps")
    return found
