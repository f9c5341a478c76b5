"""The page on the TV: a Flask application over the ledger, which shows only what everybody at the table has seen."""

from companion.dashboard.app import create_app
from companion.dashboard.serve import serve
from companion.dashboard.settings import Settings

__all__ = ["Settings", "create_app", "serve"]
