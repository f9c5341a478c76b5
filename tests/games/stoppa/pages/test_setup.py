"""Setting up an evening of Stoppa: what is typed, and what the first line of the log comes to."""

from __future__ import annotations

import pytest

from companion.games import stoppa
from companion.games.stoppa.pages import PAGES
from companion.games.stoppa.rules.log import Game, HouseRules
from companion.pages.setup import Wrong
from companion.table.language import LANGS, Lang

THREE, FOUR = ("Anna", "Bruno", "Carla"), ("Anna", "Bruno", "Carla", "Dino")
STAKES, STANDING = PAGES.setup.steps
PLAIN = {"points": "0", "misera": "1", "small": "0,20", "dealer": "Anna"}


def line(names: tuple[str, ...] = FOUR, **form: str) -> Game:
    taken = STAKES.take(names, PAGES.setup.fresh(late=False), PLAIN | form)
    assert taken.then is None
    return PAGES.setup.game_line(names, taken.own)


def test_stakes_are_typed_in_euros_or_in_points() -> None:
    assert (line().misera, line().small, line().points) == (100, 20, False)
    points = line(points="1", misera="300", small="50")
    assert (points.misera, points.small, points.points) == (300, 50, True)


def test_the_re_that_is_left_out_counts_with_three_players_alone() -> None:
    assert line(THREE, removed="spade-10").removed == "spade-10"
    assert line(FOUR, removed="spade-10").removed is None


def test_house_rules_are_the_tables_choice_and_an_amount_left_out_is_the_usual() -> None:
    assert line().house_rules == HouseRules()
    picked = {
        "pass": "checks", "three_aces_anytime": "true", "cards_per_misera": "3", "all_at_once": "left",
        "stoppata_unit": "0,50", "declaration_price": " ",
    }  # fmt: skip
    wanted = HouseRules(
        pass_="checks", three_aces_anytime=True, cards_per_misera=3, stoppata_unit=50, all_at_once="left"
    )
    assert line(**picked).house_rules == wanted


@pytest.mark.parametrize(
    ("form", "said"),
    [
        ({"misera": "zwei"}, "“zwei” is no sum"),
        ({"misera": "0"}, "too little"),
        ({"points": "1"}, "“0,20” is no number of points"),
        ({"small": "0,80"}, "Too much for the punti piccoli"),
        ({"dealer": "Elsa"}, "Choose who deals first."),
        ({"pass": "never"}, "a rule that does not exist"),
        ({"removed": "spade-99"}, "a rule that does not exist"),
    ],
)
def test_what_cannot_be_is_refused_in_a_sentence(form: dict[str, str], said: str) -> None:
    with pytest.raises(Wrong) as refused:
        line(**form)
    assert said in refused.value.message.format(**refused.value.blanks)


def test_two_cannot_play() -> None:
    with pytest.raises(Wrong, match="three to six"):
        line(("Anna", "Bruno"))


def late(**form: str) -> Game:
    taken = STAKES.take(THREE, PAGES.setup.fresh(late=True), PLAIN)
    assert taken.then == "standing"
    return PAGES.setup.game_line(THREE, STANDING.take(THREE, taken.own, form).own)


def test_an_evening_is_taken_over_with_its_balances() -> None:
    game = late(**{"balance-0": "+12,50", "balance-1": "−10", "balance-2": "-2,5", "hands": "7"})
    assert (game.standing, game.hands_before) == ({"Anna": 1250, "Bruno": -1000, "Carla": -250}, 7)
    assert stoppa.begin(game).balances == (1250, -1000, -250)


@pytest.mark.parametrize(
    ("form", "said"),
    [
        ({"balance-0": "1", "balance-1": "", "balance-2": "0"}, "together it must be 0"),
        ({"balance-0": "x"}, "is no sum"),
        ({"hands": "many"}, "a number from 0 to"),
    ],
)
def test_balances_that_cannot_be_are_refused(form: dict[str, str], said: str) -> None:
    with pytest.raises(Wrong) as refused:
        late(**form)
    assert said in refused.value.message.format(**refused.value.blanks)


def test_another_evening_has_the_same_stakes_and_the_next_dealer_and_begins_at_nothing() -> None:
    first = line(THREE, points="1", misera="300", small="50", removed="coppe-10", two_misere="each")
    after = stoppa.apply(stoppa.begin(first), stoppa.log.Hand())
    again = PAGES.setup.again(first, stoppa.apply(after, stoppa.log.Void()))
    assert PAGES.setup.game_line(THREE, again) == first
    assert PAGES.setup.seated(again, THREE, ("Elsa", "Bruno", "Carla")).dealer == ""


@pytest.mark.parametrize("lang", LANGS)
def test_the_last_page_says_what_was_chosen(lang: Lang) -> None:
    own = STAKES.take(THREE, PAGES.setup.fresh(late=False), PLAIN | {"bet_min": "0,10", "pass": "checks"}).own
    facts = {fact.label: fact.text for fact in PAGES.setup.facts(THREE, own, lang)}
    assert list(facts.values())[:4] == {
        "it": ["1,00 €", "0,20 €", "Anna", "Re di denari"], "en": ["€1.00", "€0.20", "Anna", "King of coins"],
    }[lang]  # fmt: skip
    assert len(facts) == 6  # and the two house rules that are not as usual
    page = STAKES.page(THREE, own, {}, lang, lambda: ())
    assert page["typed"] == {
        "points": "0", "misera": "1", "small": "0,20", "bet_min": "0,10", "declaration_price": "", "stoppata_unit": "",
    }  # fmt: skip
    assert page["picked"]["pass"] == "checks"
    assert set(page["defaults"]) == {*page["rules"], *page["amounts"]}
