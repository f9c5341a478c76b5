"""Settings say what they are for, and refuse what cannot work; sums as people read them."""

from typing import Any

import pytest
import stoper_cases
import stoppa_cases
from babel.numbers import get_decimal_symbol, get_group_symbol
from hypothesis import given
from hypothesis import strategies as st
from test_corrected import stoper, stoppa

from companion.dashboard.answers import why_not
from companion.dashboard.settings import Settings, described
from companion.games import GAMES
from companion.table.language import LANGS, Lang
from companion.table.money import decimal_mark, exact, group_mark, minor_units, money, typed


def test_every_setting_says_its_unit_and_what_it_is_for() -> None:
    undocumented = [f.name for f in described() if len(f.metadata.get("help", "")) < 20 or not f.metadata.get("unit")]
    assert undocumented == []


@pytest.mark.parametrize(
    "wrong",
    [{"sure_from": 1.5}, {"patience": 5.0}, {"heartbeat": 0.0}, {"listeners": 0}, {"threads": 0}, {"retry": -1.0}],
    ids=str,
)
def test_settings_that_cannot_work_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(ValueError, match=next(iter(wrong))):
        Settings(**wrong)


@pytest.mark.parametrize(
    ("minor", "it", "en"),
    [
        (5, "0,05 €", "€0.05"), (123450, "1.234,50 €", "€1,234.50"), (1_000_000_000, "10.000.000,00 €", "€10,000,000.00"),
        (10**16, "1,00·10^14 €", "1.00·10^14 €"),
    ],
)  # fmt: skip
def test_sums_are_written_as_people_read_them(minor: int, it: str, en: str) -> None:
    assert (money(minor, "it").replace("\xa0", " "), money(minor, "en").replace("\xa0", " ")) == (it, en)


@pytest.mark.parametrize(
    ("text", "minor"),
    [
        ("2", 200), ("2,5", 250), ("2.50", 250), ("2,", 200), ("€2", 200), ("€ 2,50", 250), ("2 €", 200), ("2,50€", 250),
        ("1.234,50", 123450), ("1,234.50", 123450), ("1.234", 123400), ("1,234,567", 123456700), ("1 234,5", 123450),
        ("10.000.000,00 €", 1_000_000_000), (",5", 50), (".05", 5), ("€ ,50", 50),
        (",", None), (",500", None), (",5,5", None), ("2€50", None), ("1€5", None), ("€", None), ("€2€", None), ("2 50", None),
        ("1,234", None), ("0.500", None),
        ("1.234.50", None), ("12.34.56", None), ("1.2345", None), ("1.23.456", None), ("-2", None), ("²", None), ("", None),
    ],
)  # fmt: skip
def test_a_sum_is_read_as_it_was_meant_or_not_at_all(text: str, minor: int | None) -> None:
    if minor is not None:
        assert minor_units(text) == minor
        return
    with pytest.raises(ValueError):
        minor_units(text)


@given(st.integers(0, 10**12), st.sampled_from(LANGS))
def test_every_sum_that_a_page_writes_can_be_typed(minor: int, lang: Lang) -> None:
    assert minor_units(exact(minor, lang)) == minor
    assert minor_units(typed(minor)) == minor


@pytest.mark.parametrize("lang", LANGS)
def test_marks_of_sums_are_those_of_babel(lang: Lang) -> None:
    assert (group_mark(lang), decimal_mark(lang)) == (get_group_symbol(lang), get_decimal_symbol(lang))


STU_OUT = {
    "e": "game", "v": 1, "game": "stu", "players": ["Anna", "Bruno"], "stake": 200, "currency": "EUR", "dealer": "Bruno",
    "standing": {"Anna": {"pedine": 0, "virgin": False}},
}  # fmt: skip
RAISED = [*stoppa("hand\npiccolo\npunto Anna 30"), {"e": "rilancio", "by": "Bruno", "to": 20}]
BOUGHT = {"e": "rebuy", "by": "Anna", "partners": [{"name": "Zia", "share": 0.5, "paid": 500}]}


@pytest.mark.parametrize(
    ("first", "told", "it", "en"),
    [
        (STU_OUT, [BOUGHT], "5,00 €", "€5.00"),
        (stoper_cases.first_line(""), [{"e": "set", "stacks": {}, "pot": 700}], "7,00 €", "€7.00"),
        (stoper_cases.first_line(""), [*stoper("hand"), {"e": "apro", "by": "Bice", "to": 99900}], "999,00 €", "€999.00"),
        (stoper_cases.first_line(""), [*stoper("hand\napro Bice 300"), {"e": "rilancio", "by": "Ciro", "to": 200}], "", "€2.00"),
        (stoppa_cases.first_line(""), [{"e": "set", "standing": {"Anna": -500}}], "−5,00 €", "−€5.00"),
        (stoppa_cases.first_line(""), RAISED, "", "€0.20"),
        ({**stoppa_cases.first_line(""), "points": True}, RAISED, "", "to 20,"),
    ],
)  # fmt: skip
def test_a_sum_in_a_refusal_is_written_as_money_on_a_page_and_as_it_stands_in_a_log(first: dict[str, Any],
        told: list[dict[str, Any]], it: str, en: str) -> None:  # fmt: skip
    rules = GAMES[first["game"]].rules
    state, events = rules.begin(rules.LOG.event(first)), [rules.LOG.event(one) for one in told]
    for event in events[:-1]:
        state = rules.apply(state, event)
    error = rules.check(state, events[-1])
    assert error is not None
    assert (it in why_not(error, "it"), en in why_not(error, "en")) == (True, True), (why_not(error, "it"), why_not(error, "en"))
    assert "€" not in str(error)
