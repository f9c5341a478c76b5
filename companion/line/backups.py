"""Copies of the evenings: one for every night of play, beside the ledger and, where one was chosen, on a stick or in a folder.

A copy is made while the night goes on, every twenty minutes in which something was recorded, so that a power cut at its end costs
no copy; it takes the place of the night's copy before it. Taught decks go along. A night lasts until ten in the morning. Nothing
is copied before the first game, and no copy of another ledger is written over or deleted (`companion.line.copies`).
"""

from __future__ import annotations

import errno
import logging
import os
import re
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import msgspec
from msgspec.structs import replace

from companion.clock import night_of
from companion.files import kept_on_the_disk, on_the_disk, read_bounded, write_whole, written_whole
from companion.ledger import Ledger
from companion.ledger.outbox import identity
from companion.line import copies
from companion.line.copies import FOLDER, Copy
from companion.table.errors import CompanionError, LedgerError

EVERY_SECONDS = 20 * 60.0
"""Seconds between two copies of a night."""
_LOOK_SECONDS = 30.0
"""Seconds between two looks whether a copy is due."""
OLD_DAYS = 7.0
"""Days without a copy on the chosen stick, though evenings were played, after which the phone says so."""
_MAX_STATE_BYTES = 64_000
_REMOVABLE = ("/media/", "/run/media/", "/mnt/")
"""Below what sticks are mounted."""
_NO_DISKS = frozenset({"squashfs", "iso9660", "proc", "sysfs", "tmpfs", "autofs", "overlay"})

