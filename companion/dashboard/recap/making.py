"""Recaps on the disk, and the one being made: in the background, at the lowest priority, and never while a hand is played.

A file appears when it is whole (`companion.files`). What a program that was killed has left half made is removed when the next
one starts.
"""

from __future__ import annotations

import errno
import logging
import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Literal

import msgspec
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from companion.dashboard.recap.drawing import HEIGHT, WIDTH
from companion.dashboard.recap.writing import MP4, WEBM, Form, Unwritten, form, write
from companion.files import read_bounded, write_whole, written_whole
from companion.table.errors import CompanionError
from companion.table.language import Lang

_log = logging.getLogger(__name__)

MOST_BYTES = 64_000_000
"""Greatest size of a file that is handed out: many times that of any recap."""
_MOST_ABOUT = 10_000
LOOK_SECONDS = 0.5
"""Seconds between two looks whether the hand is over."""
STOP_SECONDS = 5.0
"""Seconds for which a new recap waits, at most, until one that was stopped has ended."""
FRAMES_A_LOOK = 12
"""Number of pictures after which it is looked whether a hand has begun."""
NICE = 19
"""The lowest priority that there is."""

State = Literal["none", "waiting", "making", "made", "failed"]
Why = Literal["", "disk", "nothing", "broken"]


class Made(Struct, frozen=True):
    """What is known of a finished recap: the ``game``, its ``version``, the language, whether sums of ``money`` and
    a ``film`` of the table are in it; its file's name and its size in bytes; how long it is in ``seconds``. ``stands``: the
    games from which it goes on, as they stood (`companion.line.chains.Stands`)."""

    game: int
    version: int
    lang: Lang
    money: bool
    film: bool
    file: str
    size: int
    seconds: float
    stands: tuple[tuple[int, int], ...] = ()

    @property
    def form(self) -> Form:
        return MP4 if self.file.endswith(MP4.suffix) else WEBM


class Work(Struct, frozen=True):
    """What is to be made. ``frames``: gives for a number of pictures a second how many there are, and the pictures;
    ``stands``: as of `Made`."""

    game: int
    version: int
    lang: Lang
    money: bool
    film: bool
    seconds: float
    frames: Callable[[int], tuple[int, Iterator[NDArray[np.uint8]]]]
    stands: tuple[tuple[int, int], ...] = ()


class Progress(Struct, frozen=True):
    """How it stands with a game's recap. ``share``: of the work, 0 to 1; ``why``: it failed: the ``disk`` is full, there is
    ``nothing`` to show, or it is ``broken`` otherwise."""

    state: State
    share: float = 0.0
    why: Why = ""


class Wish(Struct, frozen=True):
    """What was asked for: whether sums of ``money`` and a ``film`` of the table are to be in it, and the phone's name, as it was
    given."""

    money: bool = False
    film: bool = False
    by: str = ""


