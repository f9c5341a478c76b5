"""The pot: stakes, ricompere, agreed shares, settlement; exact sums in minor units (rules 5, 8, 10, 13, 20)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from decimal import Decimal
from fractions import Fraction

from companion.games.stu.rules import reasons
from companion.games.stu.rules.log import Event, Partner, Rebuy
from companion.games.stu.rules.state import Agreement
from companion.table.errors import Illegal

MAX_DECIMALS = 1_000
"""Decimals of a share, at most. No share needs more; an exponent of nine digits would only fill memory."""


def price(stake: int, ricompere: int) -> int:
    """What the next ricompera costs after this many: the stake, doubled once more each time (rule 10).

    >>> [price(200, paid) for paid in range(4)]
    [400, 800, 1600, 3200]
    """
    return stake << (ricompere + 1)


def pot(stake: int, players: int, ricompere: int) -> int:
    """All stakes and ricompere paid.

    >>> pot(200, players=6, ricompere=2)
    2400
    """
    return stake * (players + (2 << ricompere) - 2)


def paid_for(price: int, event: Rebuy) -> tuple[tuple[str, int], ...]:
    """Who pays how much of a ricompera at this ``price`` (minor units): the player who comes back first, then partners. The sum
    is the price.

    A partner pays the share that they take, rounded down, unless the log says what they paid. The player who comes back pays the
    rest, which is below 0 where the partners have paid too much. A partner who is the player themselves pays nothing besides.

    >>> paid_for(401, Rebuy(by="Anna", partners=(Partner("Zia", Decimal("0.25")), Partner("Carla", Decimal("0.5"), paid=0))))
    (('Anna', 301), ('Zia', 100))
    """
    paid = [(partner.name, part_of(price, partner)) for partner in event.partners if partner.name != event.by]
    rest = price - sum(part for _, part in paid)
    return ((event.by, rest), *((name, part) for name, part in paid if part))


def paid_by_each(price: int, event: Rebuy) -> tuple[int, ...]:
    """What each partner pays of a ricompera at this ``price`` (minor units), in the order noted. The player who comes back, where
    they are noted too, pays what `paid_for` leaves to them; noted again, 0.

    >>> paid_by_each(1000, Rebuy(by="Anna", partners=(Partner("Anna", Decimal("0.333")), Partner("Zia", Decimal("0.5")))))
    (500, 500)
    """
    rest, found = paid_for(price, event)[0][1], list[int]()
    for partner in event.partners:
        if partner.name == event.by:
            found.append(rest)
            rest = 0
        else:
            found.append(part_of(price, partner))
    return tuple(found)


def part_of(price: int, partner: Partner) -> int:
    """What a partner pays of a ricompera at this ``price`` (minor units)."""
    return partner.paid if partner.paid is not None else int(price * Fraction(partner.share))


def check_shares(shares: Iterable[Decimal], *, rule: int) -> None:
    """Shares of one agreement are each 0 to 1, and at most 1 in all.

    Raises:
        Illegal: they are not.
    """
    total = Fraction(0)
    for share in shares:
        if not share.is_finite() or not 0 <= share <= 1:
            raise Illegal(reasons.SHARE_OUTSIDE, rule=rule, expected="parts of the pot, such as 0.25")
        if share and -int(share.as_tuple().exponent) > MAX_DECIMALS:
            raise Illegal(reasons.SHARE_TOO_LONG, expected="a shorter number", decimals=MAX_DECIMALS)
        total += Fraction(share)
    if total > 1:
        raise Illegal(reasons.SHARES_ABOVE_POT, rule=rule, expected="at most 1 in all")


def part_of_pot(pot: int, share: Decimal) -> int:
    """A share (0 to 1) of the pot, rounded down to minor units."""
    return int(pot * Fraction(share))


def parts(pot: int, winner: str, agreements: Iterable[Agreement]) -> Iterator[tuple[Agreement, int]]:
    """What each agreement gives of the pot, minor units: all that bind this winner, but for a winner's own share.

    They are paid in the order given while the pot lasts, each a share of the whole pot rounded down.
    """
    left = pot
    for agreed in agreements:
        if winner in agreed.winners and agreed.to != winner:
            amount = min(left, part_of_pot(pot, agreed.share))
            left -= amount
            yield agreed, amount


def settlement(pot: int, winner: str, agreements: Iterable[Agreement]) -> dict[str, int]:
    """Who gets how much of the pot: name → minor units, summing to ``pot``.

    The agreements give their `parts`; amounts of 0 are left out. The winner has the rest.

    >>> settlement(1000, "Anna", [Agreement("taverna", ("Anna",), "Bruno", Decimal("0.25"))])
    {'Anna': 750, 'Bruno': 250}
    """
    paid: dict[str, int] = {}
    for agreed, amount in parts(pot, winner, agreements):
        if amount:
            paid[agreed.to] = paid.get(agreed.to, 0) + amount
    return {winner: pot - sum(paid.values()), **paid}


def mistold(event: Event) -> Illegal | None:
    """Why an organiser is refused a ricompera that a log may hold: a partner would be passed over, as they are named twice, or
    are the player who comes back and nobody else shares it. None for any other event."""
    if not isinstance(event, Rebuy):
        return None
    names = [one.name for one in event.partners]
    if twice := [name for name in names if names.count(name) > 1]:
        return Illegal(reasons.PARTNER_TWICE, rule=10, expected="each partner once", player=twice[0])
    if names == [event.by]:
        return Illegal(reasons.OWN_PARTNER, rule=10, expected="who else shares it, or no partners", player=event.by)
    return None
