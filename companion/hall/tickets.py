"""The tokens by which a hall knows its tables: each says for which table it was made, and when, and is signed with the hall's
key.

The hall keeps a digest of each token. Where its database was restored from a copy that is older than a token, the digest is
missing, and the signature still proves the token.
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
    """What a token says: the ``ledger``'s UUID; the ``name`` of the table; when it ``joined``: Unix time of the hall,
    milliseconds, made larger than that of every table that joined before."""

    ledger: str
    name: str
    joined: int


class Tickets:
    """Makes and checks tokens with the signing key of this database, which is made once and is part of every copy. Any thread may
    ask. Raises HallDown."""

    def __init__(self, database: Database) -> None:
        with database.organiser() as connection:
            connection.execute("INSERT INTO secret (name, value) VALUES (%s, %s) ON CONFLICT DO NOTHING",
                               (_NAME, secrets.token_bytes(32)))  # fmt: skip
            row = connection.execute("SELECT value FROM secret WHERE name = %s", (_NAME,)).fetchone()
        assert row is not None
        self._key = bytes(row[0])

    def token(self, ticket: Ticket) -> str:
        """The token for this ticket, signed, as the table sends it."""
        said = msgspec.json.encode(ticket)
        return f"{_text(said)}.{_text(self._signature(said))}"

    def read(self, token: str) -> Ticket | None:
        """What a token says; None where this hall has not signed it."""
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
