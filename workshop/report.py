"""What all reports of the workshop are written with: tables in Markdown, and the figures that are kept in a JSON file beside."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TypeVar

import msgspec

from companion.files import write_whole
from companion.table.errors import CompanionError

T = TypeVar("T")


class BadReport(CompanionError):
    """Figures beside a report that cannot be read; the message says where."""


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> list[str]:
    """A table's lines.

    >>> table(("figure", "found", ""), [("right", 3, "✓")])
    ['| figure | found | |', '|---|---|---|', '| right | 3 | ✓ |']
    """
    heads = "".join(f" {one} |" if one else " |" for one in head)
    return [f"|{heads}", f"|{'---|' * len(head)}", *(f"| {' | '.join(map(str, cells))} |" for cells in rows)]


def counted(head: tuple[str, str], counts: dict[str, int]) -> list[str]:
    """A table of counts with an empty line after it; nothing where nothing was counted."""
    return [*table(head, counts.items()), ""] if counts else []


def kept_beside(report: Path, kind: type[T], nothing: T, what: str = "figures of a report") -> T:
    """The figures kept beside ``report`` (a .md file), ``nothing`` where there is no such file yet. Raises `BadReport`."""
    path = report.with_suffix(".json")
    try:
        return msgspec.json.decode(path.read_bytes(), type=kind)
    except FileNotFoundError:
        return nothing
    except (OSError, msgspec.DecodeError) as error:
        raise BadReport(f"{path}: not the {what}: {error}: remove the file or restore it") from error


def write_beside(report: Path, figures: object, text: str) -> None:
    """Write ``report``, and its figures beside it."""
    write_whole(report.with_suffix(".json"), msgspec.json.format(msgspec.json.encode(figures), indent=1) + b"\n")
    write_whole(report, text.encode())
