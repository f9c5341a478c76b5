"""What a game consists of: its parts, each imported when it is first asked for."""

from __future__ import annotations

from functools import cached_property
from importlib import import_module
from typing import Any, cast

from companion.table.game import Rules
from companion.table.pages import Pages


class Game:
    """A game of the house: ``id`` as its logs say it; ``wing``: the package or module that holds its parts."""

    def __init__(self, id: str, wing: str) -> None:
        self.id, self._wing = id, wing

    @cached_property
    def rules(self) -> Rules:
        """Its rules: `WING.rules`."""
        return cast(Rules, self._part("rules"))

    @cached_property
    def pages(self) -> Pages:
        """How it is shown and kept: `WING.pages`."""
        return cast(Pages, self._part("pages"))

    def _part(self, name: str) -> Any:
        """The wing's submodule of this name or, in a wing that is one module, what it calls so."""
        wing = import_module(self._wing)
        return import_module(f"{self._wing}.{name}") if hasattr(wing, "__path__") else getattr(wing, name)
