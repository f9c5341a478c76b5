"""What a game consists of: its parts, each imported when it is first asked for."""

from __future__ import annotations

from functools import cached_property
from importlib import import_module
from typing import cast

from companion.table.game import Rules


class Game:
    """A game of the house: ``id`` as its logs say it; ``wing``: the package or module that holds its parts."""

    def __init__(self, id: str, wing: str) -> None:
        self.id, self._wing = id, wing

    @cached_property
    def rules(self) -> Rules:
        """Its rules: `WING.rules`."""
        return cast(Rules, self._part("rules"))

    def _part(self, name: str) -> object:
        return import_module(f"{self._wing}.{name}")
