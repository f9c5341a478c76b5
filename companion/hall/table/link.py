"""One HTTP connection to a hall: kept open, made again when it breaks. Over HTTPS the hall's public key is pinned."""

from __future__ import annotations

import hashlib
import http.client
import ssl
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TypeVar
from urllib.parse import urlsplit

import msgspec
from cryptography import x509
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from companion import __version__
from companion.hall.messages import WHY, Pair, Paired
from companion.hall.table.membership import NO_HALL, REFUSED, HallError, Membership, key_letters, parts_of

TIMEOUT_SECONDS = 5.0
"""Seconds without a byte from the hall, after which it counts as away."""
MAX_ANSWER_BYTES = 4 << 20
SAID_IN = "en"
"""The language of a hall's refusals: the one that messages are written in, so that the table can translate them for each page."""
Asked = TypeVar("Asked")


class Away(Exception):
    """The hall does not answer, or asks to be tried again later."""


class HallRefused(Exception):
    """The hall refuses a request. ``status``: of HTTP; ``error``: its code, such as ``unknown_table``; ``message``: for people,
    in English, for gettext."""

    def __init__(self, status: int, error: str, message: str) -> None:
        super().__init__(message)
        self.status, self.error, self.message = status, error, message


class _Refusal(msgspec.Struct):
    error: str
    message: str


class Link:
    """A connection to the hall at ``url``. ``key``: SHA-256 of its public key, hexadecimal or, with ``letters``, the first
    letters that stand for it; "": the system must trust its certificate. For one thread."""

    def __init__(self, url: str, key: str = "", *, letters: bool = False) -> None:
        self._parts, self._wanted, self._letters = urlsplit(url), key, letters
        self._open: http.client.HTTPConnection | None = None
        self.key = ""

    def ask(self, path: str, body: object, kind: type[Asked], token: str = "") -> Asked:  # nosec B107 # none
        """Post ``body`` as JSON to this path of the hall, and return its answer. Raises Away; HallRefused."""
        headers = {"Content-Type": "application/json", "User-Agent": f"companion/{__version__}"}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        try:
            opened = self._connected()
            opened.request("POST", f"{path}?lang={SAID_IN}", msgspec.json.encode(body), headers)
            response = opened.getresponse()
            said = response.read(MAX_ANSWER_BYTES)
        except (OSError, http.client.HTTPException) as error:
            self.close()
            raise Away(str(error) or type(error).__name__) from error
        try:
            if response.status == 200:
                return msgspec.json.decode(said, type=kind)
            refusal = msgspec.json.decode(said, type=_Refusal)
        except msgspec.DecodeError:
            self.close()
            raise Away(f"no answer of a hall (status {response.status})") from None
        if response.status >= 500 or response.status in (408, 429):
            raise Away(refusal.message)
        raise HallRefused(response.status, refusal.error, WHY.get(refusal.error, refusal.message))

    def close(self) -> None:
        """Hang up. A later `ask` connects again."""
        if self._open is not None:
            with suppress(OSError):
                self._open.close()
            self._open = None

    def _connected(self) -> http.client.HTTPConnection:
        if self._open is not None:
            return self._open
        host = self._parts.hostname or ""
        if self._parts.scheme == "http":
            self._open = http.client.HTTPConnection(host, self._parts.port, timeout=TIMEOUT_SECONDS)
            return self._open
        context = ssl.create_default_context()
        if self._wanted:  # the key is what is trusted, whatever the certificate says
            context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        opened = http.client.HTTPSConnection(host, self._parts.port, timeout=TIMEOUT_SECONDS, context=context)
        opened.connect()
        certificate = opened.sock.getpeercert(binary_form=True)
        self.key = key_of(certificate) if certificate else ""
        told = key_letters(self.key, len(self._wanted)) if self._letters and self.key else self.key
        if self._wanted and told != self._wanted:
            opened.close()
            why = "code_of_another" if self._letters else "key"  # letters were typed: one of them may be wrong
            raise HallRefused(0, why, WHY[why])
        self._open = opened
        return opened


def key_of(certificate: bytes) -> str:
    """SHA-256 of the public key in a certificate (DER), hexadecimal."""
    public = x509.load_der_x509_certificate(certificate).public_key()
    return hashlib.sha256(public.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)).hexdigest()


def key_of_pem(file: Path) -> str:
    """SHA-256 of the public key of the certificate in a PEM file, hexadecimal. Raises OSError."""
    return key_of(x509.load_pem_x509_certificate(file.read_bytes()).public_bytes(Encoding.DER))


def joined(
    url: str, code: str, ledger: str, name: str, first: int, again: Callable[[Link, Paired], int | None] | None = None,
    own: str = "",
) -> Membership:  # nosec B107 # none # fmt: skip
    """Join the hall at ``url`` (as `checked_url` gives it) with its code. ``ledger``: the ledger's UUID; ``name``: what the table
    wants to be called, "" for the hall to choose; ``first``: as in `Membership`; ``again``: makes the game of the table's old
    machine again where the hall has it, and returns its id; None where the ledger has games of its own; ``own``: the token by
    which the hall knows the table already, "" for none. Raises HallError, LedgerError."""
    secret, letters = parts_of(code)
    link = Link(url, letters, letters=True)
    try:
        paired = link.ask("/api/hall/table/pair", Pair(secret, ledger, name, again is not None), Paired, own)
        if again is not None and paired.ledger:
            first = again(link, paired) or first
    except Away as away:
        raise HallError(NO_HALL, url=url, error=str(away)) from away
    except HallRefused as refused:
        raise HallError(REFUSED, url=url, why=refused.message) from refused
    finally:
        link.close()
    return Membership(url, paired.token, link.key if letters else "", paired.name, first)
