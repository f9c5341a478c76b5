"""Cuculo, a variant of Lu Stù: two pedine each, two Matti gain nothing, and a Salta past the dealer leaves the card where it is.

Its first line says what it plays differently; rules, eyes, referee, bots and film are those of Lu Stù.
"""

from __future__ import annotations

from typing import Any, ClassVar, Literal

from companion.games import Game
from companion.games.simulation import Evening
from companion.games.stu import sight as stu_sight
from companion.games.stu.pages import StuPages
from companion.games.stu.referee import MODEL
from companion.games.stu.rules import log
from companion.games.stu.rules.engine import StuRules
from companion.games.stu.simulation import StuSimulation
from companion.pages.plain import PlainSetup
from companion.table.log import Event, Line
from workshop.games.stu import StuWorkshop


class Begin(log.Game, tag="game", frozen=True, kw_only=True):
    """The first line of a log of Cuculo."""

    VARIANT: ClassVar[log.Variant] = log.Variant("cuculo", pedine=2, matto_pair=False)

    game: Literal["cuculo"]  # type: ignore[assignment]
    house_rules: log.HouseRules = log.HouseRules(salta_on_dealer="stop")


class _Rules(StuRules):
    LOG = log.format_for(Begin, "Cuculo table log, one line")


class _Setup(PlainSetup):
    def game_line(self, names: tuple[str, ...], own: Any) -> Event:
        return log.new_game(names, 100, names[0], of=Begin, house_rules=log.HouseRules(salta_on_dealer="stop"))


class _Pages(StuPages):
    title, charts = "Cuculo", None

    def __init__(self) -> None:
        super().__init__()
        self.game_id, self.setup = "cuculo", _Setup("cuculo", rules, 39)


class _Bots(StuSimulation):
    def simulate(self, evening: Evening, **own: Any) -> tuple[Line, ...]:
        return super().simulate(evening, first=Begin, **own)


class _Workshop(StuWorkshop):
    def first_line(self) -> type[log.Game]:
        return Begin


rules, sight, referee, simulation = _Rules(), stu_sight, MODEL, _Bots()
pages, workshop = _Pages(), _Workshop("cuculo")
CUCULO = Game("cuculo", __name__)
