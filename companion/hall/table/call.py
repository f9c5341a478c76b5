"""A table's call of the referee: made on its phone, open until the hall's organisers have dealt with it, or it is withdrawn."""

from __future__ import annotations

import secrets
import threading


class Call:
    """The call of one table. Any thread may ask.

    Attributes:
        token: identifies the open call, another one for each call; "" for none. heard: whether the hall has received it.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.token, self.heard = "", False

    def make(self) -> None:
        """Call, unless a call is open."""
        with self._lock:
            if not self.token:
                self.token, self.heard = secrets.token_hex(8), False

    def withdraw(self) -> None:
        """Withdraw the open call, if any."""
        with self._lock:
            self.token, self.heard = "", False

    def acknowledge(self, token: str, still: bool) -> None:
        """Take in the hall's answer to the call ``token``. ``still``: the call is open in the hall; where it is not, it was dealt
        with."""
        with self._lock:
            if token and token == self.token:
                self.token, self.heard = (token, True) if still else ("", False)
