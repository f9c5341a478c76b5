"""The thread that sends what a ledger records to a hall. While the hall cannot be reached the table plays on, and all rows follow
in order once it can."""

from __future__ import annotations

import logging
import threading
import time
from dataclasses import dataclass
from typing import Literal

from companion.hall.table.exchange import Desk, Exchange
from companion.hall.table.link import Away, HallRefused, Link
from companion.hall.table.membership import Membership
from companion.ledger import Ledger
from companion.table.errors import LedgerError

RETRY_SECONDS = (0.2, 0.5, 1.0, 2.0)
"""Seconds until a hall that is away is asked again: the first time, the second, … and from then on."""
MAX_AGAIN_SECONDS = 5.0
_log = logging.getLogger(__name__)

State = Literal["connecting", "joined", "away", "refused"]


@dataclass(frozen=True)
class ConnectionState:
    """The state of the connection to the hall, and ``since`` when (Unix time, seconds). ``name``: what the hall calls the table;
    ``why``: the last reason, where the hall does not answer or refuses; ``left``: number of rows that the hall has not got yet,
    as far as known; ``skew_s``: seconds by which the table's clock is ahead of the hall's."""

    state: State
    since: float
    name: str
    why: str = ""
    left: int = 0
    skew_s: float = 0.0


class Sender:
    """Sends in a thread of its own, from when it is made until `close`."""

    def __init__(self, ledger: Ledger, desk: Desk, membership: Membership) -> None:
        self._ledger, self._desk, self._member = ledger, desk, membership
        self._link = Link(membership.url, membership.key)
        self._closed = threading.Event()
        self._exchange = Exchange(ledger, desk, membership, self._link, closed=self._closed.is_set)
        self.standing = ConnectionState("connecting", time.time(), membership.name)
        self._thread = threading.Thread(target=self._run, name="hall", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """End the thread. Closing twice is fine."""
        self._closed.set()
        self._thread.join(10)
        self._link.close()

    def _run(self) -> None:
        failed = 0
        while not self._closed.is_set():
            try:
                again = self._exchange.step()
                self._stands("joined")
                failed = 0
                if again:
                    self._ledger.wait_until(self._has_news, min(again, MAX_AGAIN_SECONDS))
            except HallRefused as refused:
                if self._exchange.greets_again(refused.error):
                    self._closed.wait(RETRY_SECONDS[0])
                    continue
                self._stands("refused", refused.message)
                _log.warning("the hall refuses this table: %s", refused.message)
                return
            except (Away, LedgerError) as error:
                self._exchange.forget()
                self._stands("away", str(error))
                self._closed.wait(RETRY_SECONDS[min(failed, len(RETRY_SECONDS) - 1)])
                failed += 1
            except Exception as error:  # noqa: BLE001 (with a thread that has ended the table would pass for joined)
                _log.exception("what is sent to the hall has failed, and is tried again")
                self._exchange.forget()
                self._stands("away", str(error))
                self._closed.wait(RETRY_SECONDS[-1])

    def _stands(self, state: State, why: str = "") -> None:
        was, exchange = self.standing, self._exchange
        since = was.since if was.state == state else time.time()
        self.standing = ConnectionState(state, since, self._member.name, why, exchange.left, exchange.skew_s)

    def _has_news(self) -> bool:
        return self._closed.is_set() or self._desk.mark() != self._exchange.mark
