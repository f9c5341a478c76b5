"""What a game that is over comes to in money for everybody: the one model for all pages (rules 5, 8, 10, 13, 20)."""

from __future__ import annotations

from msgspec import Struct

from companion.games.stu.rules.report import report
from companion.games.stu.rules.state import State


class Account(Struct, frozen=True):
    """One person's money, minor units. ``takes``: of the pot; ``paid``: what they put in; None where nobody can know."""

    name: str
    takes: int
    paid: int | None

    @property
    def net(self) -> int | None:
        """What they have won (above 0) or lost; None where nobody can know."""
        return None if self.paid is None else self.takes - self.paid


def put_in(state: State) -> dict[str, int]:
    """Stakes and ricompere that the log tells of: name → minor units. Players in seat order, then partners from outside."""
    found = dict.fromkeys(state.table.names, state.table.stake)
    for name, part in state.paid:
        found[name] = found.get(name, 0) + part
    return found


def unknown(state: State) -> int:
    """The part of the pot, minor units, whose payers nobody knows: ricompere from before the log began, or set by the table."""
    return report(state).pot - sum(put_in(state).values())


def accounts(state: State) -> tuple[Account, ...]:
    """Everybody's account: the winner's, then players in seat order, then partners from outside; empty while nobody has won.

    What is taken adds up to the pot. What is put in is given for everybody, and adds up to the pot, or for nobody.
    """
    told = report(state)
    if told.settlement is None or told.winner is None:
        return ()
    paid, known = put_in(state), not unknown(state)
    names = dict.fromkeys((told.winner, *paid, *told.settlement))
    return tuple(Account(name, told.settlement.get(name, 0), paid.get(name, 0) if known else None) for name in names)
