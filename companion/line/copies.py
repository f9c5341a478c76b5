"""The copies of evenings in a folder: how they are called, whose they are, and which of them may be written over.

A stick may go round: it holds copies of several machines and tables. A copy is written over by the ledger that it was made of
alone, and only once that ledger holds all that the copy holds; else the new one gets another name beside it.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path

from companion.ledger.outbox import identity
from companion.ledger.peek import Contents, contents, is_held, within
from companion.ledger.store import Ledger

FOLDER = "companion-backups"
"""The folder on a stick."""
KEPT_COPIES = 30
"""Number of a ledger's copies that are kept in each place: one for each of the newest nights."""
KEPT_ASIDE = 5
"""Number of the newest files put aside beside the ledger that are kept in any case: see `prune_aside`."""
_COPY = re.compile(r"evenings-(\d{4}-\d\d-\d\d)(?:-[0-9a-f]{8}(?:-\d+)?)?\.ledger")
_ASIDE = re.compile(r"(?:schema-\d+|before-(?P<day>\d{8}-\d{6}))(?:-\d+)?")
_OWN_LETTERS = 8
"""Letters of a ledger's identity in the name of what is its own on a stick."""


@dataclass(frozen=True, slots=True)
class Copy:
    """A copy that is there. ``night``: the day on which that night began, ISO 8601; "" for one that was made before an update
    or a restoring, or by command; ``size``: bytes; ``here``: on this machine's own disk; ``stick``: what the stick is called that
    it lies on, "" for the place that is chosen; ``own``: it was made of this very ledger; ``aside``: when it was put aside for a
    copy that was brought back, this machine's time, ISO 8601; "" for every other; ``until``: of one that was made by command,
    when the newest of what it holds was recorded, in the same way."""

    path: Path
    night: str
    size: int
    here: bool
    stick: str = ""
    own: bool = True
    aside: str = ""
    until: str = ""

    @property
    def day(self) -> str:
        """By what copies are in order, ISO 8601: the day of what it holds last; "" where its name does not say it."""
        return self.night or self.aside or self.until


def nights(folder: Path | None) -> tuple[Path, ...]:
    """The copies of nights in this folder, by name; none where it cannot be read."""
    if folder is None:
        return ()
    try:
        return tuple(sorted(path for path in folder.iterdir() if _COPY.fullmatch(path.name)))
    except OSError:
        return ()


def listed(folder: Path | None, ledger: Ledger, *, here: bool = False, stick: str = "") -> Iterator[Copy]:
    """Those, as a page lists them, and what `companion backup` has written there under any other name, if something was played
    in it. Raises LedgerError."""
    own = identity(ledger)
    for path in nights(folder):
        with suppress(OSError):
            yield Copy(path, night(path), path.stat().st_size, here, stick, here or owner(path) == own)
    for path in _others(folder):
        held = contents(path)
        if held is not None and (until := _until(held)):
            with suppress(OSError):
                yield Copy(path, "", path.stat().st_size, here, stick, here or held.identity == own, until=until)


def _others(folder: Path | None) -> tuple[Path, ...]:
    """The files in this folder that may be ledgers, but for the copies of nights; none where it cannot be read."""
    if folder is None:
        return ()
    try:
        found = [path for path in folder.iterdir() if path.suffix == ".ledger" and not path.name.startswith(".")]
        return tuple(sorted(path for path in found if not _COPY.fullmatch(path.name) and path.is_file()))
    except OSError:
        return ()


def _until(held: Contents) -> str:
    """When the newest that this copy holds was recorded, this machine's time, ISO 8601; "" where nothing was."""
    times = [recorded for *_, recorded in held.games if recorded is not None]
    return f"{datetime.fromtimestamp(max(times)):%Y-%m-%d %H:%M:%S}" if times else ""


def put_aside(ledger: Path) -> Iterator[Copy]:
    """What lies beside the ledger's file of before: of before an update, and of before a copy was brought back."""
    for path in sorted(ledger.parent.glob(f"{ledger.stem}-*{ledger.suffix}")):
        found = _ASIDE.fullmatch(path.name.removeprefix(f"{ledger.stem}-").removesuffix(ledger.suffix))
        if found is not None:
            with suppress(OSError, ValueError):
                aside = found["day"] and f"{datetime.strptime(found['day'], '%Y%m%d-%H%M%S')}"
                yield Copy(path, "", path.stat().st_size, True, aside=aside or "")


def night(copy: Path) -> str:
    """The night that its name says, ISO 8601."""
    found = _COPY.fullmatch(copy.name)
    assert found is not None, copy
    return found[1]


def owner(copy: Path) -> str | None:
    """The identity of the ledger that this copy was made of; None where it cannot be read."""
    held = contents(copy)
    return held.identity if held is not None else None


def target(folder: Path, day: date, ledger: Ledger) -> Path:
    """Where the copy of this night is to go: over an older one that this ledger holds whole, else to a name that is free. Raises
    LedgerError."""
    plain = folder / f"evenings-{day}.ledger"
    own = f"evenings-{day}-{identity(ledger)[:_OWN_LETTERS] or '0' * _OWN_LETTERS}"
    names = itertools.chain((plain, folder / f"{own}.ledger"), (folder / f"{own}-{n}.ledger" for n in itertools.count(2)))
    free: list[Path] = []
    for path in names:
        if not path.exists():
            free.append(path)
            if path != plain:
                return free[0]
        elif (held := contents(path)) is not None and within(held, ledger):
            return path
    raise AssertionError("names never end")


def prune(folder: Path, newest: Path, ledger: Ledger) -> None:
    """Delete the oldest of this ledger's copies, those of other ledgers apart, and never ``newest``. Raises LedgerError."""
    own = identity(ledger)
    for path in [path for path in nights(folder) if owner(path) == own][:-KEPT_COPIES]:
        if path != newest:  # a clock that is wrong names it as an old one
            with suppress(OSError):
                path.unlink()


def prune_aside(file: Path, ledger: Ledger) -> None:
    """Delete what was put aside beside the ledger's file, but for the newest `KEPT_ASIDE`: only what holds nothing that is not in
    the ledger, too, or in a newer one of them. What cannot be read stays. Raises LedgerError."""
    kept: list[Path] = []
    for copy in sorted(put_aside(file), key=_put_aside_at, reverse=True):
        held = contents(copy.path) if len(kept) >= KEPT_ASIDE else None
        if held is None or not (within(held, ledger) or any(is_held(held, other) for other in kept)):
            kept.append(copy.path)
            continue
        with suppress(OSError):
            copy.path.unlink()


def _put_aside_at(copy: Copy) -> str:
    """When it was put aside, this machine's time, ISO 8601."""
    if copy.aside:
        return copy.aside
    try:
        return f"{datetime.fromtimestamp(copy.path.stat().st_mtime):%Y-%m-%d %H:%M:%S}"
    except OSError:
        return ""


def decks_of(folder: Path, own: str) -> Path:
    """The folder for the taught decks of the ledger with this identity: two tables may have a deck of the same name."""
    return folder / f"decks-{own[:_OWN_LETTERS]}" if own else folder / "decks"


def decks_beside(copy: Path) -> tuple[Path, ...]:
    """The taught decks that went along with this copy."""
    folder = decks_of(copy.parent, owner(copy) or "")
    return tuple(sorted((folder if folder.is_dir() else copy.with_name("decks")).glob("*.deck")))
