"""What an evening of Stoppa comes to in the season, on a spreadsheet and in the charts: small evenings with known sums."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from typing import Any

import pytest
import season_told
from hypothesis import given, settings
from hypothesis import strategies as st
from season_told import check_figures, check_money_once_over, lines, moments_of

from companion.games.stoppa import rules
from companion.games.stoppa.bots import EventProbabilities, Settings, seated, simulate
from companion.games.stoppa.pages import PAGES
from companion.games.stoppa.rules.log import (
    Annul,
    Close,
    Declare,
    End,
    Event,
    Grosso,
    Hand,
    HouseRules,
    Lay,
    Muck,
    Passo,
    Piccolo,
    Punto,
    Show,
    Vedo,
    Void,
    new_game,
)  # fmt: skip
from companion.pages.moments import Moment, hands_played
from companion.pages.season import Between, EveningFigures, told_of
from companion.pages.view import ViewSettings
from companion.table.language import LANGS
from companion.table.log import Line

WILD = EventProbabilities(void=0.2, annul=0.2, wrong_dealer=0.1, giro=0.15, omission=0.1, found=0.3, shown=0.5, unsaid=0.3)
NAMES = seated(3)
GAME = new_game(NAMES, 600, 100, "Carla", removed="denari-10")
UP_TO_GROSSO = (Hand(), *[Piccolo()] * 5, Grosso())
STOP = (
    *UP_TO_GROSSO, Lay(by="Anna", cards=("coppe-10", "spade-10", "bastoni-10")),
    *(Lay(by="Anna", cards=tuple(f"{suit}-{n}" for suit in ("denari", "coppe", "spade", "bastoni"))) for n in (9, 8)),
    Lay(by="Anna", cards=("denari-1",)), Lay(by="Anna", cards=("denari-2",)),
)  # fmt: skip
"""The mano, who is Anna where Carla deals, stops at the first turn: the others have 13 cards left each."""
FIFTY_FIVE = (
    Hand(), Piccolo(), Punto(by="Bruno", to=50), Vedo(by="Carla"), Passo(by="Anna"),
    Show(by="Bruno", cards=("denari-7", "denari-6", "denari-1")), Muck(by="Carla"), *[Piccolo()] * 4, Grosso(), Annul(),
)  # fmt: skip
"""Bruno, who is mano of the second hand, wins a punto with 55."""


def moments(log: tuple[Line, ...]) -> list[Moment]:
    return moments_of("stoppa", log)


def told(*events: Event, ended: bool = True) -> EveningFigures:
    return season_told.told("stoppa", lines(*events), ended=ended)


EVENINGS: dict[str, tuple[tuple[Event, ...], dict[str, Any]]] = {
    "a stoppata": (
        (GAME, *STOP),
        {"punti": [0, 0, 6], "grossi": [0, 0, 1], "stoppate": [1, 0, 0], "cards": [0, 13, 13], "best": [None] * 3,
         "net": [7200 - 600, -4200, -3600 + 1200]},
    ),
    "a 55 is remembered": (
        (GAME, *STOP, *FIFTY_FIVE), {"best": [None, 55, None], "punti": [5, 1, 6]},
    ),
    "a void hand counts for nothing": (
        (GAME, Hand(), Piccolo(), Passo(by="Anna"), Passo(by="Bruno"), Void(), *STOP),
        {"punti": [0, 0, 6], "stoppate": [1, 0, 0]},
    ),
    "points are no money": (
        (new_game(NAMES, 600, 100, "Carla", removed="denari-10", points=True), *STOP),
        {"net": [None] * 3, "stoppate": [1, 0, 0]},
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", EVENINGS)
def test_an_evening_comes_to(name: str) -> None:
    events, expected = EVENINGS[name]
    check_figures(told(*events), expected)


def test_money_is_of_an_evening_that_is_over_closed_or_with_another_begun_since() -> None:
    check_money_once_over(partial(told, GAME, *STOP), Close(), ("net",))


def test_money_of_a_game_with_a_punto_grosso_carried_is_nobodys_until_it_is_closed() -> None:
    first = new_game(NAMES, 600, 100, "Carla", removed="denari-10", house_rules=HouseRules(grosso_nobody="carried"))
    nobody = (*UP_TO_GROSSO, *(Passo(by=name) for name in NAMES[:2]), Annul())
    left, closed = told(first, *nobody), told(first, *nobody, Close())
    assert (left.over, left.settled, closed.settled) == (False, False, True)
    assert not any("net" in player.figures for player in left.players)
    assert sum(player.figures["net"] for player in closed.players) == 0
    before, rows = (PAGES.hand_rows(moments(lines(first, *nobody, *end)), "it").rows for end in ((), (Close(),)))
    assert [row.cells[4] for row in rows] == [row.cells[4] for row in before], "nobody has put in more by closing it"
    assert [sum(row.cells[column] for row in rows) for column in (5, 7)] == [-sum(row.cells[4] for row in rows), 0]


def test_who_made_whom_pay_for_the_stoppata() -> None:
    assert set(told(GAME, *STOP).between) == {Between("stoppata", "Anna", "Bruno", 1), Between("stoppata", "Anna", "Carla", 1)}


def test_balances_after_every_hand_and_who_has_won_once_it_is_closed() -> None:
    found = told(GAME, *STOP, *FIFTY_FIVE, Close())
    assert [player.stood for player in found.players] == [(0, 6600, 7700), (0, -4200, -4650), (0, -2400, -3050)]
    assert [player.won for player in found.players] == [True, False, False]
    assert PAGES.season.stands(-4650, "it") == "−46,50 €"


def test_highlights_name_the_55_and_who_stopped() -> None:
    twice = (*STOP, *FIFTY_FIVE, *UP_TO_GROSSO, Annul(), *STOP)
    said = PAGES.season.highlights(told(GAME, *twice), "it")
    assert "Bruno: un punto vinto con 55" in said
    assert "Anna ha stoppato 2 volte" in said


def test_a_declared_hand_is_over_with_the_next_hands_line() -> None:
    declared = (*UP_TO_GROSSO, Declare(by="Anna", what="misera"))
    plain, said = (moments(lines(GAME, *declared, *end, *UP_TO_GROSSO, Annul())) for end in ((), (End(),)))
    balances = [[one.after.balances for one in hands_played(rules, played)] for played in (plain, said)]
    assert balances[0] == balances[1]
    assert PAGES.hand_rows(plain, "it") == PAGES.hand_rows(said, "it")
    assert PAGES.charts.figures(plain, "it") == PAGES.charts.figures(said, "it")
    assert told(GAME, *declared, *UP_TO_GROSSO, Annul()) == told(GAME, *declared, End(), *UP_TO_GROSSO, Annul())
    doubtful = [*lines(GAME, *declared[:-1]), Line(declared[-1], None, 0.5), Line(Hand())]
    assert moments(tuple(doubtful))[-1].sure == ((1, 0.5),)


def test_the_rows_of_a_hand_say_what_was_put_in_and_won_and_by_which_rules() -> None:
    rows = PAGES.hand_rows(moments(lines(GAME, *STOP)), "it")
    assert rows.columns[3:8] == ("Saldo prima", "Misera e puntate", "Punti", "Stoppata e dichiarazioni", "Saldo dopo")
    assert rows.rows[0].cells == (1, "Carla", "Anna", 0, Fraction(-6), 0, Fraction(72), Fraction(66), "stoppata", "15")
    assert rows.rows[2].cells[3:8] == (0, Fraction(-6), Fraction(18), Fraction(-36), Fraction(-24))
    piccoli = [f"punto piccolo {n}" for n in range(1, 6)]
    assert rows.rows[2].cells[8:] == (" + ".join([*piccoli, "punto grosso", "stoppata"]), "7 + 8 + 15")


def test_the_rows_of_the_money_say_who_paid_what_to_whom() -> None:
    rows = [row.cells for row in PAGES.money_rows(moments(lines(GAME, *STOP)), "it").rows]
    assert rows[0] == (1, "punto piccolo 1", "", "Carla", Fraction(1))
    assert (1, "stoppata", "Bruno", "Anna", Fraction(36)) in rows
    assert rows[-1] == (1, "saldo", "", "Carla", Fraction(-24))


def test_points_are_whole_numbers_on_a_spreadsheet() -> None:
    first = new_game(NAMES, 600, 100, "Carla", removed="denari-10", points=True)
    assert PAGES.hand_rows(moments(lines(first, *STOP)), "it").rows[0].cells[6] == 7200


@settings(max_examples=25, deadline=None)
@given(st.integers(3, 6), st.integers(0, 2**32))
def test_what_is_put_in_and_won_always_adds_up(players: int, seed: int) -> None:
    log = simulate(Settings(players=seated(players), event_probabilities=WILD), hands=3, seed=seed)
    found = moments(log)
    state = found[-1].seen
    for row in PAGES.hand_rows(found, "it").rows:
        before, put_in, punti, paid, after = (Fraction(cell) for cell in row.cells[3:8])
        assert before + put_in + punti + paid == after
        assert put_in <= 0 <= punti
    figures = PAGES.charts.figures(found, "it")
    assert [row.balances[-1] for row in figures.rows] == list(state.balances)
    assert all(sum(column) <= 0 for column in zip(*(row.balances for row in figures.rows), strict=True))
    assert figures.hands == len(state.hands)
    season = told_of(rules, PAGES, log, ended=True)
    assert season is not None
    assert sum(player.figures["net"] for player in season.players) == sum(state.balances)
    assert sum(player.won for player in season.players) <= 1
    for lang in LANGS:
        view = PAGES.view(found, lang, ViewSettings(sure_from=0.95, happened=1))
        assert [seat.has for seat in view.seats] == [row.balance.text for row in PAGES.charts.figures(found, lang).rows]
