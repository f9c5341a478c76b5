"""What is told of an agreement on the pot is what settles it, also if the other wins (rules 10, 13, 20)."""

from __future__ import annotations

from decimal import Decimal

import hypothesis.strategies as st
import pytest
from hypothesis import given
from msgspec.structs import replace

from companion.games.stu import agreed, apply, begin, log, new_game, replay_log
from companion.games.stu.pages import agreements
from companion.games.stu.rules import State, report
from companion.games.stu.rules.money import paid_for, price, settlement
from companion.games.stu.rules.state import Agreement
from companion.games.stu.words import rulings
from companion.table.log import Line, write_lines
from companion.table.money import money

BOTH = ("Anna", "Bruno")


def pot_of(stake: int) -> State:
    """A game of two with a pot of twice the stake (minor units)."""
    return begin(new_game(BOTH, stake, "Bruno"))


@pytest.mark.parametrize(
    ("stake", "shares", "said"),
    [
        (300, ("0.333333", "0.666667"),
     "Anna 33,3333\u00a0% (1,99 €, se vince 2,00 €), Bruno 66,6667\u00a0% (4,00 €, se vince 4,01 €)"),
        (300, ("0.6", "0.4"), "Anna 60\u00a0% (3,60 €), Bruno 40\u00a0% (2,40 €)"),
        (300, ("0.5", "0.25"),
     "Anna 50\u00a0% (3,00 €, se vince 4,50 €), Bruno 25\u00a0% (1,50 €, se vince 3,00 €)"),
        (300, ("0", "1"), "Anna 0\u00a0% (0,00 €), Bruno 100\u00a0% (6,00 €)"),
    ],
)
def test_a_split_tells_what_each_takes_who_loses_and_who_wins(stake: int, shares: tuple[str, str], said: str) -> None:
    before = pot_of(stake)
    state = apply(before, log.Split(shares=dict(zip(BOTH, map(Decimal, shares), strict=True))))
    assert [one.then for one in agreements.differences(before, state, "it")] == [said]


SHARE = st.decimals(0, 1, allow_nan=False, places=6)


@given(stake=st.integers(1, 10**9), first=SHARE, second=SHARE, ceded=SHARE)
def test_what_is_told_of_a_split_is_what_is_settled(stake: int, first: Decimal, second: Decimal, ceded: Decimal) -> None:
    taverna = Agreement("taverna", ("Anna",), "Bruno", ceded, 1)
    split = tuple(Agreement("split", BOTH, name, share) for name, share in zip(BOTH, (first, second), strict=True))
    for among in (split, (taverna, *split)):
        for mine, theirs in (("Anna", "Bruno"), ("Bruno", "Anna")):
            one = next(agreement for agreement in split if agreement.to == mine)
            won, lost = settlement(2 * stake, mine, among)[mine], settlement(2 * stake, theirs, among).get(mine, 0)
            other = sum(agreed.part(a, 2 * stake, among) for a in among if a.to == mine and a is not one and theirs in a.winners)
            assert agreed.part(one, 2 * stake, among) + other == lost
            told = agreed.sums(one, 2 * stake, among, "it")
            assert told.split(", se vince ") == list(dict.fromkeys((money(lost - other, "it"), money(won, "it"))))


def test_a_share_for_which_the_pot_does_not_last_is_told_as_it_is_paid() -> None:
    among = [Agreement("taverna", ("Anna",), name, Decimal("0.6")) for name in ("Bruno", "Carla")]
    assert [agreed.part(one, 1000, among) for one in among] == [600, 400]
    assert agreed.taverna(among[1], 1000, among, "it") == "60\u00a0% (4,00 €) se vince Anna"


def test_who_comes_back_and_is_noted_among_the_partners_has_what_these_leave() -> None:
    own = Agreement("partner", ("Anna",), "Anna", Decimal("0.25"))
    zia = Agreement("partner", ("Anna",), "Zia", Decimal("0.25"))
    assert agreed.part(own, 1000, [own]) == settlement(1000, "Anna", [own])["Anna"] == 1000
    assert agreed.part(own, 1000, [own, zia]) == settlement(1000, "Anna", [own, zia])["Anna"] == 750


CEDED = (
    new_game(("Anna", "Bruno", "Carla"), 200, "Carla"), log.Hand(), log.Passo(by="Anna"),
    log.Taverna(by="Bruno", share=Decimal("0.29"), terms="un caffè"),
)  # fmt: skip
TERMS = "Bruno ha ceduto la Taverna: 29\u00a0% del montepremi se vince Anna, un caffè"
PRINTED = TERMS.replace("\u00a0", " ")
"""In `companion rule`, whose text is searched by what people type."""


def test_companion_rule_tells_what_a_ceded_taverna_costs() -> None:
    state = replay_log(write_lines(Line(event) for event in CEDED))
    assert f"  {PRINTED}" in rulings(state, "it").splitlines()
    assert agreed.notes(state, 1, "it") == (TERMS,)


