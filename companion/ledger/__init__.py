"""What happened, kept: every version of every game's table log in one SQLite file."""

from companion.ledger.entries import DELETED, GameEntry, Overtaken, Report, Stand, UnknownGame
from companion.ledger.phones import FilmingPhone, FilmingPhones, Phone, Phones
from companion.ledger.season import SeasonBook
from companion.ledger.store import Ledger
from companion.ledger.trouble import Trouble
from companion.table.errors import LedgerError

__all__ = [
    "DELETED", "FilmingPhone", "FilmingPhones", "GameEntry", "Ledger", "LedgerError", "Overtaken", "Phone", "Phones", "Report",
    "SeasonBook", "Stand", "Trouble", "UnknownGame",
]  # fmt: skip
