"""How a table whose machine was lost goes on: its game is fetched from a hall that keeps all, and made again in the new ledger,
which takes the old one's UUID, so that the hall knows it as the same.
"""

from __future__ import annotations

from companion.hall.messages import Fetch, Fetched
from companion.hall.table.exchange import Asks
from companion.ledger import Ledger, outbox
from companion.ledger.outbox import Row


def has_no_game(ledger: Ledger) -> bool:
    """Whether this ledger holds no game. Raises LedgerError."""
    return not outbox.outgoing(ledger)


def remade(ledger: Ledger, link: Asks, token: str, identity: str) -> int | None:
    """Fetch this table's game from the hall into the ledger, which has none, and give the ledger the UUID ``identity`` of the old
    one. Returns the game's id; None where the hall has none. Raises Away, Refused, LedgerError; the ledger has not changed
    then."""
    rows: list[Row] = []
    reports: list[tuple[str, float | None]] = []
    while True:
        got = link.ask("/api/hall/table/kept", Fetch(len(rows), len(reports)), Fetched, token)
        rows += [Row(row.number, row.recorded, row.head, row.tail, row.lines) for row in got.rows]
        reports += [(one.text, one.recorded) for one in got.reports]
        if not got.rows and not got.reports:
            break
    if not rows:
        return None
    outbox.put_in(ledger, identity, got.game, got.started, got.rewritten, rows, reports, got.notes)
    ledger.take_up(got.game)
    return got.game
