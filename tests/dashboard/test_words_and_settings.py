"""Nothing without a description, nothing in one language only."""

import re
import string

import pytest

from companion.assets import asset
from companion.dashboard.settings import Settings, described
from companion.dashboard.strings import COMMENTARY, MESSAGES, NAMES, NOTICES, PAGE, ROLES, money
from companion.dashboard.view import LANGS


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


@pytest.mark.parametrize("catalogue", [
    pytest.param(PAGE, id="page"), pytest.param(ROLES, id="roles"), pytest.param(MESSAGES, id="messages"),
    pytest.param(COMMENTARY, id="commentary"), pytest.param(NOTICES, id="notices"),
])  # fmt: skip
def test_both_languages_say_everything_with_the_same_blanks(catalogue: dict[str, dict[str, str]]) -> None:
    blanks = [
        {key: {name for _, name, _, _ in string.Formatter().parse(text) if name} for key, text in catalogue[lang].items()}
        for lang in LANGS
    ]
    assert blanks[0] == blanks[1]
    assert all(text.strip() for lang in LANGS for text in catalogue[lang].values())


def test_the_page_asks_for_no_word_that_is_not_there() -> None:
    web = asset("web")
    names = ("parts", "line", "tv", "moviola", "sounds", "overlay")
    scripts = "".join((web / "static" / f"{name}.js").read_text() for name in names)
    templates = "".join((web / "templates" / f"{name}.html").read_text() for name in ("tv", "overlay", "charts"))
    asked = set(re.findall(r"\bwords\.(\w+)", scripts)) | set(re.findall(r"\bstrings\.(\w+)", templates))
    assert asked - {"roles"} == set(PAGE["it"]) - {"dealt"}  # which the server says
    assert set(NAMES) == set(LANGS)


@pytest.mark.parametrize(
    ("minor", "it", "en"),
    [(5, "0,05 €", "€0.05"), (123450, "1234,50 €", "€1234.50"), (10**16, "1,00·10^14 €", "1.00·10^14 €")],
)
def test_sums_are_written_as_people_read_them(minor: int, it: str, en: str) -> None:
    assert (money(minor, "it").replace("\xa0", " "), money(minor, "en").replace("\xa0", " ")) == (it, en)
