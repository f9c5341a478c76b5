"""What a game consists of: its parts, each imported when it is first asked for."""

from __future__ import annotations

from functools import cached_property
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, cast

from companion.table.errors import NotShown

if TYPE_CHECKING:
    from companion.decks.lists import ListId
    from companion.eyes.seeing import Watcher
    from companion.eyes.sighting import Sighting
    from companion.eyes.table import TableMap
    from companion.games.simulation import Simulation
    from companion.games.spec import Spec
    from companion.pages.protocol import Pages
    from companion.referee.sighting_model import SightingModel
    from companion.table.game import Rules
    from companion.table.story import Telling

_SAYS = {"spec": "SPEC", "simulation": "SIMULATION", "referee": "MODEL", "pages": "PAGES", "telling": "TELLING"}
"""Part → the name in its module of the object that it is, for parts that are one object."""


class Game:
    """A game. ``id``: as its logs have it; ``package``: the package or module that holds its parts; ``cards``: the list of cards
    that it is played with."""

    def __init__(self, id: str, package: str, cards: ListId = "stu") -> None:
        self.id, self.package, self.cards = id, package, cards

    @cached_property
    def spec(self) -> Spec:
        """What the program asks of it beside its parts: `PACKAGE.spec.SPEC`; without, it has no demo."""
        from companion.games.spec import Spec

        return cast("Spec | None", self._part("spec")) or Spec()

    @property
    def title(self) -> str:
        """What people call it."""
        return self.spec.title or self.id.title()

    @cached_property
    def simulation(self) -> Simulation | None:
        """The bots that play it: `PACKAGE.simulation.SIMULATION`; None where it has none."""
        return cast("Simulation | None", self._part("simulation"))

    @cached_property
    def rules(self) -> Rules:
        """Its rules: `PACKAGE.rules`."""
        return cast("Rules", self._part("rules"))

    @cached_property
    def pages(self) -> Pages:
        """How it is shown and kept: `PACKAGE.pages`, or its `PAGES`.

        Raises:
            NotShown: it has no pages.
        """
        if not self.has_pages:
            raise NotShown(f"{self.id} has no pages yet, so it is not shown or kept: companion rule says what its logs come to")
        return cast("Pages", self._part("pages"))

    @cached_property
    def has_pages(self) -> bool:
        """Whether the game has pages, so that it can be set up, shown and kept; without them its logs can only be ruled on."""
        return self._part("pages") is not None

    @cached_property
    def telling(self) -> Telling | None:
        """How it is told in the terminal: `PACKAGE.telling`; None where its pages' words will do."""
        return cast("Telling | None", self._part("telling"))

    @cached_property
    def sighting_model(self) -> SightingModel | None:
        """What sightings mean in it: `PACKAGE.referee.MODEL`; None where the game is told by hand alone."""
        return cast("SightingModel | None", self._part("referee"))

    @cached_property
    def has_eyes(self) -> bool:
        """Whether a camera can follow it."""
        package = import_module(self.package)
        sight = hasattr(package, "sight") or (hasattr(package, "__path__") and find_spec(f"{self.package}.sight") is not None)
        return sight and self.sighting_model is not None

    def watcher(self, top: TableMap, before: tuple[Sighting, ...] = ()) -> Watcher:
        """What follows a table at which it is played: `PACKAGE.sight.Watcher`.

        ``top``: the table in the first picture; ``before``: sightings of the hand already in progress.

        Raises:
            NotShown: no eyes follow it.
        """
        sight = self._part("sight")
        if sight is None:
            raise NotShown(f"{self.id} has no eyes yet: no camera or clip of it can be followed, only told by thumb")
        made: Watcher = cast(Any, sight).Watcher(top, before)
        return made

    def _part(self, name: str) -> object | None:
        """A part of the game: the object that `_SAYS` names in its module ``name``, or that module itself, or an attribute with
        that name; None where the game has none."""
        package = import_module(self.package)
        if not hasattr(package, name) and hasattr(package, "__path__") and find_spec(f"{self.package}.{name}") is not None:
            found: object = import_module(f"{self.package}.{name}")
        else:
            found = getattr(package, name, None)
        return getattr(found, _SAYS.get(name, ""), found)
