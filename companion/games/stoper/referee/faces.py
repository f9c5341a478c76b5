"""The faces laid open before the places, read together: no card lies before two players, or twice before one. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from companion.decks.italian_sets import INDEX
from companion.games.stoper.referee.costs import COSTS, log_of
from companion.games.stoper.rules.cards import HAND, Card, Mask
from companion.games.stoper.rules.state import Seat
from companion.games.stoper.sightings import Shown
from companion.referee.beam import left_out
from companion.table.sure import SURE_FROM

MIN_ALTERNATIVE_PROBABILITY = 0.004
"""Probability below which an alternative of a face is not tried."""
PLAIN, CAUTION = 0.99, 3.0
"""A face less sure than the probability ``PLAIN`` is taken to be ``CAUTION`` times as doubtful as the eyes say, unless they name
no other kind: who is paid may depend on one face, and a misread one seldom seems quite sure. In the three bundled clips all 2,204
looks were right in which no other kind had 0.001, also those that said 0.985; the one misread look that said 0.98 named
others."""
MOST, MOST_OF_MANY = 4, 2
"""Alternatives of a face that are tried, at most; the same where more than three faces lie before a player."""
OF_A_PLAYER, OF_ALL = 10, 30
"""Ways that are kept, at most, to read one player's faces, and to read all faces together."""


@dataclass(frozen=True, slots=True)
class HandRead:
    """A player's faces as read: the ``cards`` that are known, and how many of the three are ``unknown``, unread or unseen.

    ``since``, ``t``: when the first and the last of them was laid open, seconds. ``read``: episode → card.
    """

    seat: Seat
    cards: Mask
    unknown: int
    since: float
    t: float
    read: tuple[tuple[int, Card], ...]


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to read all faces; ``cost``: the natural logarithm of its probability."""

    hands: tuple[HandRead, ...]
    cost: float


def readings(faces: Sequence[Shown], deck: Mask, taken: Mapping[Seat, Mask], told: Mapping[Seat, Mask]) -> tuple[Reading, ...]:
    """The likely ways to read these faces, the likeliest first. ``taken``: per player, cards that lie elsewhere and cannot be
    theirs. ``told``: per player, three cards that somebody has told: no face of theirs is read."""
    free = deck
    for cards in told.values():
        free &= ~cards
    found = [(0, Reading((), 0.0))]
    for seat in sorted({face.place for face in faces} - set(told)):
        mine = [face for face in faces if face.place == seat]
        ways = _of_a_player(seat, mine, free & ~taken.get(seat, 0))
        found = sorted(
            (
                (used | hand.cards, Reading((*one.hands, hand), one.cost + cost))
                for used, one in found
                for hand, cost in ways
                if not used & hand.cards
            ),
            key=lambda pair: -pair[1].cost,
        )[:OF_ALL]
    return tuple(one for _, one in found)


def _of_a_player(seat: Seat, faces: list[Shown], free: Mask) -> list[tuple[HandRead, float]]:
    """The likely ways to read one player's faces, among them always those that leave one face unread."""
    many = len(faces) > HAND
    choices = [list(_kinds(face, free, MOST_OF_MANY if many else MOST, many)) for face in faces]
    best: dict[tuple[Mask, int], tuple[HandRead, float]] = {}
    for way in product(*choices):
        known = [(face.episode, card) for face, (card, _) in zip(faces, way, strict=True) if isinstance(card, int)]
        cards = 0
        for _, card in known:
            cards |= 1 << card
        unread = sum(card is None for card, _ in way)
        if cards.bit_count() + unread > HAND or (not many and cards.bit_count() < len(known)):
            continue
        cost = sum(odd for _, odd in way) + COSTS.twice * (len(known) - cards.bit_count())
        unknown = HAND - cards.bit_count()
        used = [face for face, (card, _) in zip(faces, way, strict=True) if card != "nothing"] or faces
        hand = HandRead(seat, cards, unknown, used[0].t, used[-1].t, tuple(known))
        key = cards, unknown
        if key not in best or best[key][1] < cost:
            best[key] = hand, cost
    ranked = sorted(best.values(), key=lambda pair: -pair[1])
    kept = ranked[:OF_A_PLAYER]
    plain = next((one for one in ranked if not one[0].cards), None)  # this one is possible whatever lies elsewhere
    if plain is None:
        plain = HandRead(seat, 0, HAND, faces[0].t, faces[-1].t, ()), COSTS.unread * len(faces)
    return kept if plain in kept else [*kept, plain]


def _kinds(face: Shown, free: Mask, most: int, many: bool) -> Iterator[tuple[Card | str | None, float]]:
    """What a face may be: a card, one that could not be read (None), or, among many, ``nothing`` of the player's."""
    surest = face.alternatives[0][1] if face.alternatives else 0.0
    doubt = CAUTION if SURE_FROM <= surest < PLAIN and face.alternatives[1:] else 1.0
    likely = [(INDEX[kind], odd) for kind, odd in face.alternatives if odd >= MIN_ALTERNATIVE_PROBABILITY]
    named = [(card, odd) for card, odd in likely if free >> card & 1][:most]
    yield from ((card, log_of(odd if odd == surest else min(odd * doubt, surest))) for card, odd in named)
    unnamed = 1.0 - sum(odd for _, odd in face.alternatives)
    yield None, max(COSTS.unread, log_of(max(unnamed, (1.0 - surest) * doubt if doubt > 1.0 and surest else unnamed)))
    if many:
        yield "nothing", left_out(face.alternatives)
