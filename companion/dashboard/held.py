"""A value that is the same for all threads of a program or, where it is kept outside of the program, for all processes that
serve."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Generic, Protocol, TypeVar

Value = TypeVar("Value")
Found = TypeVar("Found", covariant=True)


class SharedValue(Protocol[Found]):
    """The place of such a value."""

    def changing(self) -> AbstractContextManager[Found]:
        """The value, to be read and changed in place within the block, while everybody else waits for it."""
        ...


class InMemory(Generic[Value]):
    """The value is kept in this program's memory."""

    def __init__(self, value: Value) -> None:
        self._value, self._lock = value, threading.Lock()

    @contextmanager
    def changing(self) -> Iterator[Value]:
        """As `SharedValue.changing`."""
        with self._lock:
            yield self._value
