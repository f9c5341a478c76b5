"""YAML files: read whole into a struct, or refused before they can harm: libyaml ends the program on deep nesting."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import msgspec
import yaml

from companion.files import read_bounded

T = TypeVar("T")

DEEPEST = 20
"""Lists and maps within one another; ours have four."""
LARGEST = 1 << 20
"""Bytes."""


def read_yaml(path: Path, type: type[T]) -> T:
    """What the file says, as ``type``.

    Raises:
        OSError: it cannot be read, is no file, or is larger than `LARGEST`.
        ValueError: it is no YAML of this shape; the message says what was expected, without the file's name.
    """
    data = read_bounded(path, LARGEST)
    try:
        _check(data)
        return msgspec.yaml.decode(data, type=type)
    except (yaml.YAMLError, UnicodeDecodeError, OverflowError, msgspec.MsgspecError) as error:
        raise ValueError(str(error)) from error


def read_yaml_or(path: Path, type: type[T], bad: Callable[[str], Exception], expected: str) -> T:
    """As `read_yaml`, but errors are those that ``bad`` makes of a message, which names the file and the field. ``expected``:
    what was expected, for a file that cannot be read at all."""
    try:
        return read_yaml(path, type)
    except OSError as error:
        raise bad(f"{path}: {error.strerror}: {expected}") from error
    except ValueError as error:
        raise bad(f"{path}: {error}") from error


def _check(data: bytes) -> None:
    """Looks at a file event by event, which needs no depth. Raises ValueError."""
    depth = 0
    for event in yaml.parse(data, Loader=yaml.CSafeLoader if yaml.__with_libyaml__ else yaml.SafeLoader):
        if isinstance(event, yaml.AliasEvent):
            raise ValueError(f"line {event.start_mark.line + 1}: an alias: expected each value to be written out")
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        if depth > DEEPEST:
            raise ValueError(f"line {event.start_mark.line + 1}: nested more than {DEEPEST} deep")