class Recaps:
    """The recaps of one ledger, in a folder beside it. Any thread may ask."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lock = threading.Lock()
        self._ended = threading.Event()
        self._thread: threading.Thread | None = None
        self._game = self._making = 0
        self._erased = False
        self._wish = Wish()
        self._now = Progress("none")
        for scratch in folder.glob(".*"):
            with suppress(OSError):
                scratch.unlink()

    def begin(
        self, game: int, work: Callable[[], Work | None], playing: Callable[[], bool], wish: Wish | None = None
    ) -> bool:
        """Begin to make a game's recap, unless one is being made: then False. ``work``: says what is to be made, None where there
        is nothing; ``playing``: whether a hand is played. Both are called in the background. The recap that there is stays until
        the new one is whole."""
        if self.busy is None:
            self.wait(STOP_SECONDS)  # one that was stopped is a dozen pictures from its end
        with self._lock:
            if self._thread is not None and self._thread.is_alive():
                return False
            self._game = self._making = game
            self._erased, self._wish, self._now = False, wish or Wish(), Progress("waiting")
            self._thread = threading.Thread(target=self._make, args=(game, work, playing), name="recap", daemon=True)
            self._thread.start()
            return True

    def progress(self, game: int) -> Progress:
        """How it stands with this game's recap."""
        with self._lock:
            if game == self._game and self._now.state not in ("none", "made"):
                return self._now
        return Progress("made", 1.0) if self.made(game) is not None else Progress("none")

    @property
    def busy(self) -> int | None:
        """The game whose recap is being made; None for none."""
        with self._lock:
            return self._game if self._now.state in ("waiting", "making") else None

    @property
    def wish(self) -> Wish:
        """What was asked for of the recap that is being made, or was made last."""
        with self._lock:
            return self._wish

    def made(self, game: int) -> Made | None:
        """The finished recap of a game; None for none."""
        try:
            found = msgspec.json.decode(read_bounded(self._about(game), _MOST_ABOUT), type=Made)
        except (OSError, msgspec.MsgspecError):
            return None
        return found if found.game == game and (self._folder / found.file).is_file() else None

    def read(self, made: Made) -> bytes:
        """Its file's bytes. Raises OSError."""
        return read_bounded(self._folder / made.file, MOST_BYTES)

    def stop(self, game: int) -> None:
        """Make the recap of this game no further. The one of before stays."""
        with self._lock:
            self._stop(game)

    def erase(self, game: int) -> None:
        """Delete the recap of a game, and make none that is being made of it."""
        with self._lock:
            self._stop(game)
            self._erased = self._erased or self._making == game
            self._remove(game)

    def _stop(self, game: int) -> None:
        if self._game == game:
            self._game, self._now = 0, Progress("none")

    def _remove(self, game: int) -> None:
        for path in (self._about(game), *(self._folder / _name(game, one) for one in (MP4, WEBM))):
            path.unlink(missing_ok=True)

    def erase_all(self) -> None:
        """Delete all recaps: somebody's name is to be found nowhere any more."""
        for path in self._folder.glob("recap-*.json"):
            number = path.stem.removeprefix("recap-")
            if number.isdecimal():
                self.erase(int(number))
        self.erase(self._making)  # it may have no file yet

    def close(self) -> None:
        """Make nothing more: the program ends."""
        self._ended.set()
        if self._thread is not None:
            self._thread.join(timeout=10)

    def wait(self, seconds: float) -> bool:
        """Wait until nothing is being made any more, at most for ``seconds``; False where something still is."""
        thread = self._thread
        if thread is not None:
            thread.join(seconds)
        return thread is None or not thread.is_alive()

    def _about(self, game: int) -> Path:
        return self._folder / f"recap-{game}.json"

    def _make(self, game: int, work: Callable[[], Work | None], playing: Callable[[], bool]) -> None:
        with suppress(OSError, AttributeError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICE)  # of this thread, and of what it starts
        try:
            self._pause(game, playing, 0.0)
            wanted = work()
            self._say(game, Progress("failed", why="nothing") if wanted is None else self._written(wanted, playing))
        except _Stopped:
            if self._erased:
                self._remove(game)  # it was erased while its last bytes were written
        except Unwritten as error:
            self._failed(game, "disk" if error.full else "broken", error)
        except (OSError, CompanionError) as error:
            self._failed(game, "broken", error)
        except Exception as error:  # the page must not wait forever
            self._failed(game, "broken", error)
            raise

    def _failed(self, game: int, why: Why, error: Exception) -> None:
        _log.warning("the recap was not made: %s", error)
        with suppress(_Stopped):
            self._say(game, Progress("failed", why=why))

    def _written(self, wanted: Work, playing: Callable[[], bool]) -> Progress:
        kind = form()
        many, frames = wanted.frames(kind.fps)
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            file = self._folder / _name(wanted.game, kind)
            with written_whole(file) as scratch:
                write(scratch, self._watched(wanted.game, frames, many, playing), (WIDTH, HEIGHT), kind)
                size = scratch.stat().st_size
                self._say(wanted.game, Progress("making", 1.0))  # raises where it is not wanted any more
            known = Made(
                wanted.game, wanted.version, wanted.lang, wanted.money, wanted.film, file.name, size, wanted.seconds,
                wanted.stands,
            )  # fmt: skip
            write_whole(self._about(wanted.game), msgspec.json.encode(known))
        except OSError as error:
            raise Unwritten(str(error), full=error.errno == errno.ENOSPC) from error
        other = self._folder / _name(wanted.game, WEBM if kind is MP4 else MP4)
        other.unlink(missing_ok=True)
        return Progress("made", 1.0)

    def _watched(
        self, game: int, frames: Iterator[NDArray[np.uint8]], many: int, playing: Callable[[], bool]
    ) -> Iterator[NDArray[np.uint8]]:
        """The frames, none of them made while a hand is played."""
        for number, frame in enumerate(frames):
            if number % FRAMES_A_LOOK == 0:
                self._pause(game, playing, number / many)
            yield frame

    def _pause(self, game: int, playing: Callable[[], bool], share: float) -> None:
        """Wait while a hand is played. Raises _Stopped where the recap is not wanted any more."""
        while playing():
            self._say(game, Progress("waiting", share))
            if self._ended.wait(LOOK_SECONDS):
                raise _Stopped
        self._say(game, Progress("making", share))

    def _say(self, game: int, now: Progress) -> None:
        with self._lock:
            if self._ended.is_set() or game != self._game:
                raise _Stopped
            self._now = now


class _Stopped(Exception):
    """The program ends, or the recap was erased meanwhile."""


class Playing:
    """Whether a hand is played at the table. A hand that was left unfinished is none once nothing was heard of
    it for `QUIET_SECONDS`. ``look``: gives the game's version, and whether it is in mid-hand."""

    QUIET_SECONDS = 300.0

    def __init__(self, look: Callable[[], tuple[str, bool]], now: Callable[[], float] = time.monotonic) -> None:
        self._look, self._now = look, now
        self._seen: tuple[str, float] = "", now()

    def __call__(self) -> bool:
        version, in_hand = self._look()
        if version != self._seen[0]:
            self._seen = version, self._now()
        return in_hand and self._now() - self._seen[1] < self.QUIET_SECONDS


def _name(game: int, kind: Form) -> str:
    return f"recap-{game}{kind.suffix}"
