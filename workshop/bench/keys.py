"""What the bench's caches hang on: hashes of the code of whole rooms, and of what a clip shows.

A key changes when what it stands for changes, and not with the names of classes and files, nor with comments and docstrings.
"""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import astuple, is_dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

import msgspec

from workshop.games import workshop_of

ROOT = Path(__file__).resolve().parents[2]

EYES: Final = ("companion/eyes", "companion/eyes/enrol", "companion/decks")
"""Rooms that decide what is found in a picture; the models do, too."""
RULING: Final = (
    "companion/eyes/following", "companion/table", "companion/games", "companion/games/betting", "companion/referee",
    "companion/line", "workshop", "workshop/bench", "workshop/games",
)  # fmt: skip
"""Rooms that decide what is made of that in any game: what becomes sure, what the referee tells, and how it is scored."""
WINGS: Final = ("", "/sight", "/referee", "/rules")
"""Rooms of a game's wing that do, too."""


@cache
def eyes_key(models: Path) -> str:
    """Stands for all that decides what the eyes find in a picture: their code, and the models in this folder."""
    return _key([*_code(EYES), *(file.read_bytes() for ending in ("onnx", "npz") for file in models.glob(f"*.{ending}"))])


def ruling_rooms(game: str) -> tuple[str, ...]:
    """The rooms that decide what a clip of this game is ruled, and how that is scored."""
    own = tuple(f"companion/games/{game}{room}" for room in WINGS)
    return (*RULING, *own, *workshop_of(game).bench_rooms)


@cache
def ruling_key(game: str) -> str:
    """Stands for all that decides what a clip is ruled, and how that is scored, once the eyes have found its cards."""
    return _key(_code(ruling_rooms(game)))


def encoded(*values: Any) -> bytes:
    """The values as JSON; dataclasses become lists of their values, so that no name of a class or a field is in it."""
    return msgspec.json.encode([_values(value) for value in values])


def _values(value: Any) -> Any:
    return astuple(value) if is_dataclass(value) and not isinstance(value, type) else value


def modules(rooms: Iterable[str]) -> Iterator[Path]:
    """The modules of these rooms, folders of the checkout; those of rooms within them are not among them."""
    for room in rooms:
        yield from (ROOT / room).glob("*.py")


def meaning(source: bytes) -> str:
    """What a module's source does: its syntax tree, from which comments are gone, without docstrings."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            node.body = [statement for statement in node.body if not _is_docstring(statement)] or [ast.Pass()]
    return ast.dump(tree)


def _is_docstring(statement: ast.stmt) -> bool:
    """A string that nothing is done with: also the kind that stands below an attribute."""
    value = statement.value if isinstance(statement, ast.Expr) else None
    return isinstance(value, ast.Constant) and isinstance(value.value, str)


def _code(rooms: Iterable[str]) -> list[bytes]:
    return [meaning(file.read_bytes()).encode() for file in modules(rooms)]


def _key(contents: Iterable[bytes]) -> str:
    """A hash of these contents in whatever order."""
    digests = sorted(hashlib.sha256(content).digest() for content in contents)
    return hashlib.sha256(b"".join(digests)).hexdigest()[:12]