def test_it_tells_a_sum_only_of_the_pot_that_is_asked_about() -> None:
    state = replay_log(write_lines(Line(event) for event in CEDED))
    grown = replace(state, ricompere=1)
    assert PRINTED in str(grown)
    assert agreed.notes(grown, 1, "it", 1000) == ("Bruno ha ceduto la Taverna: 29\u00a0% (2,90 €) se vince Anna, un caffè",)


def test_it_tells_the_terms_beside_the_steps_of_the_hand_too() -> None:
    from companion.games.stu import telling

    lines = tuple(Line(event) for event in CEDED)
    state = replay_log(write_lines(lines))
    assert f"  {PRINTED}" in telling.text(state, telling.story(lines), "it", {})


def test_nothing_is_told_where_nothing_was_agreed() -> None:
    state = replay_log(write_lines(Line(event) for event in (*CEDED[:3], log.Taverna(by="Bruno"))))
    assert "ceduto" not in str(state)


ABOVE, BELOW = Decimal("0.333333333334"), Decimal("0.333333333332")
"""A third as the phone notes it, and what is left of the whole beside two of these."""


@given(euros=st.integers(1, 10**7))
def test_three_who_share_a_pot_in_thirds_have_as_much_each_where_it_comes_out_even(euros: int) -> None:
    """Whether the player who comes back is noted with a share or has the rest."""
    partners = tuple(Agreement("partner", ("Anna",), name, ABOVE) for name in ("Zia", "Gina"))
    for among in (partners, (Agreement("partner", ("Anna",), "Anna", BELOW), *partners)):
        assert settlement(3 * euros, "Anna", among) == dict.fromkeys(("Anna", "Zia", "Gina"), euros)


def bought_back(stake: int, partners: tuple[log.Partner, ...]) -> State:
    """Carla, who was out, comes back with these partners."""
    standing = {"Anna": log.Standing(3, True), "Bruno": log.Standing(1, False), "Carla": log.Standing(0, False)}
    first = new_game(tuple(standing), stake, "Anna", standing=standing)
    return apply(begin(first), log.Rebuy(by="Carla", partners=partners))


@pytest.mark.parametrize(
    ("stake", "said"),
    [
        (500, ["8,34 €, mette 3,34 €", "8,33 €, mette 3,33 €", "8,33 €, mette 3,33 €"]),
        (300, ["5,00 €, mette 2,00 €", "5,00 €, mette 2,00 €", "5,00 €, mette 2,00 €"]),
    ],
)
def test_thirds_of_a_ricompera_are_told_as_they_are_settled(stake: int, said: list[str]) -> None:
    thirds = (log.Partner("Carla", BELOW), log.Partner("Gina", ABOVE), log.Partner("Ugo", ABOVE))
    carla, gina, ugo = (f"{name} (33,3333\u00a0%: {sums})" for name, sums in zip(("Carla", "Gina", "Ugo"), said, strict=True))
    assert agreements.partners("Carla", bought_back(stake, thirds), "it") == f"con {carla}, {gina} e {ugo}"


PARTS = st.lists(SHARE | st.sampled_from([ABOVE, BELOW]), min_size=1, max_size=5).filter(lambda shares: sum(shares) <= 1)


@given(stake=st.integers(1, 10**9), shares=PARTS, names=st.permutations(("Carla", "Gina", "Ugo", "Zia", "Carla")),
       paid_nothing=st.lists(st.booleans(), min_size=5, max_size=5), ceded=SHARE)  # fmt: skip
def test_what_is_told_of_partners_is_what_each_is_paid_and_pays(
    stake: int, shares: list[Decimal], names: list[str], paid_nothing: list[bool], ceded: Decimal
) -> None:
    """Whether the player who comes back is noted, once or twice, or is not, and has ceded a part of the pot before."""
    partners = tuple(
        log.Partner(name, share, 0 if nothing else None)
        for name, share, nothing in zip(names, shares, paid_nothing, strict=False)
    )
    state = bought_back(stake, partners)
    pot, due, mine = report(state).pot, price(stake, 0), "Carla" in [one.name for one in partners]
    taverna = Agreement("taverna", ("Carla",), "Bruno", ceded, 1)
    paid = dict(paid_for(due, log.Rebuy(by="Carla", partners=partners)))
    assert sum(paid.values()) == due
    for among in (state.agreements, (taverna, *state.agreements), (*state.agreements, taverna)):
        settled, takes, pays = settlement(pot, "Carla", among), dict[str, int](), dict[str, int]()
        for one in among:
            takes[one.to] = takes.get(one.to, 0) + agreed.part(one, pot, among)
            pays[one.to] = pays.get(one.to, 0) + one.paid
        assert takes == {name: settled.get(name, 0) for name in takes}
        assert pays == {name: paid.get(name, 0) for name in pays}
        assert (sum(takes.values()), sum(pays.values())) == (pot, due) or not mine
