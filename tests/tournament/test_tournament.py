"""A tournament: the draw, who goes on, who is late or gone, and that every step can be taken back."""

from __future__ import annotations

from collections import Counter

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.tournament.acts import Act, At, Begin, Draw, Enrol, Leave, Over, Paid, Ring, Undo
from companion.tournament.draw import drawn, sizes
from companion.tournament.standing import NotNow, Tournament, allowed, as_enrolled, going_on, history, stands

PEOPLE = tuple(f"P{number}" for number in range(1, 31))
BEGUN: list[Act] = [Begin(), Enrol(PEOPLE)]


def table_of(found: Tournament, number: int) -> tuple[str, ...]:
    assert found.round is not None
    return found.round.tables[number - 1].people


@given(st.integers(3, 300), st.integers(8, 30))
def test_sizes_differ_by_one_at_most(people: int, tables: int) -> None:
    for counts in (sizes(people, 8, 12), sizes(people, 8, 12, tables) if people >= 2 * tables else (1,)):
        assert max(counts) - min(counts) <= 1
    assert sum(sizes(people, 8, 12)) == people


@given(st.integers(16, 300))
def test_the_bounds_of_a_table_are_kept_where_they_can_be(people: int) -> None:
    assert all(8 <= count <= 15 for count in sizes(people, 8, 12))
    if people >= 24:
        assert all(count <= 13 for count in sizes(people, 8, 12))


@given(st.integers(0, 10**9), st.integers(1, 9), st.permutations(PEOPLE))
def test_the_draw_is_the_same_from_the_same_seed_in_whatever_order_people_came(seed: int, round: int, names: list[str]) -> None:
    counts = sizes(len(names), 8, 12)
    found = drawn(names, seed, round, counts)
    assert found == drawn(PEOPLE, seed, round, counts)
    assert Counter(name for table in found for name in table) == Counter(PEOPLE)
    assert tuple(map(len, found)) == counts


def test_another_seed_or_round_is_another_draw() -> None:
    counts = sizes(30, 8, 12)
    assert drawn(PEOPLE, 1, 1, counts) != drawn(PEOPLE, 2, 1, counts)
    assert drawn(PEOPLE, 1, 1, counts) != drawn(PEOPLE, 1, 2, counts)


def test_from_the_first_draw_to_the_winner() -> None:
    acts = [*BEGUN, Paid("P1"), Paid("P2"), Draw(7)]
    found = stands(acts)
    assert [len(table.people) for table in found.rounds[0].tables] == [10, 10, 10]
    assert found.pot == 400
    winners = []
    for number in (1, 2, 3):
        people = table_of(found, number)
        winners.append(people[3])
        acts.append(Over(number, (people[3], people[5])))
    acts.append(Draw(8))
    found = stands(acts)
    assert found.round is not None
    assert found.round.final
    assert set(table_of(found, 1)) == set(winners)
    found = stands([*acts, Over(1, (winners[1],))])
    assert found.winner == winners[1]
    assert [(one.name, one.points) for one in found.ranking()[:1]] == [(winners[1], 20)]
    with pytest.raises(NotNow, match="over"):
        allowed([*acts, Over(1, (winners[1],))], Draw(9))


def test_after_it_was_won_another_one_begins() -> None:
    won: list[Act] = [Begin(), Enrol(PEOPLE[:8]), Draw(7), Over(1, ("P1",))]
    found = stands([*won, Begin(go_on=2)])
    assert (found.people, found.rounds, found.winner) == ((), (), None)
    assert stands([*won, Begin(), Undo()]).winner == "P1"


def test_both_of_the_last_two_may_go_on() -> None:
    acts: list[Act] = [Begin(go_on=2), Enrol(PEOPLE), Draw(7)]
    found = stands(acts)
    acts += [Over(number, table_of(found, number)[:2]) for number in (1, 2, 3)]
    assert len(going_on(stands(acts), Begin(go_on=2))) == 6
    with pytest.raises(NotNow, match="2 of this table go on"):
        allowed(acts[:3], Over(1, table_of(found, 1)[:1]))


