"""“Ad Anna”, “ed Elena”: the d stands before the same vowel, in every Italian message that names are put into."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.dashboard.script_words import organiser_words, roles, spectator_words
from companion.games import shown_games
from companion.games.stu.pages.commentary import comment
from companion.games.stu.rules import apply, begin
from companion.games.stu.rules.log import Hand, Passo, Swap, new_game
from companion.table.language import LANGS, Lang, Phrase, catalogue, phrase


@pytest.mark.parametrize(
    ("message", "names", "said"),
    [
        ("{player} passa a {asked}", ("Bruno", "Anna"), "Bruno passa ad Anna"),
        ("{player} passa a {asked}", ("Anna", "Bruno"), "Anna passa a Bruno"),
        ("{player} passa a {asked}", ("Anna", "Elena"), "Anna passa a Elena"),  # only before the same vowel
        ("{player} passa a {asked}", ("Anna", "Àgata"), "Anna passa ad Àgata"),
        ("{player} passa a {asked}", ("Anna", "ada"), "Anna passa ad ada"),
        ("{player} passa a {asked}", ("Anna", ""), "Anna passa a "),
        ("{player} e {asked} scambiano", ("Anna", "Elena"), "Anna ed Elena scambiano"),
        ("{player} e {asked} scambiano", ("Elena", "Anna"), "Elena e Anna scambiano"),
        ("da {player} a {asked}", ("Anna", "Ada"), "da Anna ad Ada"),
        ("A {player}, e {asked}", ("Anna", "Èva"), "Ad Anna, ed Èva"),
        ("la carta di {player}; {asked}", ("Anna", "Elena"), "la carta di Anna; Elena"),
        ("{player}: c’è {asked}", ("Anna", "Elena"), "Anna: c’è Elena"),  # the verb is no “e”
        ("{player}a {asked}", ("Ann", "Anna"), "Anna Anna"),  # the end of a name is no “a”
    ],
)
def test_the_d_stands_where_it_belongs(message: str, names: tuple[str, str], said: str) -> None:
    filled = Phrase(message).format(player=names[0], asked=names[1])
    assert filled == said
    assert type(filled) is str


def test_the_last_of_many_names_too() -> None:
    joined = catalogue("it").gettext(" and ").join(["Anna, Bruno", "Elena"])
    assert joined == "Anna, Bruno ed Elena"
    assert catalogue("en").gettext(" and ").join(["Anna", "Elena"]) == "Anna and Elena"
    assert Phrase(" e ").join([]) == ""


@given(st.text(max_size=8), st.text(max_size=8))
def test_but_for_the_d_it_is_what_str_makes_of_it(one: str, other: str) -> None:
    for message in ("{0} passa a {1}", "{0} e {1}", "{1:>5} e {0!r}"):
        plain, filled = message.format(one, other), Phrase(message).format(one, other)
        assert filled.replace("ad ", "a ").replace("ed ", "e ") == plain.replace("ad ", "a ").replace("ed ", "e ")
        assert len(filled) - len(plain) in (0, 1)


@pytest.mark.parametrize(("lang", "said"), [("it", "Elena passa ad Anna"), ("en", "Elena passes to Anna")])
def test_the_commentary_says_it_so(lang: Lang, said: str) -> None:
    state = apply(begin(new_game(("Anna", "Bruno", "Elena"), 100, "Bruno")), Hand())
    passed = apply(state, Passo(by="Elena"))
    assert comment(state, Passo(by="Elena"), passed, lang) == said
    swapped = apply(passed, Swap(with_="Anna"))
    assert comment(passed, Swap(with_="Anna"), swapped, "it") == "Elena e Anna si scambiano la carta"


@pytest.mark.parametrize("lang", LANGS)
def test_what_scripts_fill_is_plain(lang: Lang) -> None:
    """What they put behind “a” or “e” would have no d; and a `Phrase` is no plain string on its way to them."""
    words = [*spectator_words(lang).values(), *organiser_words(lang).values(), *roles(lang).values()]
    for game in shown_games():
        words += [*game.pages.tv_words(lang).values(), *game.pages.phone_words(lang).values()]
    assert {type(word) for word in words} == {str}
    assert phrase("Mano {n}") == "Mano {n}"
    assert type(phrase("Mano {n}")) is str
