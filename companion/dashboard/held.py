"""A value that every thread of a program finds the same; where it is kept outside of it, every process that serves, too."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Generic, Protocol, TypeVar

Value = TypeVar("Value")
Found = TypeVar("Found", covariant=True)


class Held(Protocol[Found]):
    """Where such a value is."""

    def changing(self) -> AbstractContextManager[Found]:
        """A block that has the value for itself, to read it and to change it in place."""
        ...


class InMemory(Generic[Value]):
    """It is this program's alone."""

    def __init__(self, value: Value) -> None:
        self._value, self._lock = value, threading.Lock()

    @contextmanager
    def changing(self) -> Iterator[Value]:
        """As `Held.changing`."""
        with self._lock:
            yield self._value
