"""Setting up an evening of Stoper: what is typed, and what the first line of the log comes to."""

from __future__ import annotations

import pytest

from companion.games import stoper
from companion.games.stoper.pages import PAGES
from companion.games.stoper.pages.steps import house_rules, reasons
from companion.games.stoper.rules import log
from companion.games.stoper.rules.log import Game, HouseRules, Usual
from companion.pages.setup import Wrong, usual
from companion.table.language import LANGS, Lang

FOUR = ("Ada", "Bice", "Ciro", "Dora")
SIX = (*FOUR, "Elsa", "Fabio")
STAKES, STANDING = PAGES.setup.steps
PLAIN = {"mode": "cash", "stack": "50", "cip": "0,50", "invito": "0,50", "chip": "", "deck": "0", "dealer": "Ada"}


def line(names: tuple[str, ...] = FOUR, **form: str) -> Game:
    taken = STAKES.take(names, PAGES.setup.fresh(late=False), PLAIN | form)
    assert taken.then is None
    return PAGES.setup.game_line(names, taken.own)


def test_chips_and_stakes_are_typed_in_euros_and_the_hands_begin_with_them() -> None:
    found = line()
    assert (found.mode, found.stacks, found.usual) == ("cash", 5000, Usual(50, 50))
    assert line(stack="100", cip="1", invito="", chip="0,5", deck="36").usual == Usual(100, 0, 36, 50)
    assert line(mode="torneo").mode == "torneo"


def test_not_all_need_begin_with_the_same_for_cash() -> None:
    assert line(**{"stack-2": "5", "stack-3": "50"}).stacks == {"Ada": 5000, "Bice": 5000, "Ciro": 500, "Dora": 5000}


def test_the_deck_is_the_players_or_another_with_five_cards_for_each() -> None:
    assert list(STAKES.page(FOUR, PAGES.setup.fresh(late=False), {}, "en", lambda: ())["decks"]) == ["0", "36", "32"]
    page = STAKES.page(SIX, PAGES.setup.fresh(late=False), {}, "en", lambda: ())
    assert page["decks"] == {"0": "36 cards, without 2s", "32": "32 cards, without 2s and 3s"}


def test_house_rules_are_the_tables_choice_and_each_says_why_the_usual_one_is() -> None:
    assert line().house_rules == HouseRules()
    picked = {"dealer_pays": "false", "opening_point": "figure_only", "parola_level": "step", "bet_min": "1"}
    assert line(**picked).house_rules == HouseRules(
        dealer_pays=False, opening_point="figure_only", parola_level="step", bet_min=100
    )
    for lang in LANGS:
        assert {*house_rules(lang), "bet_min"} == set(usual(HouseRules()))
        assert set(reasons(lang)) == set(house_rules(lang))
        assert all(next(iter(answers)) == _said(rule) for rule, (_, answers) in house_rules(lang).items())


def _said(rule: str) -> str:
    value = usual(HouseRules())[rule]
    return str(value).lower() if isinstance(value, bool) else value


@pytest.mark.parametrize(
    ("form", "said"),
    [
        ({"stack": "viel"}, "“viel” is no sum"),
        ({"stack": "1"}, "more must be left than cip and invito"),
        ({"cip": "0"}, "too little"),
        ({"chip": "-1"}, "“-1” is no sum"),
        ({"dealer": "Elsa"}, "Choose who deals first."),
        ({"mode": "free"}, "a rule that does not exist"),
        ({"deck": "40"}, "a rule that does not exist"),
        ({"deck": "²"}, "a rule that does not exist"),
        ({"parola_level": "never"}, "a rule that does not exist"),
        ({"dealer_pays": "3"}, "a rule that does not exist"),
        ({"stack-1": "x"}, "“x” is no sum"),
        ({"mode": "torneo", "stack-1": "10"}, "In a tournament all begin with the same chips"),
        ({"bet_min": "50,01"}, "Nobody has enough chips"),
        ({"bet_min": "61", "stack-1": "60"}, "Nobody has enough chips"),
    ],
)
def test_what_cannot_be_is_refused_in_a_sentence(form: dict[str, str], said: str) -> None:
    with pytest.raises(Wrong) as refused:
        line(**form)
    assert said in refused.value.message.format(**refused.value.blanks)


def test_one_who_has_the_chips_for_the_smallest_opening_is_enough() -> None:
    assert line(bet_min="60", **{"stack-1": "60"}).house_rules.bet_min == 6000
    assert late({"bet_min": "60"}, LEFT).house_rules.bet_min == 6000
    with pytest.raises(Wrong, match="Nobody has enough chips"):
        late({"bet_min": "60,01"}, LEFT)


