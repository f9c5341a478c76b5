"""The fewest payments that settle a game."""

from __future__ import annotations

from collections import Counter

import pytest
from games import lines
from hypothesis import given
from hypothesis import strategies as st
from test_accounts import hand, head
from test_people import STOPER

from companion.dashboard import Settings
from companion.dashboard.feed import Snapshot, replayed
from companion.games import GAMES
from companion.pages.settling import Before
from companion.table.settling import MAX_EXACT, transfers


@st.composite
def balances(draw: st.DrawFn, most: int) -> dict[str, int]:
    """Of up to this many people, in sums of few sizes, so that groups settle among themselves."""
    first = draw(st.lists(st.integers(-6, 6), min_size=1, max_size=most - 1))
    return {f"P{n}": has for n, has in enumerate([*first, -sum(first)])}


def groups(of: tuple[int, ...]) -> int:
    """The most groups that each add up to 0, by trying every one that the first can be in."""
    if not of:
        return 0
    first, *others = of
    best = 0
    for chosen in range(1 << len(others)):
        within = [has for n, has in enumerate(others) if chosen >> n & 1]
        if first + sum(within) == 0:
            best = max(best, 1 + groups(tuple(has for n, has in enumerate(others) if not chosen >> n & 1)))
    return best


@given(balances(MAX_EXACT + 6))
def test_everybody_ends_with_what_they_have_won_and_only_those_who_lost_pay(has: dict[str, int]) -> None:
    moved = Counter[str]()
    for payer, to, amount in transfers(has):
        assert has[payer] < 0 < amount
        assert has[to] > 0
        moved[payer] -= amount
        moved[to] += amount
    assert {name: moved[name] for name in has} == has
    assert len(transfers(has)) <= max(0, sum(map(bool, has.values())) - 1)


@given(balances(7))
def test_no_fewer_payments_would_do(has: dict[str, int]) -> None:
    owing = tuple(one for one in has.values() if one)
    assert len(transfers(has)) == len(owing) - groups(owing)


def test_twenty_players_who_all_pay_the_winner() -> None:
    has = {f"P{n}": -500 for n in range(19)} | {"Winner": 19 * 500}
    assert sorted(transfers(has)) == sorted((f"P{n}", "Winner", 500) for n in range(19))


def test_balances_that_do_not_add_up_are_refused() -> None:
    with pytest.raises(ValueError, match="come to 5"):
        transfers({"Anna": 5})


def test_the_accounts_of_a_game_that_is_over_say_how_to_settle() -> None:
    won = [head("Anna Bruno Carla", "Anna=1 Bruno=2 Carla=0"), *hand(Anna="1", Bruno="9")]
    assert settled(*won) == ("Anna dà 2,00 € a Bruno", "Carla dà 2,00 € a Bruno")
    assert settled(*won[:-1]) == (), "nobody has won yet"
    assert settled(*won[:-1], '{"e":"end","confidence":0.5}') == (), "that is not sure"
    late = won[0].replace('"standing"', '"ricompere":1,"standing"')
    assert settled(late, *won[1:]) == (), "who paid that ricompera is not known"
    split = '{"e":"split","shares":{"Anna":0.4,"Bruno":0.6}}'
    assert settled(won[0], split, *won[1:]) == ("Carla dà 1,60 € a Bruno", "Carla dà 0,40 € ad Anna")


def test_rows_without_sums_are_not_said_to_be_of_the_whole_game() -> None:
    stoper, before = GAMES["stoper"], (Before(("Anna", "Elsa"), {"Anna": 100, "Elsa": -100}),)
    for said, part, whole in (("", "Di tutta la partita, in 2 parti", 5), ('{"e":"set","stacks":{"Anna":100}}', "", 0)):
        log = "\n".join(line for line in (*STOPER, '{"e":"end"}', said, '{"e":"close"}') if line)
        over = stoper.rules.LOG.read_lines(log.encode())
        view = Snapshot(1, 1, stoper, replayed(stoper, over), Settings(), before=before).view("it")
        assert (len(view.whole), view.part.partition(":")[0]) == (whole, part)


def settled(*log: str) -> tuple[str, ...]:
    game = GAMES["stu"]
    return Snapshot(1, 1, game, replayed(game, lines(*log)), Settings()).view("it").settling
