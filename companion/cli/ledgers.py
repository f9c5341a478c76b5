"""What the commands that look at a ledger share."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

import click

from companion.table.errors import GameError
from companion.table.log import Line, tag


def default_ledger() -> Path:
    """Where the evenings are kept unless an option says where: `companion/evenings.ledger` in the user's data folder."""
    data = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(data) / "companion" / "evenings.ledger"


of_ledger = click.option("--ledger", "file", type=click.Path(path_type=Path),
                         help="The ledger. [default: companion/evenings.ledger in your data folder]")  # fmt: skip


def told(lines: Sequence[Line]) -> str:
    """A game in a few words: who played, and how many hands."""
    from companion.games import game_of
    from companion.table.play import replay

    if not lines or tag(lines[0].event) != "game":
        return "nothing recorded"
    rules = game_of(lines[0].event).rules
    try:
        state = replay(rules.begin, rules.apply, enumerate(lines, start=1))
    except GameError as error:
        return f"cannot have happened: {error}"
    hands = rules.hands(state) + rules.in_hand(state)
    return f"{', '.join(rules.names(state))}: {hands} hand{'s' * (hands != 1)}"
