"""The workshop of Stoppa. Each part is imported when it is asked for."""

from __future__ import annotations

from collections.abc import Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from companion.table.log import Line
from workshop.games import Streams
from workshop.games.betting import BettingWorkshop

if TYPE_CHECKING:
    from workshop.bench.betting.run import Betting
    from workshop.bench.recipe import ClipRecipe
    from workshop.choreography.timeline import Timeline


class _Workshop(BettingWorkshop):
    """``mistakes`` of a clip: cards are overlooked, some found and put right, and a stoppata may be annulled."""

    clip_players = (3, 6)
    stakes = MappingProxyType({"misera": 200, "small": 10})

    @property
    def betting(self) -> Betting[Any]:
        from workshop.bench.stoppa.measured import STOPPA

        return STOPPA

    def direct(self, lines: Sequence[Line], *, lifts: float = 0.0, **how: Any) -> Timeline:
        from workshop.choreography.stoppa.director import direct

        return direct(lines, **how)

    def streams(self, hands: int, noise: str, seed: int) -> Streams:
        from workshop.streams.stoppa.noise import LEVELS
        from workshop.streams.stoppa.referee import figures, measured

        return Streams(measured(hands, LEVELS[noise], seed), figures)

    def clip_log(self, clip: ClipRecipe) -> tuple[Line, ...]:
        from companion.games.stoppa import bots

        careless = bots.EventProbabilities(0, annul=0.1, wrong_dealer=0, giro=0, omission=0.03, found=0.5, shown=0.5, unsaid=0)
        rare = careless if clip.mistakes else bots.PLAIN
        settings = bots.Settings(players=bots.seated(clip.players), event_probabilities=rare)
        return bots.simulate(settings, hands=clip.hands, seed=clip.seed)


WORKSHOP = _Workshop("stoppa")
