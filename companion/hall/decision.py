"""What becomes of rows that a table sends, given what the hall has of the game. Pure, so that it can be tested without a
database.

Rows continue a game only where both number and chain agree with the last row that the hall has. Rows that it has already change
nothing. Rows that are sent instead of its own begin a branch, or replace them where the table has written the game in other
words.
"""

from __future__ import annotations

from typing import Literal

from msgspec.structs import astuple

from companion.hall.messages import GameRows, Have
from companion.ledger.outbox import Row, chained

Fate = Literal["first", "next", "branch", "other_words", "said"]
"""What to do with rows. ``first``: the hall has nothing of the game; ``next``: the rows may continue the newest branch;
``branch``: they begin another branch; ``other_words``: they replace all that the hall has of the game; ``said``: they were sent
before, and change nothing.
"""


def fate(has: Have | None, sent: GameRows) -> Fate:
    """What these rows are to ``has``, the newest branch of their game in the hall (None: it has no such game)."""
    if has is None:
        return "first"
    if sent.instead is not None and sent.instead == has and sent.after == 0:
        return "other_words" if sent.rewritten > has.rewritten else "branch"
    if sent.instead is not None or sent.rewritten != has.rewritten:
        return "said"
    return "next"


def continued(last: int, chain: str, sent: GameRows) -> tuple[int, str] | None:
    """Number and chain of the last row after these rows were appended to row number ``last``; None where they do not continue
    it."""
    if (sent.after, sent.chain) != (last, chain) or any(row.number != at for at, row in enumerate(sent.rows, start=last + 1)):
        return None
    return last + len(sent.rows), chained(chain, tuple(Row(*astuple(row)) for row in sent.rows))