def test_in_a_tournament_chips_typed_as_all_have_them_are_no_difference() -> None:
    assert line(mode="torneo", **{"stack-1": "50"}).stacks == 5000


def test_three_cannot_play_and_six_not_with_28_cards() -> None:
    with pytest.raises(Wrong, match="four to six"):
        line(FOUR[:3])
    with pytest.raises(Wrong, match="five cards"):
        line(SIX, deck="28")


LEFT = {"stack-0": "40", "stack-1": "52,50", "stack-2": "0", "stack-3": "60", "pot": "12", "level": "re"}


def late(rules: dict[str, str], form: dict[str, str]) -> Game:
    taken = STAKES.take(FOUR, PAGES.setup.fresh(late=True), PLAIN | rules)
    assert taken.then == "standing"
    return PAGES.setup.game_line(FOUR, STANDING.take(FOUR, taken.own, form).own)


def test_an_evening_is_taken_over_with_its_chips_and_the_pot_that_was_left() -> None:
    nobody = late({}, {"stack-0": "40", "stack-1": "60", "pot": ""})
    assert nobody.standing == log.Standing("donna", 0, {}, False, ())
    assert nobody.stacks == {"Ada": 4000, "Bice": 6000, "Ciro": 0, "Dora": 0}
    carried = late({}, LEFT)
    assert carried.standing == log.Standing("re", 1200, {}, False, ())
    parola = late({}, LEFT | {"said-0": "1", "said-1": "1", "paid-0": "3", "paid-3": "2"})
    assert parola.standing == log.Standing("re", 1200, {"Ada": 300, "Dora": 200}, True, ("Ada", "Bice"))
    state = stoper.begin(parola)
    assert (state.stacks, state.carried.pot, state.brought) == ((4000, 5250, 0, 6000), 1200, 16450)
    tournament = late({"mode": "torneo"}, LEFT)
    assert isinstance(tournament.stacks, dict)


def test_where_joining_always_costs_a_pot_that_nobody_opened_is_of_some_too() -> None:
    of_two = LEFT | {"said-0": "1", "said-1": "1"}
    assert late({"carry_join": "always"}, of_two).standing == log.Standing("re", 1200, {}, False, ("Ada", "Bice"))
    parola = late({"carry_join": "always"}, of_two | {"parola": "1"})
    assert parola.standing == log.Standing("re", 1200, {}, True, ("Ada", "Bice"))


@pytest.mark.parametrize(
    ("form", "said"),
    [
        ({"said-0": "1"}, "two at least"),
        ({"paid-0": "13"}, "more into the pot than is in it"),
        ({"stack-0": "x"}, "is no sum"),
        ({"pot": "0", "said-0": "1", "said-1": "1"}, "After parola something is in the pot."),
    ],
)
def test_a_standing_that_cannot_be_is_refused(form: dict[str, str], said: str) -> None:
    with pytest.raises(Wrong) as refused:
        late({}, LEFT | form)
    assert said in refused.value.message.format(**refused.value.blanks)


def test_another_evening_has_the_same_stakes_and_rules_and_the_next_dealer() -> None:
    first = line(stack="80", deck="36", parola_level="step", mode="torneo")
    played = stoper.apply(stoper.begin(first), log.Hand(cip=50, invito=50))
    for name in ("Bice", "Ciro", "Dora", "Ada"):
        played = stoper.apply(played, log.Parola(by=name))
    again = PAGES.setup.again(first, played)
    assert PAGES.setup.game_line(FOUR, again) == log.new_game(
        FOUR, 8000, "Bice", mode="torneo", house_rules=HouseRules(parola_level="step"), usual=Usual(50, 50, 36)
    )
    assert PAGES.setup.seated(again, FOUR, ("Elsa", "Ada", "Ciro", "Dora")).dealer == ""


@pytest.mark.parametrize("lang", LANGS)
def test_the_last_page_says_what_was_chosen(lang: Lang) -> None:
    own = STAKES.take(FOUR, PAGES.setup.fresh(late=False), PLAIN | {"bet_min": "1", "parola_level": "step"}).own
    facts = PAGES.setup.facts(FOUR, own, lang)
    assert [fact.text for fact in facts][1:5] == {
        "it": ["50,00 €", "0,50 € + 0,50 €", "28 carte", "Ada"], "en": ["€50.00", "€0.50 + €0.50", "28 cards", "Ada"],
    }[lang]  # fmt: skip
    assert len(facts) == 7  # and the two house rules that are not as usual
    page = STAKES.page(FOUR, own, {}, lang, lambda: ())
    assert (page["typed"]["bet_min"], page["picked"]["parola_level"]) == ("1", "step")
    assert STANDING.page(FOUR, own, {}, lang, lambda: ())["typed"]["stack-0"] == "50"
