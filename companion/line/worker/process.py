"""The camera side as a process of its own: `python -m companion.line.worker.process FD [MODULE:EYES]`.

`process_worker` begins it, and sends it messages through the socket FD. It ends when that socket does. ``MODULE:EYES`` names what
makes the eyes; without it they are the trained ones.
"""

from __future__ import annotations

import ctypes
import importlib
import logging
import os
import resource
import signal
import socket
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from companion.decks.checked import read_deck
from companion.decks.lists import ListId
from companion.eyes.seeing import Look
from companion.line.corrections_learnt import CorrectionsLearnt
from companion.line.phone_camera import Frame, PhoneStatus
from companion.line.teaching.shelf import Shelf
from companion.line.worker.base import QUERIES, Queries
from companion.line.worker.glimpses import EyesOf
from companion.line.worker.messages import (
    Answer,
    Ask,
    Condition,
    Ended,
    Glimpsed,
    Job,
    LearntCorrections,
    PhoneFrame,
    Setting,
    WantFrame,
    Wire,
    encode,
    to_worker,
)
from companion.line.worker.thread_worker import ThreadWorker
from companion.table.errors import BadDeck

_log = logging.getLogger(__name__)

MAX_DATA_BYTES = 4 * 2**30
"""Bytes that the process may have for its data (RLIMIT_DATA), so that what grows by gigabytes in a moment hits a wall before
the machine does. What grows slowly is ended by `process_worker` long before."""
EXIT_STUMBLED = 3
"""Exit status after a failure that it could not handle."""
_PR_SET_PDEATHSIG = 1


class Post:
    """Sends the camera side's messages over the wire."""

    def __init__(self, wire: Wire) -> None:
        self._wire = wire

    def on_message(self, message: Condition | Glimpsed) -> None:
        """See `Listener`."""
        self._wire.send(message)

    def job(self) -> Job:
        """See `Listener`. The process that supervises knows how things stand, and tells the next one."""
        os._exit(EXIT_STUMBLED)


class RemotePhone:
    """A phone's pictures, which come over the wire one at a time, when they are asked for."""

    def __init__(self, wire: Wire) -> None:
        self._wire = wire
        self._came = threading.Condition()
        self._answer: PhoneFrame | None = None
        self._away = False

    def after(self, at: float, seconds: float) -> Frame | None:
        """See `companion.line.phone_source.Inbox`."""
        with self._came:
            self._answer = None
            self._wire.send(WantFrame(at))
            self._came.wait_for(lambda: self._answer is not None, seconds + 1.0)
            got = self._answer
        if got is None:
            return None
        self._away = got.away
        return Frame(got.at, got.jpeg) if got.jpeg is not None else None

    def status(self) -> PhoneStatus:
        """See `companion.line.phone_source.Inbox`; only ``away`` is known here."""
        return PhoneStatus(joined=False, sending=False, away=self._away, per_second=0.0)

    def put(self, frame: PhoneFrame) -> None:
        """Take in a picture that has come over the wire."""
        with self._came:
            self._answer = frame
            self._came.notify_all()


def answered(worker: Queries, ask: Ask) -> bytes | None:
    """The result of a query, encoded; None where it cannot be found out."""
    try:
        if ask.query not in QUERIES:
            raise ValueError(ask.query)
        return encode(getattr(worker, ask.query)(*ask.arguments))
    except Exception:  # noqa: BLE001  a page's question is no reason to stop looking
        _log.exception("the query %s was not answered", ask.query)
        return None


def _answer(wire: Wire, worker: Queries, ask: Ask) -> None:
    wire.send(Answer(ask.id, answered(worker, ask)))


def trained(setting: Setting, corrections: CorrectionsLearnt) -> EyesOf:
    """The trained eyes, with the decks of the setting."""
    from companion.line.trained import trained as eyes

    shelf = Shelf(Path(setting.decks), [(Path(name).stem, read_deck(Path(name))) for name in setting.given])

    def eyes_of(cards: ListId, deck: str) -> Look:
        found = shelf.deck(deck) if deck else None
        if found is not None and found.list != cards:
            raise BadDeck(f"{deck}: a deck of the list {found.list}, expected one of {cards}")
        return eyes(cards, [*([(deck, found)] if found is not None else []), *shelf.beside(cards)], corrections)

    return eyes_of


def run(wire: Wire, named: str | None) -> None:
    """Do what comes over the wire, until it ends."""
    message = wire.receive()
    assert message is not None
    setting = to_worker.decode(message)
    assert isinstance(setting, Setting), setting
    os.nice(setting.nice)
    corrections = CorrectionsLearnt()
    phone = RemotePhone(wire) if setting.phone else None
    if named is None:
        eyes_of = trained(setting, corrections)
    else:
        module, _, name = named.partition(":")
        eyes_of = getattr(importlib.import_module(module), name)
    worker = ThreadWorker(eyes_of, phone=phone, learn=corrections.replaced)
    worker.start(Post(wire))
    with ThreadPoolExecutor(2, "queries") as queries:
        while (message := wire.receive()) is not None:
            match to_worker.decode(message):
                case Job() as job:
                    worker.do(job)
                case LearntCorrections(kept=kept):
                    worker.learn(kept)
                case PhoneFrame() as frame if phone is not None:
                    phone.put(frame)
                case Ask() as ask:
                    queries.submit(_answer, wire, worker, ask)


def main() -> None:
    """Run until the process that began this is gone."""
    # Ctrl-C, a closed terminal, a service that is stopped: sent to all, and meant for the process that began this.
    for number in (signal.SIGINT, signal.SIGHUP, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)  # also while a driver does not come back
    resource.setrlimit(resource.RLIMIT_DATA, (MAX_DATA_BYTES, MAX_DATA_BYTES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # a picture of the table lies in no file
    logging.basicConfig(level=logging.WARNING, format="camera side: %(message)s")
    wire = Wire(socket.socket(fileno=int(sys.argv[1])))
    try:
        run(wire, sys.argv[2] if len(sys.argv) > 2 else None)
    except Ended:
        pass
    finally:
        os._exit(0)  # a thread may hang in a driver


if __name__ == "__main__":
    main()
