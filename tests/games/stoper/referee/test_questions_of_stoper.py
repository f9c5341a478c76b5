"""When the referee of Stoper asks, what, and what an answer does."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from stoper_table import ADAS, BICES, NAMES, Table, at_showdown, doubtful_face, opened, unseen_hand

from companion.games.stoper.referee.facts import ASKED as WORDS
from companion.referee import Evening
from companion.referee.questions import Contradicted, NotAsked, Question, answer, question
from companion.table.sure import SURE_FROM

ASKED: dict[str, tuple[Callable[[], Table], list[str]]] = {
    "a face that decides": (doubtful_face, ["Ada", "Bice"]),
    "a card that was not seen": (unseen_hand, ["Ada", "Bice"]),
}


def asked(evening: Evening) -> Question:
    found = question(evening)
    assert found is not None
    return found


def winner(evening: Evening) -> str:
    (pot,) = evening.chapters[0].after.hands[0].pots
    return str(pot.winner)


@pytest.mark.parametrize("case", ASKED)
def test_who_took_the_pot_is_asked_where_the_cards_do_not_settle_it(case: str) -> None:
    told, buttons = ASKED[case]
    found = asked(told().evening)
    assert (WORDS.question(found, "it"), WORDS.question(found, "en")) == ("Chi ha preso il piatto?", "Who took the pot?")
    offered = [choice.id for choice in found.choices if not choice.id.startswith("other")]
    assert sorted(WORDS.choice(found, one, NAMES, "it") for one in offered) == buttons


@pytest.mark.parametrize("case", ASKED)
@pytest.mark.parametrize(("place", "name"), [(0, "Ada"), (1, "Bice")])
def test_an_answer_settles_it_and_nobody_is_asked_again(case: str, place: int, name: str) -> None:
    evening = ASKED[case][0]().evening
    after = answer(evening, asked(evening).id, str(place))
    assert winner(after) == name
    assert (after.chapters[0].probability or 0.0) >= SURE_FROM
    assert question(after) is None


@pytest.mark.parametrize("case", ASKED)
def test_who_does_not_know_is_not_asked_again_and_nothing_becomes_sure(case: str) -> None:
    evening = ASKED[case][0]().evening
    after = answer(evening, asked(evening).id, None)
    assert (after.chapters[0].probability or 0.0) < SURE_FROM
    again = question(after)
    assert again is None or again.id != asked(evening).id


def test_nobody_is_asked_for_a_face_that_changes_nothing() -> None:
    """Bice has eighteen of a suit or thirteen; Ada has twenty."""
    face = (("bastoni-5", 0.5), ("spade-5", 0.5))
    table = at_showdown().shows(0, *ADAS).shows(1, *BICES[:2], face).shows(2, "coppe-5", "spade-8", "denari-6").cleared()
    assert question(table.evening) is None
    assert (table.evening.chapters[0].probability or 0.0) >= SURE_FROM


def test_nobody_is_asked_how_many_cards_were_changed() -> None:
    table = opened().throws(0, 1, counts=((1, 0.5), (2, 0.5))).changes(1, 1).changes(2, 1)
    assert question(table.evening) is None


def test_nothing_is_asked_while_the_hand_goes_on() -> None:
    face = (("bastoni-6", 0.55), ("spade-6", 0.45))
    table = at_showdown().shows(0, "denari-7", "denari-6", "coppe-5").shows(1, "bastoni-7", "bastoni-5", face)
    assert question(table.evening) is None


def test_an_answer_that_nothing_agrees_with_is_refused() -> None:
    evening = doubtful_face().evening
    with pytest.raises(Contradicted):
        answer(evening, asked(evening).id, "3")


KEYS = ("won@1", "won@2", "face:2@9.80/17/coppe-6", "dealer")


@pytest.mark.parametrize("key", KEYS)
def test_every_kind_of_fact_has_a_key_and_words_for_it(key: str) -> None:
    fact = WORDS.fact(key)
    assert fact.key == key
    found = Question(f"0:{key}", 0, 1, fact.kind, fact.t, fact.places, tuple(NAMES[place] for place in fact.places), (), 1.0)
    for lang in ("it", "en"):
        assert WORDS.question(found, lang).endswith("?")
        assert WORDS.question(found, lang)[0].isupper()
    assert WORDS.choice(found, "coppe-6" if fact.kind == "face" else "1", NAMES, "it") in ("Bice", "Sei di coppe")


@pytest.mark.parametrize("key", ["won", "won:1@2", "face@9.8", "face:1", "dealer:2", "colour:1", "face:1@never", ""])
def test_what_was_not_asked_cannot_be_answered(key: str) -> None:
    with pytest.raises(NotAsked):
        answer(doubtful_face().evening, f"0:{key}", "1")
