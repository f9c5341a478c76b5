"""A block that ends when the user, the system or a closed terminal stops the command."""

from __future__ import annotations

import os
import signal
import stat
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType

_AGAIN_SECONDS = 0.05
"""Seconds after which a block that has missed the signal is interrupted again."""


@contextmanager
def until_stopped() -> Iterator[None]:
    """A block that Ctrl-C, SIGTERM or the loss of the terminal (SIGHUP) ends quietly, also in a background job of a shell, where
    Ctrl-C would be ignored. A program begun with nohup outlives its terminal. While the block ends, further signals do not break
    off what it still writes: a shell and the system may both report the same closed terminal."""
    if threading.current_thread() is not threading.main_thread():  # only there signals are heard
        yield
        return
    stop = _Stop()
    try:
        yield
    except KeyboardInterrupt:
        pass
    finally:
        stop.restore()


class _Stop:
    """Raises KeyboardInterrupt in the main thread at the first signal. Python throws away what is raised while an object is being
    freed (in ``__del__``, in a weak reference's callback): then it is raised again, a moment later."""

    def __init__(self) -> None:
        self._ends = self._missed = False
        self._timer: tuple[float, float] | None = None
        self._unraisable = sys.unraisablehook
        signals = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
        heard = [one for one in signals if one != signal.SIGHUP or signal.getsignal(one) != signal.SIG_IGN]
        self._before = {number: signal.signal(number, self._raise) for number in heard}
        sys.unraisablehook = self._thrown_away

    def restore(self) -> None:
        """Let signals do what they did before."""
        sys.unraisablehook = self._unraisable
        if self._timer is not None:
            signal.setitimer(signal.ITIMER_REAL, *self._timer)
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def _raise(self, number: int, frame: FrameType | None) -> None:
        if number == signal.SIGHUP:
            _without_terminal()
        if not self._ends or self._missed:
            self._ends, self._missed = True, False
            raise KeyboardInterrupt

    def _thrown_away(self, told: sys.UnraisableHookArgs) -> None:
        if not issubclass(told.exc_type, KeyboardInterrupt):
            self._unraisable(told)
            return
        self._missed = True
        if self._timer is None:
            self._before[signal.SIGALRM] = signal.signal(signal.SIGALRM, self._raise)
            self._timer = signal.getitimer(signal.ITIMER_REAL)
        signal.setitimer(signal.ITIMER_REAL, _AGAIN_SECONDS)  # takes no lock, which the thread may hold already


def _without_terminal() -> None:
    """Send standard output and error to nowhere, as the terminal is gone, and writing to it would raise an error while the
    program ends."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for number in (1, 2):
        with suppress(OSError):
            if stat.S_ISCHR(os.fstat(number).st_mode):  # a terminal; once it is gone it says itself that it is none
                os.dup2(nowhere, number)
    os.close(nowhere)
