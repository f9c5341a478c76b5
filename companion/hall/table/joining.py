"""A table's place in a hall: joined by a code, gone on with after a restart, left; and how it stands, in words."""

from __future__ import annotations

import datetime
import secrets
import threading
import time
from dataclasses import replace

from flask import Flask

from companion.dashboard.hall_page import ToJoin
from companion.hall.messages import PROTOCOL, Hello, Paired, Welcome
from companion.hall.table import membership
from companion.hall.table.desk import Desk
from companion.hall.table.link import Away, Link, Refused, joined
from companion.hall.table.membership import NOT_JOINED, HallError, Membership
from companion.hall.table.remaking import has_no_game, remade
from companion.hall.table.sender import Sender, Standing
from companion.ledger import Ledger, outbox
from companion.table.language import Lang, catalogue

AWAY_SECONDS = 5.0
"""Seconds without an answer of the hall after which the table's phone shows that it is away."""


class Joining:
    """That of one application, until `close`. Any thread may ask. Raises LedgerError as the ledger does."""

    def __init__(self, app: Flask, ledger: Ledger) -> None:
        self._ledger, self._desk = ledger, Desk(app)
        self._lock = threading.Lock()
        self._sender: Sender | None = None
        self._without: tuple[ToJoin, HallError] | None = None
        app.extensions["more_notices"] = self.notices

    @property
    def standing(self) -> Standing | None:
        """How it stands; None where the table belongs to no hall."""
        sender = self._sender
        return sender.standing if sender is not None else None

    def join(self, url: str, code: str, name: str) -> Membership:
        """Belong to the hall at ``url``: as it did already, or by its ``code``, "" for none. ``name``: what the table is to be
        called, "" for the hall to choose. Raises HallError."""
        url = membership.checked_url(url)
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

    def goes_on_without(self, error: HallError, url: str, name: str) -> None:
        """It was to join this hall, and could not: its phone says why, until it has joined one."""
        self._without = ToJoin(url, "", name), error

    def resume(self) -> Membership | None:
        """Go on in the hall that the ledger belongs to; None where it belongs to none."""
        kept = membership.kept(self._ledger)
        if kept is not None:
            self._begin(kept)
        return kept

    def leave(self) -> None:
        """Belong to no hall any more; what it has, it keeps."""
        self.close()
        self._desk.call.withdraw()
        membership.keep(self._ledger, None)
        with self._lock:
            self._sender = None

    def membership_text(self, lang: Lang) -> tuple[str, str] | None:
        """Which hall the table has joined, and how that stands, a sentence each; None where it has joined none."""
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
        """What the form to join a hall begins with; None where the table is in one that takes what it sends."""
        if self._without is not None:
            return replace(self._without[0], why=self._plays_without(lang))
        kept, standing = membership.kept(self._ledger), self.standing
        if kept is None or standing is None:
            return ToJoin()
        return ToJoin(kept.url, "", kept.name) if standing.state == "refused" else None

    def call_referee(self, wanted: bool) -> None:
        """Call the referee of the hall; or withdraw the call."""
        if wanted:
            self._desk.call.make()
        else:
            self._desk.call.withdraw()

    def called(self, lang: Lang) -> str:
        """How the call of the referee stands, a sentence; "" where there is none."""
        _, call = catalogue(lang).gettext, self._desk.call
        if not call.token:
            return ""
        return _("The referee is called") if call.heard else _("The call of the referee has not arrived yet")

    def close(self) -> None:
        """Send no more in this run."""
        with self._lock:
            if self._sender is not None:
                self._sender.close()

    def notices(self, lang: Lang) -> list[str]:
        """What organisers of the table are told of the hall: nothing while all is well."""
        called = self.called(lang) if self._without is None and self.standing is not None else ""
        return [*self._troubles(lang), *filter(None, [called])]

    def _troubles(self, lang: Lang) -> list[str]:
        """What keeps the hall from having everything."""
        _, standing = catalogue(lang).gettext, self.standing
        if self._without is not None:
            return [self._plays_without(lang)]
        if standing is not None and standing.state == "refused":
            return [_("The hall takes nothing of this table: {why}").format(why=_(standing.why))]
        if standing is None or standing.state == "joined" or time.time() - standing.since < AWAY_SECONDS:
            return []
        since = f"{datetime.datetime.fromtimestamp(standing.since):%H:%M}"
        return [_("The hall does not answer since {time}: the game goes on, and is sent once it does").format(time=since)]

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
        """Whether the hall says that it does not know this table."""
        link = Link(kept.url, kept.key)
        try:
            hello = Hello(PROTOCOL, outbox.identity(self._ledger), secrets.token_hex(8), time.time())
            link.ask("/api/hall/table/hello", hello, Welcome, kept.token)
        except Refused:
            return True
        except Away:
            return False
        finally:
            link.close()
        return False
