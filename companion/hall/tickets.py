"""What a table is known by: a token that says for which table it was made, and when, signed with a key of the hall.

The hall keeps a digest of each. One that it has no digest of, as its database was put back to what it was before the table
joined, is known by the signature all the same.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import secrets

import msgspec
from msgspec import Struct

from companion.hall.database import Database

_NAME = "tables"
"""Name of the key among the hall's secrets."""


class Ticket(Struct, frozen=True, array_like=True):
    """The ``ledger``'s UUID; what the table is called; when it joined: Unix time of the hall, ms, later than of all that
    had joined before."""

    ledger: str
    name: str
    joined: int


class Tickets:
    """Signs with the key in this database, which is made once and is in every copy. Any thread may ask. Raises HallDown."""

    def __init__(self, database: Database) -> None:
        with database.organiser() as connection:
            connection.execute("INSERT INTO secret (name, value) VALUES (%s, %s) ON CONFLICT DO NOTHING",
                               (_NAME, secrets.token_bytes(32)))  # fmt: skip
            row = connection.execute("SELECT value FROM secret WHERE name = %s", (_NAME,)).fetchone()
        assert row is not None
        self._key = bytes(row[0])

    def token(self, ticket: Ticket) -> str:
        """As a table sends it."""
        said = msgspec.json.encode(ticket)
        return f"{_text(said)}.{_text(self._signature(said))}"

    def read(self, token: str) -> Ticket | None:
        """What a token of this hall says; None where it is none."""
        first, _, second = token.partition(".")
        try:
            said, signature = _bytes(first), _bytes(second)
            if not hmac.compare_digest(signature, self._signature(said)):
                return None
            return msgspec.json.decode(said, type=Ticket)
        except (binascii.Error, ValueError, msgspec.DecodeError):
            return None

    def _signature(self, said: bytes) -> bytes:
        return hmac.new(self._key, said, hashlib.sha256).digest()


def _text(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def _bytes(text: str) -> bytes:
    return base64.urlsafe_b64decode(text.encode("ascii") + b"=" * (-len(text) % 4))