def test_one_late_one_gone_and_nobody_elses_table_changes() -> None:
    before = stands([*BEGUN, Draw(7)])
    found = stands([*BEGUN, Draw(7), Leave("P4"), Enrol(("Tardi",)), Enrol(("Tardissimo",))])
    assert found.round is not None
    assert before.round is not None
    for was, now in zip(before.round.tables, found.round.tables, strict=True):
        assert now.people[: len(was.people)] == was.people
    counts = [len(table.people) for table in found.round.tables]
    assert max(counts) - min(counts) <= 1
    assert "P4" not in going_on(stands([*BEGUN, Leave("P4")]), Begin())


@pytest.mark.parametrize(
    ("acts", "more", "why"),
    [
        ([], Enrol(("Anna",)), "No tournament"),
        ([], Undo(), "nothing to undo"),
        ([Begin(), Undo()], Undo(), "nothing to undo"),
        ([], Begin(least=9, most=8), "larger"),
        ([Begin()], Begin(), "already"),
        ([Begin()], Draw(1), "not enough"),
        (BEGUN, Enrol(("P3",)), "P3 is enrolled already"),
        (BEGUN, Leave("Zoe"), "Zoe"),
        (BEGUN, Paid("Zoe"), "Zoe"),
        (BEGUN, Draw(1, 16), "not enough"),
        ([*BEGUN, Draw(7)], Draw(8), "Table 1 still plays"),
        ([*BEGUN, Draw(7)], Over(4, ("P1",)), "no table 4"),
        (BEGUN, Over(1, ("P1",)), "no table 1"),
        ([*BEGUN, Draw(7)], Over(1, ("Zoe",)), "does not sit"),
    ],
)
def test_what_cannot_be_is_refused_and_says_why(acts: list[Act], more: Act, why: str) -> None:
    with pytest.raises(NotNow, match=why):
        allowed(acts, more)


@given(st.data())
def test_every_step_can_be_taken_back(data: st.DataObject) -> None:
    acts: list[Act] = [Begin(least=2, most=4), Enrol(PEOPLE[:9])]
    for _ in range(data.draw(st.integers(0, 12))):
        now = stands(acts)
        offered: list[Act] = [Paid("P1"), Leave("P2"), Draw(data.draw(st.integers(0, 99))), Enrol((f"L{len(acts)}",)), Undo()]
        if now.round is not None:
            offered += [Over(table.number, table.people) for table in now.round.tables]
        more = data.draw(st.sampled_from(offered))
        try:
            after = allowed(acts, more)
        except NotNow:
            continue
        if not isinstance(more, Undo):
            assert stands([*acts, more, Undo()]) == now
        acts.append(more)
        assert stands(acts) == after
    assert len(history(acts)) == sum(not isinstance(act, Undo) for act in acts)


def test_an_outcome_that_is_said_again_counts_once() -> None:
    acts = [*BEGUN, Draw(7)]
    people = table_of(stands(acts), 1)
    found = stands([*acts, Over(1, people[:2]), Over(1, (people[1], people[0]))])
    assert {one.name: one.points for one in found.people if one.points} == {people[1]: 10, people[0]: 6}


def test_a_name_typed_in_another_way_is_the_person_who_is_enrolled() -> None:
    now = stands([Begin(), Enrol(("Gino", "Niccolò"))])
    assert as_enrolled(now, ["gino", " NICCOLO", "Pia", "pia", "Gino"]) == ("Gino", "Niccolò", "Pia", "Pia", "Gino")
    with pytest.raises(NotNow, match="enrolled already"):
        allowed([Begin(), Enrol(("Gino",))], Enrol(as_enrolled(now, ["gino"])))


def pots(found: Tournament) -> list[list[int]]:
    return [[found.pot_of(round, table) for table in round.tables] for round in found.rounds]


def played(begin: Begin) -> list[Act]:
    """Twenty people who have paid, and one who has not; two tables, and the final of their winners."""
    acts: list[Act] = [begin, Enrol(PEOPLE[:21]), *map(Paid, PEOPLE[:20]), Draw(7, 2)]
    found = stands(acts)
    return [*acts, *(Over(number, (table_of(found, number)[0],)) for number in (1, 2)), Draw(8)]


