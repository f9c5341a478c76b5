"""What happened, kept: every version of every game's table log in one SQLite file."""

from companion.ledger.phones import Phone, Phones
from companion.ledger.season import SeasonBook
from companion.ledger.store import GameEntry, Ledger, UnknownGame
from companion.table.errors import LedgerError

__all__ = ["GameEntry", "Ledger", "LedgerError", "Phone", "Phones", "SeasonBook", "UnknownGame"]
