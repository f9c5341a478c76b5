"""High card with nothing but its rules: what a new game is after the first step of `docs/contributing.md`."""

import sys
from typing import Literal

from toy import End, Hand, Show, Void, apply, check, hands, in_hand, legal_acts, names, outcome, report, ruling, waiting
from toy import begin as begin_game

from companion.games import Game
from companion.table.log import EventBase, LogFormat

__all__ = ["apply", "check", "hands", "in_hand", "legal_acts", "names", "outcome", "report", "ruling", "waiting"]


class Begin(EventBase, tag="game", frozen=True):
    v: Literal[1]
    game: Literal["bare"]
    players: tuple[str, ...]


LOG = LogFormat(Begin | Hand | Show | End | Void, title="Bare table log, one line")


def begin(game):
    return begin_game(game)


rules = sys.modules[__name__]
BARE = Game("bare", __name__)