_NEWEST = """
SELECT count(*), sum(newest), max(at), min(started) FROM (
    SELECT started, (SELECT max(number) FROM version WHERE game = id) AS newest,
        (SELECT recorded FROM version WHERE game = id ORDER BY number DESC LIMIT 1) AS at
    FROM game)
"""
"""By the newest version of each game: the whole table of versions is long."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class CopyFolder:
    """A folder that a copy may go to. ``free``: bytes."""

    folder: Path
    free: int


class CopiesMade(msgspec.Struct, frozen=True):
    """What is remembered of copies beside the ledger.

    ``folder``: the chosen one, "" while there is none; ``made``: Unix time of the last copy in ``place``, None before the first;
    ``here``, ``there``: how much was recorded (`Recorded.mark`) when the last copy beside the ledger, and in ``place``, was made;
    ``place``: the folder that this was, which another option `--backups` leaves, "" before the first;
    ``version``: of the program that ran last; ``build``: what was installed of it (`installed.stamp`); ``before``: the version of
    the one before it, "" where there was none.
    """

    folder: str = ""
    made: float | None = None
    here: str = ""
    there: str = ""
    version: str = ""
    before: str = ""
    build: str = ""
    place: str = ""


@dataclass(frozen=True, slots=True)
class Recorded:
    """How much is recorded. ``mark``: another text once anything more is; ``at``: when the newest of it was recorded, Unix time;
    ``since``: when the first game began. A clock that is put back does not matter to the mark."""

    mark: str
    at: float
    since: float


UNTOLD_VERSION = "?"
"""A version that ran before, but did not yet write down which it was."""


Why = Literal["", "gone", "full", "read-only", "here"]
"""Why a copy was not made: its stick is not plugged in, is full, or takes nothing; or this machine's own disk refused, whether
or not a copy on the stick was made; "": anything else."""
_WHY: dict[int | None, Why] = {errno.ENOSPC: "full", errno.EDQUOT: "full", errno.EROFS: "read-only", errno.EACCES: "read-only",
                               errno.EPERM: "read-only", errno.ENOENT: "gone", errno.ENODEV: "gone"}  # fmt: skip


class Unreachable(CompanionError):
    """A copy could not be made: the place is not there, or takes nothing. ``why``: which of them."""

    def __init__(self, text: str, why: Why = "") -> None:
        super().__init__(text)
        self.why: Why = why


class _NotThere(CompanionError):
    """What is to be mounted, or the folder for the folder of copies, is not there."""


def mounted(mounts: Path = Path("/proc/self/mounts")) -> tuple[Path, ...]:
    """Where sticks and other disks that can be plugged in are mounted."""
    try:
        lines = mounts.read_text("utf-8", "surrogateescape").splitlines()
    except OSError:
        return ()
    found = []
    for line in lines:
        _, at, kind, *_ = [*line.split(" "), "", "", ""]
        folder = re.sub(r"\\([0-7]{3})", lambda code: chr(int(code[1], 8)), at)
        if folder.startswith(_REMOVABLE) and kind not in _NO_DISKS:
            found.append(Path(folder))
    return tuple(dict.fromkeys(found))


class Backups:
    """The copies of one ledger. Any thread may ask.

    Attributes:
        fixed: the folder that the program was started with; then no other can be chosen.
        problem: why the last copy was not made; None where it was.
        why: the same in a word.
    """

    def __init__(
        self, ledger: Ledger, file: Path, decks: Path, fixed: Path | None = None, *, version: str = "", build: str = "",
        now: Callable[[], float] = time.time, sticks: Callable[[], tuple[Path, ...]] = mounted,
    ) -> None:  # fmt: skip
        """``file``: the ledger's; ``decks``: the folder of taught decks; ``version``: of this program; ``build``: what is
        installed of it, as builds between two releases share a version."""
        self._ledger, self._file, self._decks, self.fixed = ledger, file, decks, fixed
        self._now, self._sticks = now, sticks
        self._state_file = file.with_name(f"{file.name}.backups")
        self.beside = file.with_name("backups")
        self._lock = threading.Lock()
        self._tried = 0.0
        self.problem: str | None = None
        self.why: Why = ""
        self._kept = self._read()
        if version and (version, build) != (self._kept.version, self._kept.build):
            self._keep(replace(self._kept, version=version, build=build, before=self._kept.version or self._untold()))

    # What is chosen, and how it stands

    @property
    def chosen(self) -> Path | None:
        """The folder for copies besides the one beside the ledger; None while none is chosen."""
        return self.fixed or (Path(self._kept.folder) if self._kept.folder else None)

    @property
    def made(self) -> float | None:
        """When the last copy in the chosen folder was made, Unix time."""
        return self._kept.made if self._known_there() else None

    def _known_there(self) -> bool:
        """Whether what is remembered is of the chosen folder, not of another one of before."""
        return self._kept.place == str(self.chosen)

    @property
    def updated_from(self) -> str:
        """The version that ran before this one; `UNTOLD_VERSION` for one that did not say which it was; "" where none did."""
        return self._kept.before

    def _untold(self) -> str:
        """Which version ran before one that has found nothing about it: one is known by the copy that was made before its ledger
        was brought up to date."""
        return UNTOLD_VERSION if any(self._file.parent.glob(f"{self._file.stem}-schema-*.ledger")) else ""

    def places(self) -> tuple[CopyFolder, ...]:
        """The sticks that are plugged in and can be written."""
        found = []
        for folder in self._sticks():
            with suppress(OSError):
                if os.access(folder, os.W_OK):
                    found.append(CopyFolder(folder, shutil.disk_usage(folder).free))
        return tuple(found)

    def unwritable(self) -> tuple[Path, ...]:
        """The sticks that are plugged in, but take nothing: with a lock switch, of another user, or worn."""
        writable = {place.folder for place in self.places()}
        return tuple(folder for folder in self._sticks() if folder not in writable)

    def choose(self, folder: Path | None) -> None:
        """From now on copies go to this stick, one of `places`, or to none. Raises Unreachable where it is no such stick."""
        if self.fixed is not None:
            raise Unreachable(f"the program was started with --backups {self.fixed}: start it with another one")
        if folder is not None and folder not in (place.folder for place in self.places()):
            raise Unreachable(f"{folder}: is not plugged in, or cannot be written")
        wanted = "" if folder is None else str(folder / FOLDER)
        with self._lock:
            if wanted != self._kept.folder:
                self._keep(replace(self._kept, folder=wanted, made=None, there=""))

    def old_days(self) -> int | None:
        """Days since the last copy in the chosen folder, where those are more than `OLD_DAYS` and evenings were played since;
        None where all is well, or no folder is chosen."""
        recorded = self._recorded()
        if self.chosen is None or recorded is None or (self._known_there() and self._kept.there == recorded.mark):
            return None
        since = self.made if self.made is not None else recorded.since
        days = (self._now() - since) / 86400
        return int(days) if days > OLD_DAYS else None

    def copies(self) -> tuple[Copy, ...]:
        """The copies that are there, the newest night first, and before it what was put aside since; those of the chosen folder
        before those of other sticks that are plugged in, and these before those beside the ledger. Raises LedgerError."""
        found = [*copies.put_aside(self._file)]
        found += copies.listed(self.beside, self._ledger, here=True)
        for stick in self._sticks():
            for folder in (stick, stick / FOLDER):  # at its root lies what `companion backup` has written
                if folder != self.chosen:
                    found += copies.listed(folder, self._ledger, stick=stick.name)
        found += copies.listed(self.chosen, self._ledger)
        return tuple(sorted(found, key=lambda one: (one.day, not one.here, not one.stick), reverse=True))

    # Making them

    @contextmanager
    def running(self) -> Iterator[None]:
        """Copies are made while the block runs, and at its end."""
        ends = threading.Event()

        def go_on() -> None:
            while True:
                self.make_due()
                if ends.wait(_LOOK_SECONDS):
                    return

        thread = threading.Thread(target=go_on, name="backups", daemon=True)
        thread.start()
        try:
            yield
        finally:
            ends.set()
            thread.join()
            self.make_due(at_once=True)

    def make_due(self, *, at_once: bool = False) -> None:
        """Make the copies that are due. What keeps one from being made is said by `problem` and in the log; nothing is raised.
        ``at_once``: whatever was recorded since the last one is copied."""
        with suppress(LedgerError):
            recorded = self._recorded()
            missing = recorded is not None and (self._kept.here != recorded.mark or self._missing_there(recorded))
            if missing and (at_once or abs(self._now() - self._tried) >= EVERY_SECONDS):
                try:
                    self.make()
                except Unreachable as error:
                    _log.warning("%s", error)

    def make(self) -> Path | None:
        """Make a copy now, in both places; the last one made, None where nothing was played yet. Raises Unreachable: one was not
        made."""
        with self._lock:
            self._tried = self._now()
            made, failed = None, None
            if (recorded := self._recorded_or_refused()) is not None:
                try:
                    made = self._copy_beside(recorded)
                    self._keep(replace(self._kept, here=recorded.mark))
                except (LedgerError, OSError) as error:  # the stick is worth the more where this machine's disk is full or dies
                    failed = self._refusal(error, "here")
                if (there := self.chosen) is not None:
                    try:
                        made = self._copy_there(made, there, recorded)
                        self._keep(replace(self._kept, place=str(there), there=recorded.mark, made=self._now()))
                    except (LedgerError, OSError, _NotThere) as error:
                        gone = isinstance(error, _NotThere) or not os.path.isdir(there.parent)
                        why = "gone" if gone else _WHY.get(getattr(error, "errno", None), "")
                        failed = failed or self._refusal(error, why)
            if failed is not None:
                raise failed
            self.problem, self.why = None, ""
            return made

    def _recorded_or_refused(self) -> Recorded | None:
        try:
            return self._recorded()
        except LedgerError as error:
            raise self._refusal(error, "here") from error

    def _refusal(self, error: Exception, why: Why) -> Unreachable:
        """Remember this problem; the error that tells of it."""
        self.problem, self.why = str(error), why
        said = Unreachable(f"no copy of the evenings was made: {error}", why)
        said.__cause__ = error
        return said

    def begin_again(self) -> None:
        """What was erased for good, or somebody who was forgotten, is to stand in no copy: those beside the ledger and on the
        chosen stick, if it is plugged in, go, but for those of other ledgers, and one without it is made. What keeps it from
        being made is said by `problem`. Raises LedgerError."""
        own = ("", identity(self._ledger))
        with self._lock:
            older = [copy.path for copy in copies.put_aside(self._file)]
            older += [path.with_name(f"{path.name}-wal") for path in older]  # of one that was damaged
            here = [path for path in copies.nights(self.beside) if copies.owner(path) in (None, *own)]
            there = [path for path in copies.nights(self.chosen) if copies.owner(path) in own]
            for path in (*older, *here, *there):
                with suppress(OSError):
                    path.unlink()
        with suppress(Unreachable):
            self.make()

    def _copy_beside(self, recorded: Recorded) -> Path:
        self.beside.mkdir(parents=True, exist_ok=True)
        target = copies.target(self.beside, night_of(recorded.at), self._ledger)
        with written_whole(target) as scratch:
            self._ledger.copy_to(scratch)
            on_the_disk(scratch)
        copies.prune(self.beside, target, self._ledger)
        copies.prune_aside(self._file, self._ledger)
        return target

    def _copy_there(self, made: Path | None, folder: Path, recorded: Recorded) -> Path:
        """``made``: the copy beside the ledger; None where there is none: then it is made afresh."""
        if not self._is_mounted(folder):
            raise _NotThere(f"{folder.parent if self.fixed is None else folder}: is not plugged in")
        folder.mkdir(exist_ok=True)
        target = copies.target(folder, night_of(recorded.at), self._ledger)
        with written_whole(target) as scratch:
            if made is None:
                self._ledger.copy_to(scratch)
            else:
                shutil.copyfile(made, scratch)
            on_the_disk(scratch)
            if made is not None and scratch.read_bytes() != made.read_bytes():
                raise LedgerError(f"{folder}: what was written there reads differently: take another stick")
        on_the_disk(folder)
        for deck in self._decks.glob("*.deck"):
            copied, data = copies.decks_of(folder, identity(self._ledger)) / deck.name, deck.read_bytes()
            if not copied.exists() or copied.read_bytes() != data:
                copied.parent.mkdir(exist_ok=True)
                write_whole(copied, data)
                kept_on_the_disk(copied)
        copies.prune(folder, target, self._ledger)
        return target

    def _is_mounted(self, folder: Path) -> bool:
        """Whether what the folder of copies is to lie on is there: or the empty folder would take them, on which a stick is
        mounted."""
        if not os.path.isdir(folder.parent):  # a Path's own question raises what a dying stick answers
            return False
        if self.fixed is None:
            return folder.parent in self._sticks()
        whole = Path(os.path.realpath(folder))
        return not str(whole).startswith(_REMOVABLE) or any(whole.is_relative_to(stick) for stick in self._sticks())

    def _missing_there(self, recorded: Recorded) -> bool:
        if (there := self.chosen) is None:
            return False
        if not self._known_there() or self._kept.there != recorded.mark:
            return True
        return self._is_mounted(there) and not copies.nights(there)  # another stick of the same name, or an emptied one

    def _recorded(self) -> Recorded | None:
        """How much the ledger has recorded; None for one without a game. Raises LedgerError."""
        with self._ledger.reading() as connection:
            games, versions, at, since = connection.execute(_NEWEST).fetchone()
        return Recorded(f"{games}.{versions or 0}", at or since, since) if games else None

    # What is remembered

    def _read(self) -> CopiesMade:
        try:
            kept = msgspec.json.decode(read_bounded(self._state_file, _MAX_STATE_BYTES), type=CopiesMade)
            return kept if kept.place else replace(kept, place=kept.folder)  # of a program that did not write it down
        except (OSError, msgspec.MsgspecError, UnicodeDecodeError):
            return CopiesMade()

    def _keep(self, kept: CopiesMade) -> None:
        self._kept = kept
        with suppress(OSError):  # a full disk: the copies are there all the same
            write_whole(self._state_file, msgspec.json.encode(kept))
