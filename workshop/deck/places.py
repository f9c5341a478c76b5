"""Where the pips of the Italian number cards stand, in units of the card (500 by 895)."""

from __future__ import annotations

from typing import NamedTuple


class Place(NamedTuple):
    """A pip about (x, y), ``scale`` times its own size, turned clockwise; ``turn``: which of the suit's two inks it has."""

    x: float
    y: float
    scale: float
    angle: float = 0.0
    turn: int | None = None


def _grid(xs: tuple[float, ...], ys: tuple[float, ...], scale: float) -> tuple[Place, ...]:
    """Pips in columns and rows, their inks by turns as on a chessboard."""
    return tuple(Place(x, y, scale, 0, (i + j) % 2) for j, y in enumerate(ys) for i, x in enumerate(xs))


def _cross(y: float, scale: float, angle: float, *, star: bool = False) -> tuple[Place, ...]:
    """Two long pips that cross each other about the middle of the card's width; with ``star`` a third upright over them."""
    crossed = (Place(250, y, scale, -angle, 1), Place(250, y, scale, angle, 0))
    return (*crossed, Place(250, y, scale, 0, 0)) if star else crossed


_BAR = 447.5
"""y of the card's middle."""

PLACES: dict[str, dict[int, tuple[Place, ...]]] = {
    "round": {
        2: (Place(250, 238, 1.3, 0, 0), Place(250, 657, 1.3, 0, 1)),
        3: (Place(250, 174, 1.2, 0, 0), Place(250, _BAR, 1.2, 0, 1), Place(250, 721, 1.2, 0, 0)),
        4: _grid((142, 358), (190, 705), 0.98),
        5: (*_grid((142, 358), (180, 715), 0.98), Place(250, _BAR, 0.98, 0, 1)),
        6: _grid((142, 358), (165, _BAR, 730), 0.98),
        7: (*_grid((137, 363), (160, _BAR, 735), 0.86), Place(250, 303, 0.86, 0, 1)),
    },
    "upright": {
        2: _cross(_BAR, 1.72, 26),
        3: _cross(_BAR, 1.72, 29, star=True),
        4: _grid((150, 350), (242, 653), 0.96),
        5: (*_grid((124, 376), (242, 653), 0.9), Place(250, _BAR, 1.2, 0, 1)),
        6: _grid((106, 250, 394), (242, 653), 0.8),
        7: (*_grid((106, 250, 394), (212, 683), 0.76), Place(250, _BAR, 0.86, 90, 1)),
    },
    "crossed": {
        2: _cross(_BAR, 1.72, 26),
        3: _cross(_BAR, 1.72, 29, star=True),
        4: (*_cross(242, 1.0, 40), *_cross(653, 1.0, 40)),
        5: (*_cross(212, 0.84, 50), Place(250, _BAR, 1.0, 90, 1), *_cross(683, 0.84, 50)),
        6: (*_cross(242, 0.98, 43, star=True), *_cross(653, 0.98, 43, star=True)),
        7: (*_cross(208, 0.82, 36, star=True), Place(250, _BAR, 1.0, 90, 1), *_cross(687, 0.82, 36, star=True)),
    },
}
"""How the pips lie → number → their places, the lowest pip first."""

_SIDES = (Place(92, _BAR, 1.1), Place(408, _BAR, 1.1))

SPRIGS: dict[str, dict[int, tuple[Place, ...]]] = {
    "round": {2: _SIDES, 4: (Place(250, _BAR, 1.9),)},
    "upright": {2: (Place(250, 190, 1.6), Place(250, 745, 1.4)), 4: (Place(250, _BAR, 1.3),)},
    "crossed": {2: (*_SIDES, Place(250, 160, 1.3), Place(250, 735, 1.3)), 3: _SIDES, 4: _SIDES},
}
"""Where flowers stand between the pips."""
