"""Which faces a correction says the eyes misread, and where they are in the pictures that are kept. Pure.

A correction may be of much: who it was, when it was, what was said. The eyes learn from it only where they named another
card, or none, in that very place and moment, and the card lay there whole and large enough.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from companion.eyes.geometry import card_length, polygon_iou
from companion.eyes.sighting import Point, Quad
from companion.line.footage import MAX_WIDTH, Look, Still
from companion.referee.chapter import Chapter
from companion.referee.clips import laid_open
from companion.table.log import tag

MIN_CARD_PIXELS: Final = 40.0
"""Least length of a card in the kept picture, pixels: a shorter one shows too little."""
MAX_DISTANCE_LENGTHS: Final = 0.75
"""Greatest distance, in card lengths, of a card's middle from the place in which it counts as lying."""
MIN_NAMED_SHARE: Final = 0.25
"""Share of the looks that named the card from which on the eyes did know it, and something else was wrong."""
MIN_UNREAD_SECONDS: Final = 1.0
"""Least seconds for which an unread face must lie in a place: a player who looks at a card shows it for less."""
EDGE_PIXELS: Final = 2.0
"""Pixels from the picture's edge: a card nearer to it may be cut off."""


@dataclass(frozen=True, slots=True, eq=False)
class FaceThere:
    """A face in ``place`` (from 0), of a ``card`` for certain, which the eyes ``said`` to be that or another; "": none.

    ``quad`` (4, 2): in pixels of the picture in ``still``.
    """

    place: int
    card: str
    said: str
    still: Still
    quad: NDArray[np.float64]


def misread(before: Chapter, after: Chapter, stills: Sequence[Still]) -> Iterator[FaceThere]:
    """The faces of a hand that it took a correction to know: one for each place and card, as large as it was seen.

    ``before``, ``after``: the hand before and after what somebody said; ``stills``: the pictures of it that are kept.
    """
    if after.standing_in:  # its cards stand for an outcome: nobody has named one
        return
    best: dict[tuple[int, str], FaceThere] = {}
    elsewhere: set[tuple[int, str]] = set()
    named: dict[tuple[int, str], list[bool]] = {}
    for still in stills:
        was, now = laid_open(before, still.t), laid_open(after, still.t)
        said = {place: kind for look in still.looks for place, _, kind in faces_in(look, still)}
        for face in _certain(now, still):
            key = face.place, face.card
            if was.get(face.place) == now[face.place]:
                continue
            named.setdefault(key, []).append(face.said == face.card)
            others = {place: kind for place, kind in said.items() if place != face.place}
            moved = any(face.said in kinds and face.said not in was.get(at, ()) for at, kinds in now.items() if at != face.place)
            if face.card in others.values() or moved:
                elsewhere.add(key)
            if key not in best or card_length(face.quad) > card_length(best[key].quad):
                best[key] = face
    for key, face in best.items():
        if key not in elsewhere and np.mean(named[key]) < MIN_NAMED_SHARE and face.said != face.card:
            yield face
    yield from (face for face in _unread(before, after, stills) if (face.place, face.card) not in best)


def _unread(before: Chapter, after: Chapter, stills: Sequence[Still]) -> Iterator[FaceThere]:
    """Faces that were told to have been laid open, where one lay to the end in which the eyes could read nothing."""
    filmed = [one for one in stills if one.looks]
    known = set(_revealed(before))
    for place, card in set(_revealed(after, by_hand=True)) - known:
        lying = [[said for at, _, said in faces_in(one.looks[-1], one) if at == place] for one in filmed]
        last = max((n for n, one in enumerate(lying) if one), default=-1)
        first = next((n + 1 for n in range(last, -1, -1) if not lying[n]), 0)
        run, said = filmed[first : last + 1], [one for names in lying[first : last + 1] for one in names]
        if run and run[-1].t - run[0].t >= MIN_UNREAD_SECONDS and not any(said):
            seen = [one for still in run for one in _certain({place: (card,)}, still)]
            yield from sorted(seen, key=lambda one: float(card_length(one.quad)))[-1:]


def still_told(chapter: Chapter, place: int, card: str, t: float) -> bool:
    """Whether the hand still tells that this card was laid open in the place."""
    return (place, card) in _revealed(chapter) or card in laid_open(chapter, t).get(place, ())


def _revealed(chapter: Chapter, by_hand: bool = False) -> Iterator[tuple[int, str]]:
    """Place and card of each line that tells of a card that was laid open; ``by_hand``: of those that somebody said."""
    names = chapter.game.rules.names(chapter.before)
    for index, line in enumerate(chapter.lines):
        by, card = getattr(line.event, "by", None), getattr(line.event, "card", None)
        told = index not in chapter.standing_in and (index in chapter.fixed or not by_hand)
        if tag(line.event) == "reveal" and by in names and card is not None and told:
            yield names.index(by), card


def well_read(chapter: Chapter, stills: Sequence[Still]) -> Iterator[FaceThere]:
    """The faces of a hand that the eyes named as the log does: one for each place and card, as large as it was seen."""
    best: dict[tuple[int, str], FaceThere] = {}
    for still in stills if not chapter.standing_in else ():
        for face in _certain(laid_open(chapter, still.t), still):
            key = face.place, face.card
            if face.said == face.card and (key not in best or card_length(face.quad) > card_length(best[key].quad)):
                best[key] = face
    yield from best.values()


def faces_in(look: Look, still: Still) -> Iterator[tuple[int, Quad, str]]:
    """The faces of a look that lie in a place: the place, the quad and the kind, "" where it was not named."""
    for quad, kind in look.up:
        middle = np.mean(quad, axis=0)
        away = [float(np.linalg.norm(middle - np.asarray(place))) for place in still.places]
        if away and min(away) <= MAX_DISTANCE_LENGTHS * float(card_length(quad)):
            yield int(np.argmin(away)), quad, kind or ""


def _certain(opened: Mapping[int, Collection[str]], still: Still) -> Iterator[FaceThere]:
    """The whole faces in a picture for which the log leaves only one card."""
    look = still.looks[-1] if still.looks else None
    if look is None:
        return
    quads = [quad for quad, _ in look.up] + list(look.down)
    for place, quad, said in faces_in(look, still):
        if len(opened.get(place, ())) == 1 and _whole(quad, still, [other for other in quads if other is not quad]):
            (card,) = opened[place]
            yield FaceThere(place, card, said, still, np.asarray(quad, np.float64))


def _whole(quad: Quad, still: Still, others: Sequence[Sequence[Point]]) -> bool:
    points = np.asarray(quad, np.float64)
    inside = (points > EDGE_PIXELS).all() and (points < np.asarray(still.size) - 1 - EDGE_PIXELS).all()
    length = float(card_length(points)) * min(1.0, MAX_WIDTH / still.size[0])
    return bool(inside) and length >= MIN_CARD_PIXELS and all(polygon_iou(points, one) < 0.02 for one in others)
