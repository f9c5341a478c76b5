"""How a command ends that runs until somebody stops it: in order and to the end, by whatever signal."""

from __future__ import annotations

import os
import signal
import stat
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType


@contextmanager
def until_stopped() -> Iterator[None]:
    """A block that Ctrl-C, SIGTERM or a terminal that is gone (SIGHUP) ends quietly, also as a background job of a shell, where
    Ctrl-C would be ignored; a program begun with nohup outlives its terminal. While it ends, no second signal breaks off what it
    has still to write: a shell and the system may both tell of the same closed terminal."""

    ends = False

    def stop(number: int, frame: FrameType | None) -> None:
        nonlocal ends
        if number == signal.SIGHUP:
            _without_terminal()
        if not ends:
            ends = True
            raise KeyboardInterrupt

    signals = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP) if threading.current_thread() is threading.main_thread() else ()
    heard = [one for one in signals if one != signal.SIGHUP or signal.getsignal(one) != signal.SIG_IGN]
    before = {number: signal.signal(number, stop) for number in heard}
    try:
        yield
    except KeyboardInterrupt:
        pass
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _without_terminal() -> None:
    """What would be written to a terminal that is gone is written nowhere: it would be an error, in the middle of the end."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for number in (1, 2):
        with suppress(OSError):
            if stat.S_ISCHR(os.fstat(number).st_mode):  # a terminal; once it is gone it says itself that it is none
                os.dup2(nowhere, number)
    os.close(nowhere)
