"""The hall whose address is being asked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import current_app

if TYPE_CHECKING:
    from companion.hall.app import Hall


def the_hall() -> Hall:
    """The hall of the application that answers."""
    found: Hall = current_app.extensions["hall"]
    return found