def test_each_table_plays_for_the_stakes_of_its_people_and_the_final_for_its_own() -> None:
    acts = played(Begin(stake=200, final_stake=500))
    found = stands(acts)
    assert sum(pots(found)[0]) == 20 * 200
    assert sorted(pots(found)[0]) == [10 * 200, 10 * 200]
    assert pots(found)[1] == [0]
    assert pots(stands([*acts, *(Paid(name, final=True) for name in table_of(found, 1))]))[1] == [1000]
    late = [*acts[:-1], Enrol(("Zoe",)), Paid("Zoe"), Draw(8)]
    assert pots(stands(late))[1] == [200]  # who sits down there for the first time


def test_of_a_common_pot_the_final_has_everything() -> None:
    acts = played(Begin(stake=200, final_stake=500, pot="common"))
    acts += [Paid(name, final=True) for name in table_of(stands(acts), 1)]
    found = stands(acts)
    assert pots(found) == [[0, 0], [5000]]
    assert found.pot == 5000
    assert stands([*acts, Paid(table_of(found, 1)[0], False, True)]).pot == 4500


def test_the_finals_stake_is_paid_by_those_who_play_in_it() -> None:
    acts = played(Begin(final_stake=500))
    finalists = table_of(stands(acts), 1)
    loser = next(name for name in PEOPLE[:21] if name not in finalists)
    for before, name in ((acts, loser), (acts, "Nobody"), (acts[:-1], finalists[0])):
        with pytest.raises(NotNow, match="does not play in the final"):
            allowed(before, Paid(name, final=True))


def test_the_bell_is_for_tables_that_play_and_can_be_taken_back() -> None:
    acts = played(Begin())
    for idle in (acts[:2], acts[:-1]):
        with pytest.raises(NotNow, match="none does now"):
            allowed(idle, Ring("matto", 1))
    assert stands(acts).bell is None
    rung = [*acts, Ring("matto", 1), Ring("ricompere", 2)]
    assert stands(rung).bell == Ring("ricompere", 2)
    assert stands([*rung, Undo()]).bell == Ring("matto", 1)
    assert stands([*rung, Over(1, table_of(stands(acts), 1)[:1])]).bell is None


@pytest.mark.parametrize("body", [
    '{"what":"begin","least":8,"most":12,"go_on":1,"stake":200,"points":[10]}', '{"what":"paid","name":"Anna","paid":false}',
])  # fmt: skip
def test_acts_of_before_are_read_as_they_were_meant(body: str) -> None:
    assert msgspec.json.decode(body, type=Act) in (Begin(points=(10,)), Paid("Anna", False))


def halls(found: Tournament) -> list[str]:
    assert found.round is not None
    return [table.hall for table in found.round.tables]


def test_each_table_of_a_round_is_played_at_one_of_the_halls() -> None:
    drawn = Draw(1, 3, ("Portico", "Loggia", "2", "Ponte"))
    assert halls(stands([*BEGUN, drawn])) == ["Portico", "2", "Loggia"]
    assert halls(stands([*BEGUN, Draw(1, 3, ("Portico",))])) == ["Portico", "", ""]
    assert halls(stands([*BEGUN, Draw(1, 3)])) == ["", "", ""]
    assert [[table.people for table in stands([*BEGUN, one]).rounds[0].tables] for one in (drawn,)] == [
        [table.people for table in stands([*BEGUN, Draw(1, 3)]).rounds[0].tables]
    ]


def test_where_a_table_is_played_can_be_said_and_no_two_are_played_at_one() -> None:
    acts: list[Act] = [*BEGUN, Draw(1, 3, ("Portico", "Loggia"))]
    assert halls(allowed(acts, At(3, "Ponte"))) == ["Portico", "Loggia", "Ponte"]
    assert halls(allowed(acts, At(3, "Portico"))) == ["", "Loggia", "Portico"]
    assert halls(allowed(acts, At(2, "Portico"))) == ["Loggia", "Portico", ""]
    assert halls(allowed(acts, At(1, "Portico"))) == ["Portico", "Loggia", ""]
    assert halls(allowed(acts, At(1, ""))) == ["", "Loggia", ""]
    assert halls(allowed([*acts, At(1, "")], Undo())) == ["Portico", "Loggia", ""]
    for refused in ([*BEGUN], acts):
        with pytest.raises(NotNow, match="There is no table 4"):
            allowed(refused, At(4, "Portico"))
