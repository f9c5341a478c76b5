"""The page on the TV: a Flask application over the ledger, which shows only what everybody at the table has seen."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.dashboard.settings import Settings

if TYPE_CHECKING:
    from companion.dashboard.app import create_app

__all__ = ["Settings", "create_app"]


def __getattr__(name: str) -> Any:
    """``create_app``, imported when somebody asks for it: a hall serves pages of this folder without cameras and eyes."""
    if name != "create_app":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from companion.dashboard.app import create_app

    return create_app
