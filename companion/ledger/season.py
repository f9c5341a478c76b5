"""What the ledger keeps from evening to evening: whose name is whose, who is to be forgotten, which evenings count, and what
finished evenings came to.

All else of a season is worked out from the games' logs. Of a forgotten name only a digest is kept, made with a secret of this
file: enough to know the name again, too little to show it.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Iterable, Mapping

from companion.ledger.entries import ARCHIVED
from companion.ledger.store import Ledger

_OFF, _OPEN, _SETTLED = "off", "open", "settled"
_KEY = "season"
"""Name of the secret that forgotten names' digests are made with."""


class SeasonBook:
    """The season's tables of a ledger. All methods may be called from any thread, and raise LedgerError as the ledger does."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._key: bytes | None = None

    # The switch.

    @property
    def off(self) -> bool:
        """Whether somebody has switched the season off."""
        with self._ledger.reading() as connection:
            return connection.execute("SELECT 1 FROM season_choice WHERE name = ?", (_OFF,)).fetchone() is not None

    def switch(self, *, off: bool) -> None:
        """Switch the season off or on. Off, nothing that was worked out is kept."""
        with self._ledger.writing() as connection:
            if off:
                connection.execute("DELETE FROM season_figures")
                connection.execute("INSERT OR REPLACE INTO season_choice (name, value) VALUES (?, '1')", (_OFF,))
            else:
                connection.execute("DELETE FROM season_choice WHERE name = ?", (_OFF,))

    @property
    def open(self) -> bool:
        """Whether somebody has opened past evenings to everybody."""
        return self._choice(_OPEN) is not None

    def open_past(self, *, to_all: bool) -> None:
        """Open past evenings to everybody, or to paired phones alone."""
        self._choose(_OPEN, "1" if to_all else None)

    def _choice(self, name: str) -> str | None:
        with self._ledger.reading() as connection:
            found = connection.execute("SELECT value FROM season_choice WHERE name = ?", (name,)).fetchone()
        return None if found is None else str(found[0])

    def _choose(self, name: str, value: str | None) -> None:
        with self._ledger.writing() as connection:
            if value is None:
                connection.execute("DELETE FROM season_choice WHERE name = ?", (name,))
            else:
                connection.execute("INSERT OR REPLACE INTO season_choice (name, value) VALUES (?, ?)", (name, value))

    # Names.

    @property
    def settled(self) -> str:
        """Which games were looked through for forgotten names, in the words of who does that; "" for none."""
        return self._choice(_SETTLED) or ""

    def settle(self, which: str) -> None:
        """Keep it."""
        if which != self.settled:
            self._choose(_SETTLED, which)

    def links(self) -> dict[str, str]:
        """A name's key → the key of the person whose other name it is."""
        with self._ledger.reading() as connection:
            return dict(connection.execute("SELECT name, person FROM season_link").fetchall())

    def link(self, links: Mapping[str, str]) -> None:
        """Keep these links in place of those kept so far."""
        with self._ledger.writing() as connection:
            connection.execute("DELETE FROM season_link")
            connection.executemany("INSERT INTO season_link (name, person) VALUES (?, ?)", list(links.items()))

    def forgotten(self) -> frozenset[bytes]:
        """The digests of names that are to be nobody's: see `digest`."""
        with self._ledger.reading() as connection:
            return frozenset(found for (found,) in connection.execute("SELECT digest FROM season_forgotten"))

    def digest(self, key: str) -> bytes:
        """What is kept of a forgotten name (a key)."""
        return hmac.digest(self._secret(), key.encode(), hashlib.sha256)

    def forget(self, keys: Iterable[str]) -> None:
        """Let these names (keys) be nobody's from now on; what they were linked to, and what was worked out with them, goes."""
        keys = tuple(keys)
        digests = [(self.digest(key),) for key in keys]
        with self._ledger.writing() as connection:
            connection.executemany("INSERT OR IGNORE INTO season_forgotten (digest) VALUES (?)", digests)
            connection.executemany("DELETE FROM season_link WHERE name = ?1 OR person = ?1", [(key,) for key in keys])
            connection.execute("DELETE FROM season_figures")

    def recall(self, key: str) -> bool:
        """Let a forgotten name (a key) be somebody's again. False where it was not forgotten."""
        digest = self.digest(key)
        with self._ledger.writing() as connection:
            connection.execute("DELETE FROM season_figures")
            return connection.execute("DELETE FROM season_forgotten WHERE digest = ?", (digest,)).rowcount > 0

    # Evenings.

    def counts(self) -> dict[int, bool]:
        """Game → whether it counts, where somebody has said so. One that was taken in from a file does not, until they do."""
        with self._ledger.reading() as connection:
            archived = connection.execute("SELECT game FROM note WHERE name = ?", (ARCHIVED,)).fetchall()
            said = connection.execute("SELECT game, counts FROM season_evening").fetchall()
        return {**{int(game): False for (game,) in archived}, **{int(game): bool(counts) for game, counts in said}}

    def count(self, games: Iterable[int], *, counts: bool) -> None:
        """Let these games count, or not."""
        with self._ledger.writing() as connection:
            connection.executemany(
                "INSERT OR REPLACE INTO season_evening (game, counts) SELECT id, ? FROM game WHERE id = ?",
                [(int(counts), game) for game in games],
            )

    def begin_again(self) -> None:
        """No evening so far counts, and no two names are one person. Forgotten names stay forgotten."""
        with self._ledger.writing() as connection:
            connection.execute("DELETE FROM season_link")
            connection.execute("DELETE FROM season_figures")
            connection.execute("INSERT OR REPLACE INTO season_evening (game, counts) SELECT id, 0 FROM game")

    # What evenings came to.

    def figures(self) -> dict[int, tuple[str, str]]:
        """Game → the version of its log and the program that its figures were made with, and the figures, as text."""
        with self._ledger.reading() as connection:
            rows = connection.execute("SELECT game, of, text FROM season_figures").fetchall()
        return {int(game): (of, text) for game, of, text in rows}

    def keep(self, figures: Mapping[int, tuple[str, str]]) -> None:
        """Keep what these games came to, in the place of what was kept of them; waits for nobody who writes."""
        with self._ledger.writing(patient=False) as connection:
            connection.executemany(
                "INSERT OR REPLACE INTO season_figures (game, of, text) VALUES (?, ?, ?)",
                [(game, of, text) for game, (of, text) in figures.items()],
            )

    def _secret(self) -> bytes:
        if self._key is None:
            with self._ledger.reading() as connection:
                found = connection.execute("SELECT value FROM secret WHERE name = ?", (_KEY,)).fetchone()
            if found is None:
                with self._ledger.writing() as writing:
                    writing.execute("INSERT OR IGNORE INTO secret (name, value) VALUES (?, ?)", (_KEY, secrets.token_bytes(32)))
                    found = writing.execute("SELECT value FROM secret WHERE name = ?", (_KEY,)).fetchone()
            self._key = bytes(found[0])
        return self._key
