"""What an evening of Stoper comes to in the season, on a spreadsheet and in the charts; the places of a tournament; the
chances at an all-in, counted another way."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from itertools import combinations
from typing import Any

import pytest
import season_told
from hypothesis import given, settings
from hypothesis import strategies as st
from season_told import check_figures, check_money_once_over, lines, moments_of

from companion.decks.italian_sets import INDEX, cards_in, mask_of
from companion.games.stoper import rules
from companion.games.stoper.bots import EventProbabilities, Settings, seated, simulate
from companion.games.stoper.pages import PAGES
from companion.games.stoper.pages.score import places
from companion.games.stoper.rules.cards import DECKS, rank
from companion.games.stoper.rules.log import (
    Apro,
    Busso,
    Cambio,
    Chips,
    Close,
    Event,
    Hand,
    Parola,
    Passo,
    Show,
    Standing,
    Vedo,
    Void,
    new_game,
)
from companion.pages.moments import Moment
from companion.pages.season import EveningFigures, told_of
from companion.pages.view import ViewSettings
from companion.table.language import LANGS
from companion.table.log import Line

WILD = EventProbabilities(void=0.2, wrong_dealer=0.1, absent=0.1, chips=0.8, bluff=0.3, dealt=0.5, discards=0.5, late=0.3)
NAMES = seated(4)
CASH = new_game(NAMES, {"Ada": 10_000, "Bice": 700, "Ciro": 1_500, "Dora": 10_000}, "Dora")
ALL_IN = new_game(NAMES, 1_000, "Dora")
TOURNAMENT = new_game(NAMES, 1_000, "Dora", mode="torneo")
ALONE = (Hand(cip=50, invito=50), Apro(by="Ada", to=200), *(Passo(by=name) for name in NAMES[1:]))
"""Ada takes 4.00, her own 1.00 among it, and nobody shows."""
PUT_IN = (Hand(cip=50, invito=50), Apro(by="Ada", to=900), Vedo(by="Bice"), Vedo(by="Ciro"), Passo(by="Dora"))
SERVED = tuple(Cambio(by=name, n=0) for name in NAMES[:3])
BUSSO = (Busso(by="Ada"), Busso(by="Ciro"))
SHOWN = (
    Show(by="Ada", cards=("denari-10", "denari-9", "bastoni-7")), Show(by="Bice", cards=("denari-1", "spade-10", "spade-9")),
    Show(by="Ciro", cards=("coppe-10", "coppe-9", "spade-5")),
)  # fmt: skip
"""20, 31 and 20."""


NOBODY_OPENS = (Hand(), *(Parola(by=name) for name in (*NAMES[1:], "Ada")))
"""The second hand: Bice is First."""


def moments(log: tuple[Line, ...]) -> list[Moment]:
    return moments_of("stoper", log)


def told(*events: Event, ended: bool = True) -> EveningFigures:
    return season_told.told("stoper", lines(*events), ended=ended)


EVENINGS: dict[str, tuple[tuple[Event, ...], dict[str, Any]]] = {
    "a pot that nobody saw": (
        (CASH, *ALONE),
        {"pots": [1, 0, 0, 0], "showdowns": [0] * 4, "best": [None] * 4, "net": [300, -100, -100, -100]},
    ),
    "side pots, and chips bought are no win": (
        (CASH, Chips(by="Dora", amount=500), *PUT_IN, *SERVED, *BUSSO, *SHOWN),
        {"pots": [1, 1, 0, 0], "showdowns": [1, 1, 0, 0], "best": [20, 31, 20, None], "bought": [0, 0, 0, 500],
         "net": [-400, 1500, -1000, -100], "outlasted": [None] * 4},
    ),
    "a void hand counts for nothing": (
        (CASH, *ALONE[:2], Void(), *ALONE), {"pots": [1, 0, 0, 0], "net": [300, -100, -100, -100]},
    ),
    "a tournament is played for places": (
        (TOURNAMENT, Hand(cip=50, invito=0), Apro(by="Ada", to=950), Vedo(by="Bice"), Vedo(by="Ciro"), Passo(by="Dora"),
         *SERVED, *SHOWN, Hand(cip=500), Apro(by="Dora", to=450), Vedo(by="Bice"), Cambio(by="Dora", n=0), Cambio(by="Bice", n=0),
         Show(by="Bice", cards=("denari-1", "spade-10", "spade-9")), Show(by="Dora", cards=("coppe-5", "denari-6", "spade-7"))),
        {"net": [None] * 4, "outlasted": [0, 3, 0, 2]},
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", EVENINGS)
def test_an_evening_comes_to(name: str) -> None:
    events, expected = EVENINGS[name]
    check_figures(told(*events), expected)


def test_money_is_of_an_evening_that_is_over_closed_or_with_another_begun_since() -> None:
    check_money_once_over(partial(told, CASH, *ALONE), Close(), ("net", "bought"))


def test_money_of_a_game_with_a_pot_carried_is_nobodys_until_it_is_closed() -> None:
    nobody = (Hand(cip=50, invito=50), *(Parola(by=name) for name in NAMES))
    left, closed = told(CASH, *nobody), told(CASH, *nobody, Close())
    assert (left.over, left.settled, left.left) == (False, False, 0)
    assert not any("net" in player.figures for player in left.players)
    assert sum(player.figures["net"] for player in closed.players) + closed.left == 0


def test_a_tournament_that_is_not_over_has_no_money_that_is_still_to_come() -> None:
    found = told(TOURNAMENT, Hand(cip=50, invito=0), *ALONE[1:], ended=False)
    assert (found.over, found.settled) == (False, True)


def test_stacks_after_every_hand_and_who_has_won_once_it_is_closed() -> None:
    found = told(CASH, *ALONE, Chips(by="Bice", amount=1_000), *NOBODY_OPENS, Close())
    assert [player.stood for player in found.players][:2] == [(10_000, 10_300, 10_200), (700, 600, 1_500)]
    assert [player.won for player in found.players] == [True, False, False, False]
    assert PAGES.season.stands(10_200, "it") == "102,00 €"


def test_the_charts_mark_where_somebody_has_bought_chips() -> None:
    found = moments(lines(CASH, *ALONE, Chips(by="Bice", amount=1_000), *NOBODY_OPENS, Chips(by="Bice", amount=500)))
    figures = PAGES.charts.figures(found, "it")
    assert {row.name: row.buys for row in figures.rows if row.buys} == {"Bice": (1, 2)}
    drawn = PAGES.charts.drawing(figures, "it")
    assert drawn.count(">+</text>") == 2 * 2  # in each of the two drawings
    assert drawn.count(">+ Fiches comprate</text>") == 2
    plain = PAGES.charts.figures(moments(lines(CASH, *ALONE)), "it")
    assert "Fiches comprate" not in PAGES.charts.drawing(plain, "it")


def test_who_is_put_out_later_comes_before_and_who_had_more_before_who_had_less() -> None:
    stacks = {"Ada": 1_000, "Bice": 700, "Ciro": 700, "Dora": 400}
    game = new_game(NAMES, stacks, "Dora", mode="torneo", standing=Standing("donna", 0, {}, False, ()))
    all_in = (Hand(cip=400, invito=0), Apro(by="Ada", to=600), Vedo(by="Bice"), Vedo(by="Ciro"))
    shows = (
        Show(by="Ada", cards=("denari-1", "spade-10", "spade-9")), Show(by="Bice", cards=("denari-10", "denari-9", "bastoni-7")),
        Show(by="Ciro", cards=("coppe-10", "coppe-9", "spade-5")), Show(by="Dora", cards=("coppe-5", "denari-6", "spade-7")),
    )  # fmt: skip
    state = moments(lines(game, *all_in, *(Cambio(by=name, n=0) for name in NAMES), *shows))[-1].seen
    assert places(state) == {"Ada": 1, "Bice": 2, "Ciro": 2, "Dora": 4}


def test_highlights_name_the_best_hand_and_who_took_most() -> None:
    said = PAGES.season.highlights(told(CASH, *PUT_IN, *SERVED, *BUSSO, *SHOWN), "it")
    assert said == ("Bice: una mano da 31",)


def test_the_rows_of_a_hand_say_what_was_put_in_taken_and_got_back() -> None:
    rows = PAGES.hand_rows(moments(lines(CASH, *PUT_IN, *SERVED, *BUSSO, *SHOWN)), "it").rows
    assert rows[0].cells == (1, "Dora", "Ada", 100, -10, 6, 0, 96, 20, "Piatto 2", "14")
    assert rows[1].cells == (1, "Dora", "Bice", 7, -7, 22, 0, 22, 31, "Piatto 1", "14")
    assert rows[3].cells == (1, "Dora", "Dora", 100, -1, 0, 0, 99, None, "", "")
    alone = PAGES.hand_rows(moments(lines(CASH, *ALONE)), "it").rows
    assert alone[0].cells[3:] == (100, -3, 4, 2, 103, None, "Piatto + ripreso", "12 + 13")


def test_the_rows_of_the_money_say_who_brought_bought_and_took_what() -> None:
    log = lines(CASH, *ALONE, Chips(by="Bice", amount=250), *NOBODY_OPENS)
    rows = [row.cells for row in PAGES.money_rows(moments(log), "it").rows]
    assert rows[0] == (0, "portate al tavolo", "Ada", 100)
    assert (1, "Piatto", "Ada", 4) in rows
    assert (1, "fiches comprate", "Bice", Fraction(5, 2)) in rows
    assert (2, "nessuno apre", "", 4) in rows
    assert rows[-4] == (2, "alla fine", "Ada", 102)


@settings(max_examples=25, deadline=None)
@given(st.integers(4, 6), st.sampled_from(["cash", "torneo"]), st.integers(0, 2**32))
def test_what_is_put_in_and_taken_always_adds_up(players: int, mode: Any, seed: int) -> None:
    log = simulate(Settings(players=seated(players), mode=mode, event_probabilities=WILD, stacks=900), hands=5, seed=seed)
    found = moments(log)
    state = found[-1].seen
    for row in PAGES.hand_rows(found, "it").rows:
        before, put_in, pots, back, after = (Fraction(cell) for cell in row.cells[3:8])  # type: ignore[arg-type]
        assert before + put_in + pots + back == after
        assert put_in <= 0 <= min(pots, back)
    figures = PAGES.charts.figures(found, "it")
    assert [row.stacks[-1] for row in figures.rows] == list(state.stacks)
    assert figures.hands == len(state.hands)
    season = told_of(rules, PAGES, log, ended=True)
    assert season is not None
    assert sum(player.won for player in season.players) <= 1
    if mode == "cash":
        assert sum(player.figures["net"] for player in season.players) == -state.carried.pot
    ranks = sorted(places(state).values())
    assert all(rank == 1 + sum(other < rank for other in ranks) for rank in ranks)
    for lang in LANGS:
        view = PAGES.view(found, lang, ViewSettings(sure_from=0.95, happened=1))
        assert [seat.has for seat in view.seats] == [row.stack.text for row in PAGES.charts.figures(found, lang).rows]


def turned_up(*shown: tuple[str, ...]) -> dict[str, float]:
    """The chances when all four are all-in and served, and the first of them have shown these."""
    opened = (Hand(cip=50, invito=0), Apro(by="Ada", to=950), *(Vedo(by=name) for name in NAMES[1:]))
    shows = [Show(by=name, cards=cards) for name, cards in zip(NAMES, shown, strict=False)]
    return PAGES.chances(moments(lines(ALL_IN, *opened, *(Cambio(by=name, n=0) for name in NAMES), *shows)))


@pytest.mark.slow
def test_the_chances_against_two_hidden_hands_are_what_dealing_all_of_them_comes_to() -> None:
    shown = ("denari-1", "spade-10", "coppe-7"), ("coppe-10", "coppe-9", "spade-5")
    found = turned_up(*shown)
    lying = mask_of(INDEX[kind] for kinds in shown for kind in kinds)
    best = max(rank(mask_of(INDEX[kind] for kind in kinds)) for kinds in shown)
    left = cards_in(DECKS[28] & ~lying)
    masks = [mask_of(held) for held in combinations(left, 3)]
    above = {mask: rank(mask) > best for mask in masks}
    dealt = stands = 0
    for one in masks:
        for other in masks:
            if not one & other:
                dealt += 1
                stands += not (above[one] or above[other])
    beaten = (1 - stands / dealt) / 2
    assert found == pytest.approx({"Ada": stands / dealt, "Bice": 0, "Ciro": beaten, "Dora": beaten})


THIRTY, THIRTY_TWO = ("denari-10", "denari-9", "denari-8"), ("bastoni-1", "coppe-1", "coppe-10")


@pytest.mark.parametrize("shown", [(THIRTY, THIRTY_TWO), (THIRTY_TWO, THIRTY)])
def test_chances_add_up_to_one_and_of_those_shown_only_the_best_has_any(shown: tuple[tuple[str, ...], ...]) -> None:
    found = turned_up(*shown)
    assert sum(found.values()) == pytest.approx(1)
    assert (found["Bice"] == 0, found["Ada"] == 0) == (shown[0] == THIRTY_TWO, shown[0] == THIRTY)
    assert 0 < found["Ciro"] == found["Dora"] < 0.02


def test_against_three_hidden_hands_no_chances_are_told() -> None:
    assert turned_up(THIRTY) == {}


def test_the_phone_calls_the_chances_what_they_are_and_no_risk_of_paying() -> None:
    assert [PAGES.phone_words(lang)["odds"] for lang in LANGS] == ["Probabilità all’all-in", "Chances at an all-in"]
