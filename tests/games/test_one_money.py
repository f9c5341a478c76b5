"""One model of money: the accounts, the season, the charts and the spreadsheet of an evening say the same, and come to 0."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from decimal import Decimal
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from companion.games import GAMES
from companion.games.stoper import bots as stoper
from companion.games.stoppa import bots as stoppa
from companion.games.stu.bots import evening as stu
from companion.games.stu.bots import settings as stu_bots
from companion.games.stu.rules import report
from companion.games.stu.rules.log import Partner, Rebuy
from companion.games.stu.rules.money import price
from companion.games.stu.rules.reckoning import put_in, unknown
from companion.pages.moments import Moment, follow
from companion.pages.season import Evening, rows, told_of
from companion.pages.view import AccountView, ViewSettings
from companion.table.log import Line
from companion.table.play import possible

SEEDS = st.integers(0, 2**32)
NIGHT = date(2026, 11, 28)
VIEW = ViewSettings(sure_from=0.9, happened=2)


def moments_of(game_id: str, log: Sequence[Line]) -> list[Moment]:
    """The evening to the end of its last hand, closed where that can be."""
    game = GAMES[game_id]
    found = list(follow(game.rules, game.pages, log))
    while game.rules.in_hand(found[-1].known):
        found.pop()
    lines = [*log[: len(found)], Line(game.rules.LOG.event({"e": "close"}))]
    return list(follow(game.rules, game.pages, lines))


def money_of(game_id: str, moments: Sequence[Moment]) -> tuple[dict[str, AccountView], dict[str, dict[str, int]], int]:
    """The accounts by name; the season's figures by name, of all who have some of money; and what nobody took home."""
    game = GAMES[game_id]
    lines = [line for moment in moments for line in moment.lines]
    told = told_of(game.rules, game.pages, lines, ended=True)
    assert told is not None
    season = {player.name: player.figures for player in told.players if "net" in player.figures}
    accounts = {one.name: one for one in game.pages.view(moments, "it", VIEW).accounts}
    return accounts, season, told.left


def nets(accounts: dict[str, AccountView]) -> dict[str, int]:
    return {name: one.net.minor for name, one in accounts.items() if one.net is not None}


@given(st.integers(2, 6), st.integers(1, 25), SEEDS, st.data())
def test_stu_season_and_accounts_agree_for_every_person_and_come_to_nothing(
    players: int, hands: int, seed: int, data: st.DataObject
) -> None:
    bots = stu_bots.Settings(players=stu_bots.seated(players), stake=data.draw(st.sampled_from([100, 101, 333])))
    log = with_other_partners(stu.simulate(bots, hands=hands, seed=seed), data)
    moments = moments_of("stu", log)
    accounts, season, left = money_of("stu", moments)
    state = moments[-1].seen
    pot, paid = report(state).pot, put_in(state)
    assert sum(paid.values()) == pot
    figures = GAMES["stu"].pages.charts.figures(moments, "it")
    assert {one.name: one.paid.minor for one in (*figures.rows, *figures.others)} == paid
    assert figures.before is None
    rows = [row.cells for row in GAMES["stu"].pages.money_rows(moments, "it").rows]
    for name, part in paid.items():
        assert sum(cells[3] for cells in rows if cells[2] == name and cells[3] is not None) == Fraction(part, 100)
    if not state.won:
        assert (accounts, season) == ({}, {})
        return
    assert {name: figures["net"] for name, figures in season.items()} == nets(accounts)
    # A partner whose share is less than a cent has paid nothing.
    assert {name: figures["paid"] for name, figures in season.items() if figures["paid"]} == paid
    assert {name: figures["got"] for name, figures in season.items() if figures["got"]} == {
        name: amount for name, amount in (report(state).settlement or {}).items() if amount
    }
    assert sum(nets(accounts).values()) == left == 0
    assert sum(cells[4] for cells in rows if cells[4] is not None) == Fraction(pot, 100)


@given(st.sampled_from(["stoppa", "stoper"]), SEEDS)
def test_in_mid_hand_everybody_s_sum_is_that_before_the_hand_and_is_called_so(game_id: str, seed: int) -> None:
    """What lies on the table meanwhile is nobody's, and the game is not at its end."""
    game, before = GAMES[game_id], list[Fraction | int]()
    moments = list(follow(game.rules, game.pages, EVENINGS[game_id](seed, 0)))
    for at, moment in enumerate(moments, start=1):
        state = moment.seen
        rows = [row.cells for row in game.pages.money_rows(moments[:at], "it").rows[-len(state.table.names) :]]
        sums = [cells[-1] for cells in rows]
        called = {"stoppa": "saldo", "stoper": "alla fine"}[game_id]
        if game.rules.in_hand(state):
            going_on = f"prima della mano {game.rules.hands(state) + 1}, in corso"
            assert {cells[1] for cells in rows} == {f"saldo, {going_on}" if game_id == "stoppa" else going_on}
            assert moment.ended is not None or sums == before
        else:
            assert {cells[1] for cells in rows} == {called}
            before = sums


def with_other_partners(log: Sequence[Line], data: st.DataObject) -> list[Line]:
    """The evening with partners from outside among the others; some of them have paid another part than they take."""
    game, found, state = GAMES["stu"], list[Line](), None
    for line in log:
        event = line.event
        if isinstance(event, Rebuy):
            names = st.sampled_from(["Zia", "Zio", event.by, *state.table.names])
            due = price(state.table.stake, state.ricompere)
            paid = st.none() | st.integers(0, due)
            partners = data.draw(st.lists(st.builds(Partner, names, st.sampled_from(PARTS), paid), max_size=3))
            told = replace(event, partners=tuple(partners))
            line = Line(told if possible(game.rules.apply, state, (told,)) else event)
        state = game.rules.begin(event) if state is None else game.rules.apply(state, line.event)
        found.append(line)
    return found


