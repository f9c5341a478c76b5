"""A table's membership of a hall: joined with a code, resumed after a restart, left; and how it is going, in words."""

from __future__ import annotations

import datetime
import secrets
import threading
import time
from contextlib import suppress
from dataclasses import replace

from flask import Flask

from companion.dashboard.hall_page import ToJoin
from companion.hall.messages import MAX_NAME_LENGTH, PROTOCOL, Hello, Leave, Left, Paired, Welcome
from companion.hall.table import membership
from companion.hall.table.desk import Desk
from companion.hall.table.link import Away, HallRefused, Link, joined
from companion.hall.table.membership import NAME_TOO_LONG, NOT_JOINED, HallError, Membership
from companion.hall.table.remaking import has_no_game, remade
from companion.hall.table.sender import ConnectionState, Sender
from companion.ledger import Ledger, outbox
from companion.table.language import Lang, catalogue
from companion.table.text import plain_name

AWAY_SECONDS = 5.0
"""Seconds without an answer of the hall after which the table's phone shows that it is away."""


class Joining:
    """The membership of one application's table, until `close`. Any thread may ask. Raises LedgerError as the ledger does."""

    def __init__(self, app: Flask, ledger: Ledger) -> None:
        self._ledger, self._desk = ledger, Desk(app)
        self._lock = threading.Lock()
        self._sender: Sender | None = None
        self._without: tuple[ToJoin, HallError] | None = None
        app.extensions["more_notices"] = self.notices
        app.extensions["spectators"].more_notices = self.table_notices

    @property
    def standing(self) -> ConnectionState | None:
        """The state of the connection; None where the table belongs to no hall."""
        sender = self._sender
        return sender.standing if sender is not None else None

    def join(self, url: str, code: str, name: str) -> Membership:
        """Join the hall at ``url``, with its ``code``; "" where the table belongs to it already. ``name``: what the table wants
        to be called, "" for the hall to choose. Raises HallError."""
        url, name = membership.checked_url(url), plain_name(name)
        if len(name) > MAX_NAME_LENGTH:
            raise HallError(NAME_TOO_LONG, name=name[:MAX_NAME_LENGTH], most=str(MAX_NAME_LENGTH))
        kept = membership.kept(self._ledger)
        if kept is None or kept.url != url or (name and name != kept.name) or (code and self._unknown(kept)):
            if not code:
                raise HallError(NOT_JOINED, url=url)
            newest = self._ledger.newest()
            again = self._made_again if has_no_game(self._ledger) else None
            own = kept.token if kept is not None and kept.url == url else ""
            kept = joined(url, code, outbox.identity(self._ledger), name, newest if newest is not None else 1, again, own)
            membership.keep(self._ledger, kept)
        self._begin(kept)
        self._without = None
        return kept

    def could_not_join(self, error: HallError, url: str, name: str) -> None:
        """Remember that the table was told to join the hall at ``url``, and could not because of ``error``. Its phone says so
        until the table has joined a hall."""
        self._without = ToJoin(url, "", name), error

    def resume(self) -> Membership | None:
        """Start sending to the hall that the ledger belongs to; None where it belongs to none."""
        kept = membership.kept(self._ledger)
        if kept is not None:
            self._begin(kept)
        return kept

    def leave(self) -> None:
        """Leave the hall: an open call is withdrawn, and a hall that can be reached is told. It keeps what this table sent."""
        kept, standing = membership.kept(self._ledger), self.standing
        self.close()
        self._desk.call.withdraw()
        membership.keep(self._ledger, None)
        if kept is not None and standing is not None and standing.state == "joined":
            _say_goodbye(kept)
        with self._lock:
            self._sender = None

    def membership_text(self, lang: Lang) -> tuple[str, str] | None:
        """Two sentences: which hall the table has joined, and how the connection is; None where it has joined none."""
        _ = catalogue(lang).gettext
        kept, standing = membership.kept(self._ledger), self.standing
        if kept is None or standing is None:
            return None
        texts = self._troubles(lang)  # how a call stands is said beside its button
        if not texts and standing.left:
            texts = [_("Still to be sent: {n}").format(n=standing.left)]
        which = _("Table {name} of the hall at {url}").format(name=kept.name, url=kept.url)
        return which, texts[0] if texts else _("The hall has everything") if standing.state == "joined" else _("Connecting…")

    def to_join(self, lang: Lang) -> ToJoin | None:
        """The values to begin the form for joining a hall with; None where the table is in a hall that takes what it sends."""
        if self._without is not None:
            return replace(self._without[0], why=self._plays_without(lang))
        kept, standing = membership.kept(self._ledger), self.standing
        if kept is None or standing is None:
            return ToJoin()
        return ToJoin(kept.url, "", kept.name) if standing.state == "refused" else None

    def call_referee(self, wanted: bool) -> None:
        """Call the hall's referee (``wanted``), or withdraw the call."""
        if wanted:
            self._desk.call.make()
        else:
            self._desk.call.withdraw()

    def called(self, lang: Lang) -> str:
        """Whether the hall has the call of the referee, as a sentence; "" where no call is open."""
        _, call = catalogue(lang).gettext, self._desk.call
        if not call.token:
            return ""
        return _("The referee is called") if call.heard else _("The call of the referee has not arrived yet")

    def close(self) -> None:
        """Stop sending, in this run of the program; the table stays a member."""
        with self._lock:
            if self._sender is not None:
                self._sender.close()

    def notices(self, lang: Lang) -> list[str]:
        """Sentences about the hall for the organisers of the table: its troubles, and an open call; none while all is well."""
        called = self.called(lang) if self._without is None and self.standing is not None else ""
        return [*self._troubles(lang), *filter(None, [called])]

    def table_notices(self, lang: Lang) -> list[str]:
        """Sentences of the hall for everybody at the table."""
        rings = self._desk.rings(lang) if self.standing is not None else ""
        return [rings] if rings else []

    def _troubles(self, lang: Lang) -> list[str]:
        """Why the hall has not got everything, as sentences."""
        _, standing = catalogue(lang).gettext, self.standing
        if self._without is not None:
            return [self._plays_without(lang)]
        if standing is not None and standing.state == "refused":
            return [_("The hall takes nothing of this table: {why}").format(why=_(standing.why))]
        if standing is None or standing.state == "joined" or time.time() - standing.since < AWAY_SECONDS:
            return []
        since = f"{datetime.datetime.fromtimestamp(standing.since):%H:%M}"
        return [_("The hall has not answered since {time}: the game goes on, and is sent once it does").format(time=since)]

    def _plays_without(self, lang: Lang) -> str:
        if self._without is None:
            return ""
        _, error = catalogue(lang).gettext, self._without[1]
        return _("The table plays without the hall. {why}").format(why=error.sentence(lang))

    def _made_again(self, link: Link, paired: Paired) -> int | None:
        return remade(self._ledger, link, paired.token, paired.ledger)

    def _begin(self, kept: Membership) -> None:
        with self._lock:
            if self._sender is not None:
                self._sender.close()
            self._sender = Sender(self._ledger, self._desk, kept)

    def _unknown(self, kept: Membership) -> bool:
        """Whether the hall answers that it does not know this table."""
        link = Link(kept.url, kept.key)
        try:
            hello = Hello(PROTOCOL, outbox.identity(self._ledger), secrets.token_hex(8), time.time())
            link.ask("/api/hall/table/hello", hello, Welcome, kept.token)
        except HallRefused:
            return True
        except Away:
            return False
        finally:
            link.close()
        return False


def _say_goodbye(kept: Membership) -> None:
    """Tell the hall that this table leaves, so that it need not wait until it counts as silent. A hall that does not hear it, or
    is older and does not know what that means, finds out by the silence."""
    link = Link(kept.url, kept.key)
    with suppress(HallRefused, Away):
        link.ask("/api/hall/table/leave", Leave(), Left, kept.token)
    link.close()
