"""The seat draw (rule 4): one card face up each; the highest deals, the others sit at the dealer's right in descending order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby

from msgspec import Struct

from companion.decks.stu import COPIES, RANK
from companion.games.stu.rules import reasons
from companion.table.errors import Contradictory, Illegal


class Seating(Struct, frozen=True):
    """What a seat draw came to.

    Attributes:
        players: everybody anticlockwise from the dealer's right, so the dealer is last; empty while cards are equal.
        dealer: who deals first, None while that is open.
        again: groups who drew equal cards and must draw again among themselves, highest first.
    """

    players: tuple[str, ...]
    dealer: str | None
    again: tuple[tuple[str, ...], ...] = ()


def seat_draw(*rounds: Mapping[str, str]) -> Seating:
    """Seats by the cards drawn: player → kind, a round for the first draw, and one for each draw of those who were equal.

    A later round may decide several groups at once. Cards go back into the deck between rounds.

    >>> seat_draw({"Anna": "7", "Bruno": "cucco", "Carla": "matto"})
    Seating(players=('Anna', 'Carla', 'Bruno'), dealer='Bruno', again=())
    >>> seat_draw({"Anna": "7", "Bruno": "7", "Carla": "matto"}).again
    (('Anna', 'Bruno'),)

    Raises:
        Illegal: fewer than 2 players, or a later round that is not of exactly all who must draw again.
        Contradictory: three cards of a kind in one draw (rule 3).
        ValueError: no such kind.
    """
    if not rounds or len(rounds[0]) < 2:
        raise Illegal(reasons.TOO_FEW_FOR_SEATS, rule=4, expected="a card for each player")
    groups = _by_card(tuple(rounds[0]), rounds[0])
    for drawn in rounds[1:]:
        equal = {player for group in groups if len(group) > 1 for player in group}
        if set(drawn) != equal:
            raise Illegal(reasons.NOT_THOSE_WHO_DRAW, rule=4, expected=", ".join(sorted(equal)) or "no draw")
        groups = [part for group in groups for part in (_by_card(group, drawn) if len(group) > 1 else [group])]
    again = tuple(group for group in groups if len(group) > 1)
    dealer = groups[0][0] if len(groups[0]) == 1 else None
    if again:
        return Seating((), dealer, again)
    descending = tuple(group[0] for group in groups)
    return Seating(descending[1:] + descending[:1], dealer)


def _by_card(players: Sequence[str], drawn: Mapping[str, str]) -> list[tuple[str, ...]]:
    """The players in groups of equal cards, highest first."""
    for player in players:
        if drawn[player] not in RANK:
            raise ValueError(f"{player} drew {drawn[player]!r}, which is no card")
    ordered = sorted(players, key=lambda player: -RANK[drawn[player]])
    groups = [tuple(group) for _, group in groupby(ordered, key=lambda player: drawn[player])]
    for group in groups:
        if len(group) > COPIES:
            card = drawn[group[0]]
            raise Contradictory(reasons.DRAWN_TOO_OFTEN, rule=3, expected=f"at most {COPIES}", number=len(group), card=card)
    return groups
