"""What `companion simulate` asks of a game that bots can play. A game's package says it in `simulation.SIMULATION`: most derive
from `BotSimulation`."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from msgspec import Struct

from companion.table.log import Line

MAX_STAKE = 1_000_000_000
"""The highest stake that can be asked for, minor units."""


@dataclass(frozen=True, slots=True)
class Option:
    """An option that not every game has; one of the same name means the same in each.

    ``name``: without the dashes; ``default``: its value where it is left out, None: the game's own, which ``help`` names;
    ``help``: a sentence. Its values are one of ``choices``, a whole number within ``range`` (both included), or a text that
    ``read`` takes apart; ``metavar``: how such a text looks. ``read`` raises ValueError: what was wrong, what was expected.
    ``also``: other names that it may be given by.
    """

    name: str
    default: str | int | None
    help: str
    choices: tuple[str, ...] = ()
    range: tuple[int, int] | None = None
    read: Callable[[str], Any] | None = None
    metavar: str = ""
    also: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Evening:
    """What is asked of every game: the ``people`` at the table in the order of play, at most how many ``hands``, the ``seed``,
    the ``stake`` in minor units, the game's own ``house_rules``; ``plain``: nothing that is seldom or that no camera can see."""

    people: tuple[str, ...]
    hands: int
    seed: int
    stake: int
    house_rules: Any
    plain: bool


class Simulation(ABC):
    """Bots that play a game.

    ``players``: the fewest and the most who can play; ``usual``: how many sit down where nobody says it. ``stake``: what the
    option ``--stake`` is called at this table; "": the stake. ``house_rules``: the struct of its house rules; None: it has none.
    ``options``: those that it alone has.
    """

    players: ClassVar[tuple[int, int]]
    usual: ClassVar[int] = 4
    stake: ClassVar[str] = ""
    house_rules: ClassVar[type[Struct] | None] = None
    options: ClassVar[Sequence[Option]] = ()

    @abstractmethod
    def seated(self, count: int) -> tuple[str, ...]:
        """The names of this many people.

        Raises:
            SimulatorError: that is too few or too many.
        """

    @abstractmethod
    def simulate(self, evening: Evening, **own: Any) -> tuple[Line, ...]:
        """The log of an evening; ``own``: the values of its own options, by name.

        Raises:
            Illegal: no such game can begin.
        """


class BotSimulation(Simulation):
    """The simulation of a game whose bots are set up with a struct: its ``players``, ``house_rules``, ``event_probabilities`` and
    own options.

    ``settings``: that struct; ``stakes``: what it calls the stake. ``often``: how probable rare events are, usually and
    (second) in a plain evening. ``played_by``: the module with its ``simulate`` and ``seated``.
    """

    settings: ClassVar[type[Struct]]
    stakes: ClassVar[str] = "stake"
    often: ClassVar[tuple[Struct, Struct]]
    played_by: Any

    def seated(self, count: int) -> tuple[str, ...]:
        names: tuple[str, ...] = self.played_by.seated(count)
        return names

    def simulate(self, evening: Evening, **own: Any) -> tuple[Line, ...]:
        usual, plain = self.often
        settings = self.settings(
            players=evening.people, house_rules=evening.house_rules, event_probabilities=plain if evening.plain else usual,
            **{self.stakes: evening.stake}, **own,
        )  # fmt: skip
        lines: tuple[Line, ...] = self.played_by.simulate(settings, hands=evening.hands, seed=evening.seed)
        return lines
