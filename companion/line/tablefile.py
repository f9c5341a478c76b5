"""TABLE.json, version 1: where things lie in the camera's picture, and what is played there.

Corners and places are the eyes' (`companion.eyes.table`); all other keys are those of the game's first line in a table log.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import msgspec

from companion.eyes.table import Pixel, Table, parse_table, with_corners
from companion.files import read_bounded
from companion.games import GAMES, Game, first_game, game_of
from companion.table.errors import GameError, TableError
from companion.table.log import Event, composed

DEFAULT_GAME = first_game().id
"""The game of a table that names none: so it was before there were others."""
MAX_BYTES = 1 << 20
"""Greatest size of a TABLE.json, bytes."""
_OWN = ("v", "image_size", "corners", "players")


@dataclass(frozen=True, slots=True)
class TableFile:
    """``table``: where its corners and the players' places are. ``first``: the first line of the table log that begins there."""

    table: Table
    first: Event

    @property
    def game(self) -> Game:
        """What is played."""
        return game_of(self.first)

    def with_corners(self, corners: Sequence[Pixel], size: tuple[int, int]) -> TableFile:
        """The same table after the camera was moved; see `companion.eyes.table.with_corners`. Raises TableError."""
        return replace(self, table=with_corners(self.table, corners, size))

    def encode(self) -> bytes:
        """As JSON."""
        plain: dict[str, Any] = msgspec.to_builtins(self.first) | msgspec.to_builtins(self.table)
        plain.pop("e")
        if plain["game"] == DEFAULT_GAME:
            plain.pop("game")
        return msgspec.json.encode(plain)


def read_table_file(path: Path) -> TableFile:
    """Read and check TABLE.json.

    Raises:
        TableError: the file cannot be read or is not JSON of the right shape, its corners are no quadrilateral, or no such game
            can be played.
    """
    try:
        return parse_table_file(read_bounded(path, MAX_BYTES))
    except OSError as error:
        raise TableError(f"{path}: cannot be read ({error.strerror})") from error
    except TableError as error:
        raise TableError(f"{path}: {error}") from error


def parse_table_file(data: bytes | str) -> TableFile:
    """What TABLE.json says, checked.

    Raises:
        TableError: as `read_table_file`, without a file's name.
    """
    with suppress(UnicodeDecodeError):  # refused below, in its own words
        data = composed(data if isinstance(data, str) else data.decode("utf-8"))
    table = parse_table(data)
    try:
        plain: dict[str, Any] = msgspec.json.decode(data)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:  # in a key that the picture's part passes over
        raise TableError(f"not JSON that can be read: {error}") from error
    game = plain.get("game", DEFAULT_GAME)
    if not isinstance(game, str) or game not in GAMES:
        raise TableError(f"game {game!r}: expected one of {', '.join(GAMES)}")
    own = {key: value for key, value in plain.items() if key not in _OWN and key != "e"}
    rules = GAMES[game].rules
    try:
        first = rules.LOG.event(own | {"e": "game", "v": 1, "game": game, "players": [seat.name for seat in table.players]})
        rules.begin(first)
    except (msgspec.ValidationError, GameError) as error:
        raise TableError(str(error)) from error
    return TableFile(table, first)
