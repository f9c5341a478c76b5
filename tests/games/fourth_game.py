"""A plugin of pytest (`-p fourth_game`): Bassa is one of the games that ship, as a new game is on the day it is registered."""

from __future__ import annotations

from toy_with_eyes import BASSA

from companion.games import GAMES

GAMES[BASSA.id] = BASSA


def pytest_configure() -> None:
    """Say of it what `docs/contributing.md` asks of a game that ships: no log of it holds a hidden card."""
    import hidden_cards

    hidden_cards.ALL_OPEN |= {BASSA.id}
