"""The pot and its settlement: exact at any size, rounded down for everybody but the winner (rules 8, 10, 13, 20)."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import hypothesis.strategies as st
import pytest
from hypothesis import given

from companion.games import stu
from companion.games.stu.rules import money
from companion.games.stu.rules.state import Agreement


def test_prices_double() -> None:
    assert [money.price(250, paid) for paid in range(4)] == [500, 1000, 2000, 4000]
    assert money.pot(250, 6, 3) == 6 * 250 + 500 + 1000 + 2000
    assert money.price(10**9, 99) == 10**9 * 2**100


def test_shares_are_of_the_whole_pot_and_rounded_down() -> None:
    agreed = [Agreement("taverna", ("Anna",), "Bruno", Decimal("0.29")), Agreement("partner", ("Anna",), "Zia", Decimal("0.333"))]
    assert money.settlement(100, "Anna", agreed) == {"Anna": 38, "Bruno": 29, "Zia": 33}


def test_paid_in_the_order_noted_while_the_pot_lasts() -> None:
    agreed = [Agreement("taverna", ("Anna",), name, Decimal("0.6")) for name in ("Bruno", "Carla", "Dino")]
    assert money.settlement(101, "Anna", agreed) == {"Anna": 0, "Bruno": 60, "Carla": 41}


def test_who_is_bound_and_what_is_left_out() -> None:
    agreed = [
        Agreement("taverna", ("Bruno",), "Carla", Decimal("0.5")),
        Agreement("split", ("Anna", "Bruno"), "Anna", Decimal("0.5")),
        Agreement("split", ("Anna", "Bruno"), "Bruno", Decimal("0.004")),
    ]
    assert money.settlement(200, "Anna", agreed) == {"Anna": 200}
    assert money.settlement(250, "Anna", agreed) == {"Anna": 249, "Bruno": 1}


def test_the_same_person_twice_adds_up() -> None:
    agreed = [Agreement("taverna", ("Anna",), "Bruno", Decimal("0.1")), Agreement("partner", ("Anna",), "Bruno", Decimal("0.2"))]
    assert money.settlement(50, "Anna", agreed) == {"Anna": 35, "Bruno": 15}


@given(
    pot=st.integers(1, 10**40),
    shares=st.lists(st.decimals(0, 1, allow_nan=False, places=12), max_size=6),
)
def test_every_settlement_sums_to_the_pot(pot: int, shares: list[Decimal]) -> None:
    agreed = [Agreement("taverna", ("Anna",), f"P{i}", share) for i, share in enumerate(shares)]
    settled = money.settlement(pot, "Anna", agreed)
    assert sum(settled.values()) == pot
    for agreement in agreed:
        due = pot * Fraction(agreement.share)
        assert settled.get(agreement.to, 0) <= due < pot + 1
        if sum(shares) <= 1:
            assert due - settled.get(agreement.to, 0) < 1


@pytest.mark.parametrize("share", ["-0.1", "1.0001", "NaN", "Infinity", "1e-2000"])
def test_shares_that_cannot_be(share: str) -> None:
    with pytest.raises(stu.Illegal):
        money.check_shares([Decimal(share)], rule=13)


@pytest.mark.parametrize("shares", [["0", "-0.0", "0e-99999999", "1"], ["1e-900"], ["0.5", "0.5"], []])
def test_shares_that_can(shares: list[str]) -> None:
    money.check_shares(map(Decimal, shares), rule=13)


def test_a_hair_above_the_whole_is_above() -> None:
    with pytest.raises(stu.Illegal):
        money.check_shares([Decimal("0.5"), Decimal("0.5"), Decimal("1e-999")], rule=20)
