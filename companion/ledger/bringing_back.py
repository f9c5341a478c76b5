"""A copy of the ledger is put in its place: what a backup is for. Nobody may have the ledger open meanwhile."""

from __future__ import annotations

import shutil
import sqlite3
import time
from contextlib import closing, suppress
from pathlib import Path

from companion.files import kept_on_the_disk, write_whole, written_whole
from companion.ledger import opening
from companion.ledger.opening import Owner
from companion.ledger.schema import NotALedger, schema_of
from companion.ledger.trouble import FAILS, what_is_wrong
from companion.table.errors import LedgerError

_OWN = ("phone", "secret")
"""Tables that stay as they are: a phone that was withdrawn since must not be let in again, nor one that was paired be shut
out."""


def bring_back(copy: Path, path: Path) -> Path | None:
    """Put ``copy`` in the place of the ledger at ``path``. Returns where the evenings of before are now, a whole ledger beside
    it; None where there were none. Paired phones stay as they are. Until the last step ``path`` is as it was.

    Raises LedgerError where the copy is no ledger or somebody has the ledger open, OSError.
    """
    opening.check_there(copy)
    if path.exists() and copy.samefile(path):
        raise LedgerError(f"{copy}: is the ledger itself: name the copy that is to take its place")
    path.parent.mkdir(parents=True, exist_ok=True)
    owner = Owner(path)
    try:
        with written_whole(path) as scratch:
            _written_to(scratch, copy)
            before = _put_aside(path)
            if before is not None:
                kept_on_the_disk(before)  # before the ledger itself goes: the power may, too
                _keep_phones(scratch, before)
            opening.wal_of(path).unlink(missing_ok=True)  # what stands in it is in `before`
            path.with_name(f"{path.name}-shm").unlink(missing_ok=True)
        shutil.rmtree(path.with_name(f"{path.name}.footage"), ignore_errors=True)  # video of other evenings by the same numbers
    finally:
        owner.release()
    return before


def _written_to(scratch: Path, copy: Path) -> None:
    try:
        _written_out(opening.copied(copy), scratch)
    except FAILS as error:
        raise LedgerError(f"{copy}: {what_is_wrong(error)}") from error


def _written_out(memory: sqlite3.Connection, scratch: Path) -> None:
    with closing(memory), closing(sqlite3.connect(scratch)) as target:
        memory.backup(target)
        target.execute(opening.WHOLE)
        target.commit()


def _put_aside(path: Path) -> Path | None:
    """The ledger at ``path``, copied beside it: as SQLite reads it or, where it is damaged, byte by byte with its log."""
    if not path.exists():
        return None
    aside = opening.free_beside(path, f"before-{time.strftime('%Y%m%d-%H%M%S')}")
    try:
        with written_whole(aside) as scratch:
            _written_out(opening.copied(path), scratch)
    except (*FAILS, LedgerError):
        write_whole(aside, path.read_bytes())
        with suppress(FileNotFoundError):
            write_whole(opening.wal_of(aside), opening.wal_of(path).read_bytes())
    return aside


def _keep_phones(scratch: Path, before: Path) -> None:
    with suppress(sqlite3.Error, NotALedger), closing(sqlite3.connect(scratch)) as target:
        target.execute("ATTACH ? AS before", (str(before),))
        if schema_of(target) >= 3:
            with target:
                for table in _OWN:
                    target.execute(f"DELETE FROM main.{table}")  # nosec B608 # our names
                    target.execute(f"INSERT INTO main.{table} SELECT * FROM before.{table}")  # nosec B608