PARTS = [Decimal(part) for part in ("0", "0.1", "0.333333", "0.25", "0.5")]


@given(st.integers(0, 4), SEEDS)
def test_stu_nobody_s_money_is_told_where_nobody_knows_who_paid_before(before: int, seed: int) -> None:
    log = stu.simulate(stu_bots.Settings(players=stu_bots.seated(3)), hands=20, seed=seed)
    log = [Line(replace(log[0].event, ricompere=before)), *log[1:]]
    moments = moments_of("stu", log)
    accounts, season, left = money_of("stu", moments)
    assert unknown(moments[-1].seen) == 100 * (2 ** (before + 1) - 2)
    assert left == 0
    if before:
        assert (season, nets(accounts)) == ({}, {})
        assert all(one.paid is None for one in accounts.values())
        assert GAMES["stu"].pages.charts.figures(moments, "it").before is not None
    else:
        assert {name: figures["net"] for name, figures in season.items()} == nets(accounts)


@given(st.integers(3, 6), st.integers(1, 4), SEEDS, st.integers(-500, 500))
def test_stoppa_season_and_accounts_agree_for_every_person_and_come_to_nothing(
    players: int, hands: int, seed: int, balance: int
) -> None:
    log = stoppa.simulate(stoppa.Settings(players=stoppa.seated(players)), hands=hands, seed=seed)
    names = log[0].event.players
    standing = dict.fromkeys(names, 0) | {names[0]: balance, names[1]: -balance}
    log = (Line(replace(log[0].event, standing=standing)), *log[1:])
    accounts, season, left = money_of("stoppa", moments_of("stoppa", log))
    assert {name: figures["net"] for name, figures in season.items()} == nets(accounts)
    assert len(season) == players
    assert sum(nets(accounts).values()) == left == 0


@given(st.integers(4, 6), st.integers(1, 8), SEEDS)
def test_stoper_season_and_accounts_agree_for_every_person_and_come_to_nothing_with_the_pot(
    players: int, hands: int, seed: int
) -> None:
    log = stoper.simulate(stoper.Settings(players=stoper.seated(players)), hands=hands, seed=seed)
    accounts, season, left = money_of("stoper", moments_of("stoper", log))
    told = {name: figures["net"] for name, figures in season.items()}
    assert nets(accounts) == told | ({"il piatto": left} if left else {})
    assert len(season) == players
    assert sum(nets(accounts).values()) == 0


@given(st.sampled_from(["stu", "stoppa", "stoper"]), st.lists(st.tuples(SEEDS, st.integers(0, 2)), min_size=1, max_size=3))
def test_the_sums_of_a_season_agree_for_every_person(game_id: str, played: list[tuple[int, int]]) -> None:
    """Also where nobody knows who had paid what in some of its evenings. Everybody's balance is that of the accounts."""
    game = GAMES[game_id]
    evenings, balances, left = [], dict[str, int](), 0
    for seed, before in played:
        moments = moments_of(game_id, EVENINGS[game_id](seed, before))
        told = told_of(game.rules, game.pages, [line for moment in moments for line in moment.lines], ended=True)
        assert told is not None
        evenings.append(Evening(len(evenings) + 1, 0.0, told, tuple(player.name for player in told.players), 0, NIGHT))
        left += told.left
        for one in game.pages.view(moments, "it", VIEW).accounts:
            assert one.net is None or one.paid is None or one.net.minor == one.takes.minor - one.paid.minor
            if one.net is not None and one.name in evenings[-1].who:
                balances[one.name] = balances.get(one.name, 0) + one.net.minor
    columns = game.pages.season.columns("it")
    money = {column.id for column in columns if column.kind == "money"}
    found = {name: row.figures for name, row in rows(evenings, columns).items()}
    assert {name: figures["net"] for name, figures in found.items() if "net" in figures} == balances
    assert sum(balances.values()) + left == 0
    for figures in found.values():
        assert money & figures.keys() in (set(), money)
        assert game_id != "stu" or "net" not in figures or figures["net"] == figures["got"] - figures["paid"]


def of_stu(seed: int, before: int) -> list[Line]:
    log = stu.simulate(stu_bots.Settings(players=stu_bots.seated(3)), hands=20, seed=seed)
    return [Line(replace(log[0].event, ricompere=before)), *log[1:]]


def of_stoppa(seed: int, before: int) -> list[Line]:
    return list(stoppa.simulate(stoppa.Settings(players=stoppa.seated(3 + before)), hands=2, seed=seed))


def of_stoper(seed: int, before: int) -> list[Line]:
    """In the end with chips that nobody was seen to pay, where there are some; not yet closed."""
    log = stoper.simulate(stoper.Settings(players=stoper.seated(4)), hands=2, seed=seed)
    more = {"e": "set", "stacks": {log[0].event.players[0]: 10_000_000 + before}}
    return [*log[:-1], *([Line(GAMES["stoper"].rules.LOG.event(more))] if before else [])]


EVENINGS = {"stu": of_stu, "stoppa": of_stoppa, "stoper": of_stoper}
