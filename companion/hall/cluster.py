"""The hall's own PostgreSQL: a cluster in a folder, made at the first start, and reached only by a socket in that folder.

PostgreSQL refuses to run as root. Where this program does, the cluster belongs to an ordinary user: Debian's `postgres`, else
`nobody`.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import logging
import os
import pwd
import shutil
import subprocess  # nosec B404 # begun with a list of words
import threading
import time
from collections.abc import Iterator
from pathlib import Path

from companion.hall.table.membership import HallError
from companion.ledger.opening import Owner
from companion.table.errors import LedgerError

SERVED = "hall"
"""Name of the database."""
OWNER, TAKING, VIEWING, ORGANISER = "hall_owner", "hall_taking", "hall_viewing", "hall_organiser"
"""The database's roles: the owner of its tables; one to take in what tables send; one to serve spectators; one to act for
organisers."""
MAX_SOCKET_BYTES = 100
"""Bytes that the path of a socket may have: the system allows 107."""
_VERSIONS = Path("/usr/lib/postgresql")
"""Where Debian keeps programs that are not on the path."""
_USERS = ("postgres", "nobody")
_FOR_ROOT = Path("/var/lib/companion/hall")
"""The folder of root's hall: PostgreSQL runs as another user, who may not enter root's home."""
_LOOK_SECONDS = 0.2
"""Seconds between two looks whether a copy has been completed from its journal."""
_log = logging.getLogger(__name__)

_SETTINGS = """
# Written by companion hall when it made this cluster.
listen_addresses = ''
unix_socket_permissions = 0700
max_connections = 200
shared_buffers = 64MB
log_min_messages = warning
"""
_SYNCED = "recovery_init_sync_method = syncfs\n"
"""After a kill PostgreSQL puts every file of the cluster on the disk before it answers: one call for all of them instead of one
for each, seconds less. From PostgreSQL 14 on."""
_WHO = f"local all all trust\nlocal replication {OWNER} trust\n"
"""The text of `pg_hba.conf`. Anybody who reaches the socket may connect, as only its owner may enter its folder; only the owner
may receive the journal, as pg_receivewal does."""


class Cluster:
    """The cluster in ``folder``, running from `start` on. Any thread may ask.

    Attributes:
        socket: the folder that holds its socket; clients give it as the host.
    """

    def __init__(self, folder: Path) -> None:
        """Raises HallError where PostgreSQL is missing, or cannot use ``folder``."""
        self.folder = folder.absolute()
        self._data = self.folder / "postgresql"
        self._user = _other_user()
        self._bin = _programs()
        self._lock = threading.Lock()
        self._stopped = False
        socket = self.folder / "socket"
        if len(bytes(socket)) > MAX_SOCKET_BYTES - len("/.s.PGSQL.5432"):
            mark = hashlib.sha256(bytes(self.folder)).hexdigest()[:16]
            socket = Path("/tmp") / f"companion-hall-{mark}"  # nosec B108 # its owner is looked at below
        self.socket = socket

    def owned(self, instead: str = "stop that one, or choose another with --folder") -> Owner:
        """The right to serve this hall, or to put a copy in its place, for one program at a time. Raises HallError where another
        one has it, with what to do ``instead``, or where the folder cannot be written."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            return Owner(self.folder / "hall", lambda by, url: f"{self._runs_already(by, url)}: {instead}")
        except OSError as error:
            raise self._not_made(error) from error
        except LedgerError as error:
            raise HallError(str(error)) from error

    def start(self) -> None:
        """Make the cluster where there is none yet, and start it where it does not run. Raises HallError."""
        with self._lock:
            self._stopped = False
            self._make()
            self._start()

    def revive(self) -> None:
        """Start the cluster again where it has ended by itself. Raises HallError."""
        with self._lock:
            if not self._stopped:
                self._start()

    def stop(self) -> None:
        """Stop the cluster; what was committed is on the disk. Stopping twice is fine."""
        with self._lock:
            self._stopped = True
            if self._runs():
                self._run("pg_ctl", "stop", "-w", "-m", "fast", "-D", str(self._data), must=False)

    @property
    def exists(self) -> bool:
        """Whether the cluster has been made."""
        return (self._data / "PG_VERSION").exists()

    @property
    def runs(self) -> bool:
        """Whether the cluster runs, no matter which program has started it."""
        return self.exists and self._runs()

    def run(self, program: str, *arguments: str, given: bytes = b"") -> bytes:
        """Run one of PostgreSQL's programs, such as pg_dump, as the cluster's owner, and return its standard output. ``given``:
        its standard input. Raises HallError."""
        return self._run(program, "-h", str(self.socket), "-U", OWNER, *arguments, given=given).stdout

    def _make(self) -> None:
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            for folder in (self._data, self.socket):
                folder.mkdir(mode=0o700, exist_ok=True)
                if self._user is not None and folder.stat().st_uid == 0:
                    os.chown(folder, self._user.pw_uid, self._user.pw_gid)
                if folder.stat().st_uid != (self._user.pw_uid if self._user is not None else os.geteuid()):
                    raise HallError(f"{folder}: belongs to another user: choose another folder with --folder")
                folder.chmod(0o700)
        except OSError as error:
            raise self._not_made(error) from error
        self._check_way()
        if not (self._data / "PG_VERSION").exists():
            self._run("initdb", "-D", str(self._data), "-U", OWNER, "-E", "UTF8", "--locale=C", "--auth=trust",
                      "--data-checksums",
                      "--no-instructions")  # fmt: skip
        major = (self._data / "PG_VERSION").read_text().partition(".")[0].strip()
        synced = _SYNCED if _number(major) >= 14 else ""
        self._write("postgresql.conf", _SETTINGS + synced + f"unix_socket_directories = '{self.socket}'\n")
        self._write("pg_hba.conf", _WHO)

    def _not_made(self, error: OSError) -> HallError:
        why = f"the hall's folder cannot be made ({error.strerror})"
        return HallError(f"{self.folder}: {why}: choose another with --folder")

    def _runs_already(self, by: str, url: str) -> str:
        """The refusal of a second program on this folder. ``by``: the first one, as "process 123"; ``url``: its address. Each is
        "" where it is not known."""
        where = (f", at {url}" if url else "") + (f" ({by})" if by else "")
        return f"{self.folder}: a hall runs on this folder already{where}"

    def _check_way(self) -> None:
        """Raises HallError where the cluster's user may not enter a folder on the way to it."""
        if self._user is not None and (folder := _closed_to(self._user, self._data)) is not None:
            why = f"PostgreSQL refuses to run as root, and its user {self._user.pw_name} may not enter this folder"
            raise HallError(f"{folder}: {why}: run companion hall as an ordinary user, or choose a folder such as"
                            f" {_FOR_ROOT} with --folder")  # fmt: skip

    def _write(self, name: str, text: str) -> None:
        path = self._data / name
        if not path.exists() or path.read_text("utf-8") != text:
            path.write_text(text, "utf-8")
            if self._user is not None:
                os.chown(path, self._user.pw_uid, self._user.pw_gid)

    def _runs(self) -> bool:
        return self._run("pg_ctl", "status", "-D", str(self._data), must=False).returncode == 0

    @contextlib.contextmanager
    def _alone(self) -> Iterator[None]:
        """Let one process at a time into the block: all processes of a hall notice at the same moment that its database has
        ended, and only one may start it again."""
        with (self.folder / "starting").open("w") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            yield

    def _start(self) -> None:
        if self._runs():
            return
        with self._alone():
            if not self._runs():
                self._begin()

    def _begin(self) -> None:
        restores = (self._data / "recovery.signal").exists()
        self._run("pg_ctl", "start", "-w", "-t", "60", "-D", str(self._data), "-l", str(self._data / "server.log"))
        while restores and self._runs() and b"in production" not in self._run("pg_controldata", "-D", str(self._data)).stdout:
            time.sleep(_LOOK_SECONDS)  # until then nothing can be written

    def _run(self, program: str, *arguments: str, must: bool = True, given: bytes = b"") -> subprocess.CompletedProcess[bytes]:
        path = self._bin / program
        if not path.exists():
            raise HallError(f"{path} is missing: {_mend()}")
        user, group = (self._user.pw_uid, self._user.pw_gid) if self._user is not None else (None, None)
        others = () if self._user is not None else None
        out = subprocess.DEVNULL if "start" in arguments else subprocess.PIPE  # a server would hold a pipe open
        environment = {**os.environ, "LC_ALL": "C", "HOME": str(self._data), "PGDATABASE": SERVED}
        done = subprocess.run([str(path), *arguments], check=False, input=given, stdout=out, stderr=out, env=environment,
                              cwd=self._data, user=user, group=group, extra_groups=others)  # fmt: skip
        if must and done.returncode:
            raise HallError(f"{self.folder}: PostgreSQL's {program} failed: {self._why(done)}")
        return done

    def _why(self, done: subprocess.CompletedProcess[bytes]) -> str:
        said = (done.stderr or b"").decode(errors="replace")
        if not said and (log := self._data / "server.log").exists():
            said = log.read_text("utf-8", "replace")
        return " ".join(said.split())[-400:] or f"status {done.returncode}"


