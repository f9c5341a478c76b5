"""The one program that may write a ledger: the one that holds a lock on a small file beside it.

The kernel holds the lock, so that it goes with the program, however that ends: a file that is left over locks nobody out.
"""

from __future__ import annotations

import fcntl
import os
import threading
from contextlib import suppress
from pathlib import Path

from companion.table.errors import LedgerError

_here: set[Path] = set()
"""What this process holds: a lock of `fcntl` does not keep two threads apart."""
_guard = threading.Lock()


class Owner:
    """The right to write the ledger at ``path``, until it is released or the process ends.

    Raises LedgerError when another program, or another part of this one, has it; OSError where no lock can be made, such as on a
    disk that takes nothing.
    """

    def __init__(self, path: Path) -> None:
        self._ledger = path.resolve()  # one lock, whatever link leads to the file
        self._lock = self._ledger.with_name(f"{self._ledger.name}-owner")
        with _guard:
            if self._ledger in _here:
                raise LedgerError(f"{path}: {_held('this very program')}")
            self._file = self._locked(path)
            _here.add(self._ledger)

    def release(self) -> None:
        """Let others have it. Releasing twice is fine."""
        with _guard:
            if self._ledger in _here:
                _here.remove(self._ledger)
                with suppress(OSError):
                    self._lock.unlink()
                os.close(self._file)

    def _locked(self, path: Path) -> int:
        while True:
            file = os.open(self._lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
            try:
                fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                if self._is(file):
                    with suppress(OSError):  # who holds it is only told
                        os.ftruncate(file, 0)
                        os.write(file, str(os.getpid()).encode())
                    return file
            except (BlockingIOError, PermissionError):
                said = os.read(file, 20).decode("ascii", "replace")
                os.close(file)
                raise LedgerError(f"{path}: {_held(f'process {said}' if said.isdigit() else 'another program')}") from None
            except OSError:
                os.close(file)
                raise
            os.close(file)  # the program that held it has just deleted the file

    def _is(self, file: int) -> bool:
        try:
            return os.path.samestat(os.fstat(file), os.stat(self._lock))
        except FileNotFoundError:
            return False


def _held(by: str) -> str:
    return (
        f"is held by another program ({by}): close that one, or choose another file; "
        "companion export, companion backup and companion serve --game N look at it meanwhile"
    )
