"""What `companion rule` asks of a game that tells its rulings in words of its own: a plain protocol, which a module may be."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Protocol

from companion.table.game import State
from companion.table.language import Lang
from companion.table.log import Line

Stories = tuple[Any, ...]
"""The hands of a game, step by step: frozen structs, which `--json --story` prints as they are."""


class Telling(Protocol):
    """How a game is told in the terminal."""

    def story(self, lines: Iterable[Line], /) -> Stories:
        """All hands of a log, the one in progress included."""

    def text(self, state: State, stories: Stories, lang: Lang, /) -> list[str]:
        """All hands, each with its steps where there are ``stories``, or else its payments; how everybody stands; a line each."""