def _other_user() -> pwd.struct_passwd | None:
    """The user who owns the cluster where this program runs as root, which PostgreSQL refuses; None where it does not."""
    if os.geteuid() != 0:
        return None
    for name in _USERS:
        try:
            return pwd.getpwnam(name)
        except KeyError:
            continue
    raise HallError("PostgreSQL refuses to run as root, and there is no ordinary user: run companion hall as one")


def _programs() -> Path:
    """The folder of PostgreSQL's programs, the newest version's."""
    found = sorted((path.parent for path in _VERSIONS.glob("*/bin/initdb")), key=lambda path: _number(path.parent.name))
    if found:
        return found[-1]
    if (path := shutil.which("initdb")) is not None:
        return Path(path).resolve().parent
    raise HallError(f"PostgreSQL is missing: {_mend()}")


def _number(version: str) -> int:
    return int(version) if version.isdecimal() else 0


def _mend() -> str:
    return "sudo apt install postgresql"


def installed() -> bool:
    """Whether PostgreSQL is installed."""
    try:
        _programs()
    except HallError:
        return False
    return True


def default_folder(data: Path) -> Path:
    """The folder of a hall where no option names one: ``data``, the user's folder for it; but where PostgreSQL's user may not
    enter it, a folder below /var/lib."""
    user, usual = _other_user(), data / "hall"
    if user is None or _closed_to(user, usual) is None:
        return usual
    if data == Path.home() / ".local" / "share" / "companion":
        return _FOR_ROOT
    return _FOR_ROOT.with_name(f"hall-{hashlib.sha256(bytes(data)).hexdigest()[:8]}")


def _closed_to(user: pwd.struct_passwd, path: Path) -> Path | None:
    """The first folder on the way to ``path`` that this user may not enter; None where there is none."""
    for folder in reversed(path.absolute().parents):
        if folder.exists():
            found = folder.stat()
            if not found.st_mode & (0o100 if found.st_uid == user.pw_uid else 0o001):
                return folder
    return None
