"""What each game of the house answers in its own way: the types that the functions of its pages return."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, get_type_hints

import msgspec
from msgspec import UNSET, UnsetType, defstruct

from companion.dashboard.openapi.endpoint import Among
from companion.dashboard.organiser.effects import EffectView
from companion.dashboard.organiser.phone_view import PhoneView
from companion.games import shown_games
from companion.table.pages import Pages
from companion.table.phone import Next
from companion.table.view import View


def _returned(find: Callable[[Pages], Callable[..., object] | None]) -> Among:
    def types() -> tuple[object, ...]:
        made = (find(game.pages) for game in shown_games())
        return tuple(dict.fromkeys(get_type_hints(one)["return"] if one is not None else None for one in made))

    return Among(types)


VIEW = _returned(lambda pages: pages.view)
MOVIOLA = _returned(lambda pages: pages.moviola)
CHARTS = _returned(lambda pages: pages.charts.figures if pages.charts is not None else None)
NEXT = _returned(lambda pages: pages.offers)

EXTENDED: dict[type, Among] = {View: VIEW, Next: NEXT}
"""What games add keys to, wherever it stands: what they make of it."""


@cache
def _organiser_views() -> tuple[object, ...]:
    """What `phone_view` puts together of each game: `PhoneView` and the game's score; ``already`` where nothing was done."""
    found = []
    for game in shown_games():
        score, offers = (get_type_hints(one)["return"] for one in (game.pages.score, game.pages.offers))
        fields: dict[str, Any] = {one.name: one.type for kind in (score, PhoneView) for one in msgspec.structs.fields(kind)}
        fields["next"] = offers
        parts: list[Any] = [*fields.items(), ("already", bool | UnsetType, UNSET)]
        found.append(defstruct(f"{game.id.capitalize()}OrganiserView", parts, kw_only=True))
    return tuple(found)


ORGANISERS = Among(_organiser_views)
COMMANDED = Among(lambda: (*_organiser_views(), EffectView))
