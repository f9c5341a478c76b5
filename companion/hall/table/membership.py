"""Which hall a table belongs to, kept in its ledger so that a restarted program goes on; and how a hall's code is read."""

from __future__ import annotations

import ipaddress
import re
from urllib.parse import urlsplit

import msgspec

from companion.ledger import Ledger
from companion.ledger.outbox import HALL
from companion.table.errors import CompanionError
from companion.table.language import N_, Lang, catalogue

CODE_LETTERS = "ABCDEFGHJKMNPQRSTVWXYZ23456789"
"""The letters and digits of codes, without those that look like others."""
SECRET_LENGTH = 8
"""Number of letters of a code that are secret. The letters behind them stand for the hall's key."""


NO_ADDRESS = N_("{url}: no address of a hall: expected one such as https://192.168.1.10:8101: companion hall prints it")
READ_ALONG = N_("{url}: over http everybody in the network could read along: take the https address that companion hall prints")
NO_CODE = N_("{code}: no code of a hall: expected letters and digits, such as ABCD-EFGH, as the hall shows them")
NO_HALL = N_("{url}: no hall answers ({error}): check the address, and that companion hall runs there")
NAME_TOO_LONG = N_("“{name}…” is too long: at most {most} letters.")
NOT_JOINED = N_("{url}: this table has not joined this hall yet: give the code that the hall shows")
REFUSED = N_("{url}: {why}")


class HallError(CompanionError):
    """A hall that cannot be joined, run or reached any more; the message says why, and what to do.

    ``text``: the message with blanks, for gettext; ``values``: what goes into the blanks. The value of ``why`` is a message for
    gettext, too.
    """

    def __init__(self, text: str, **values: str) -> None:
        super().__init__(text.format(**values) if values else text)
        self.text, self.values = text, values

    def sentence(self, lang: Lang) -> str:
        """The message in this language."""
        _ = catalogue(lang).gettext
        values = {name: _(value) if name == "why" else value for name, value in self.values.items()}
        return _(self.text).format(**values) if values else _(self.text)


class Membership(msgspec.Struct, frozen=True):
    """The hall that a table belongs to. ``token``: by which the hall knows the table; ``key``: SHA-256 of the hall's public key
    (hexadecimal), "" where the system trusts its certificate, or it is on this very machine; ``name``: what the hall calls the
    table; ``first``: the id of the first game that is sent to it: earlier evenings stay private."""

    url: str
    token: str
    key: str
    name: str
    first: int


def kept(ledger: Ledger) -> Membership | None:
    """The membership that this ledger holds; None for none. Raises LedgerError."""
    with ledger.reading() as connection:
        found = connection.execute("SELECT value FROM secret WHERE name = ?", (HALL,)).fetchone()
    try:
        return msgspec.json.decode(found[0], type=Membership) if found is not None else None
    except msgspec.DecodeError:
        return None  # of another version of the program: it has to join again


def keep(ledger: Ledger, membership: Membership | None) -> None:
    """Write this membership into the ledger, in place of any other; None: remove it. Raises LedgerError."""
    with ledger.writing() as writing:
        if membership is None:
            writing.execute("DELETE FROM secret WHERE name = ?", (HALL,))
        else:
            value = msgspec.json.encode(membership)
            writing.execute("INSERT OR REPLACE INTO secret (name, value) VALUES (?, ?)", (HALL, value))


def checked_url(url: str) -> str:
    """The hall's address cut down to scheme, host and port; HTTPS where it names no scheme. Raises HallError where it is no
    address, or is one of plain HTTP on another machine, where what is sent could be read on the way."""
    parts = urlsplit(url if "//" in url else f"https://{url}")
    try:
        host, port = parts.hostname, parts.port
    except ValueError:
        host, port = None, None
    if parts.scheme not in ("http", "https") or not host:
        raise HallError(NO_ADDRESS, url=url)
    if parts.scheme == "http" and not _loopback(host):
        raise HallError(READ_ALONG, url=url)
    shown = f"[{host}]" if ":" in host else host
    return f"{parts.scheme}://{shown}{f':{port}' if port is not None else ''}"


def _loopback(host: str) -> bool:
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def parts_of(code: str) -> tuple[str, str]:
    """The two parts of a code: the secret letters, and the letters that stand for the hall's key, "" where it has none. Raises
    HallError where it is no code."""
    plain = re.sub(r"[\s-]", "", code).upper()
    if len(plain) < SECRET_LENGTH or any(letter not in CODE_LETTERS for letter in plain):
        raise HallError(NO_CODE, code=code)
    return plain[:SECRET_LENGTH], plain[SECRET_LENGTH:]


def key_letters(key: str, length: int) -> str:
    """The first ``length`` letters that stand for a key (SHA-256, hexadecimal)."""
    number, found = int(key, 16), ""
    for _ in range(length):
        number, rest = divmod(number, len(CODE_LETTERS))
        found += CODE_LETTERS[rest]
    return found
