"""When the referee of Stoppa asks, what, and what an answer does."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from stoppa_table import DENARI, NAMES, Table, doubtful_group, doubtful_place, gathered_before_the_stop

from companion.games.stoppa.referee.facts import ASKED as WORDS
from companion.referee import Evening
from companion.referee.chapter import Chapter
from companion.referee.questions import Contradicted, NotAsked, Question, answer, question
from companion.table.sure import SURE_FROM

ASKED: dict[str, tuple[Callable[[], Table], str, str, list[str]]] = {
    "whose card it was": (doubtful_place, "Cavallo di denari: chi l’ha messo giù?", "Who put down the knight of coins?",
                          ["Bruno", "Carla", "Un altro"]),
    "who has the better group": (doubtful_group, "Chi ha preso il punto piccolo 1?", "Who took the punto piccolo 1?",
                                 ["Anna", "Bruno"]),
    "whether anybody has stopped": (gathered_before_the_stop, "Chi ha messo l’ultima carta e ha stoppato?",
                                    "Who laid their last card and stopped?", ["Anna", "Nessuno: si è smesso prima"]),
}  # fmt: skip


def asked(evening: Evening) -> Question:
    found = question(evening)
    assert found is not None
    return found


def payments(chapter: Chapter) -> list[tuple[str, str, int]]:
    (hand,) = chapter.after.hands
    return [(paid.payer, paid.to, paid.amount) for paid in hand.payments]


@pytest.mark.parametrize("case", ASKED)
def test_the_one_question_that_settles_most_is_asked(case: str) -> None:
    told, italian, english, buttons = ASKED[case]
    found = asked(told().evening)
    assert (WORDS.question(found, "it"), WORDS.question(found, "en")) == (italian, english)
    assert sorted(WORDS.choice(found, choice.id, NAMES, "it") for choice in found.choices) == buttons


@pytest.mark.parametrize("case", ASKED)
def test_every_answer_settles_it_and_the_same_is_not_asked_again(case: str) -> None:
    """Also "another", and "don't know"."""
    evening = ASKED[case][0]().evening
    found = asked(evening)
    for choice in (*found.choices, None):
        after = answer(evening, found.id, choice.id if choice is not None else None)
        again = question(after)
        assert again is None or again.id != found.id or (choice is not None and choice.id.startswith("other"))
        if choice is not None and not choice.id.startswith("other"):
            assert (after.chapters[0].probability or 0.0) >= SURE_FROM or again is not None


@pytest.mark.parametrize("case", ASKED)
def test_questions_end_whatever_is_answered(case: str) -> None:
    """Nobody is asked without end, not even an organiser who always taps the last button."""
    for last in (False, True):
        evening, told = ASKED[case][0]().evening, 0
        while (found := question(evening)) is not None:
            evening = answer(evening, found.id, found.choices[-1 if last else 0].id)
            told += 1
            assert told < 8


def test_an_answer_settles_who_takes_the_punto() -> None:
    table = doubtful_group()
    found = asked(table.evening)
    for place, name in ((0, "Anna"), (1, "Bruno")):
        chapter = answer(table.evening, found.id, str(place)).chapters[0]
        assert chapter.after.hands[0].pots[0].winner == name
        assert chapter.lines[-1].confidence is not None
        assert chapter.lines[-1].confidence >= SURE_FROM


def test_until_somebody_answers_the_ruling_stands_unsure() -> None:
    over = doubtful_group().evening.chapters[0]
    assert over.lines[-1].confidence == pytest.approx(0.57, abs=0.02)


def test_who_says_that_nobody_stopped_pays_nobody() -> None:
    evening = gathered_before_the_stop().evening
    assert payments(evening.chapters[0])
    chapter = answer(evening, asked(evening).id, "nobody").chapters[0]
    assert not payments(chapter)


def test_an_answer_that_nothing_agrees_with_is_refused() -> None:
    evening = doubtful_group().evening
    with pytest.raises(Contradicted):
        answer(evening, asked(evening).id, "3")


def test_nothing_is_asked_while_the_hand_goes_on() -> None:
    table = Table().dealt().lays(0, *DENARI[:8]).doubtful((("denari-9", 1.0),), ((1, 0.5), (2, 0.5)))
    assert question(table.evening) is None


KEYS = ("stopped", "left:2", "won@grosso", "whose@9.80/17/coppe-6", "number@9.80/17", "missed@6", "dealer")


@pytest.mark.parametrize("key", KEYS)
def test_every_kind_of_fact_has_a_key_and_words_for_it(key: str) -> None:
    fact = WORDS.fact(key)
    assert fact.key == key
    found = Question(f"0:{key}", 0, 1, fact.kind, fact.t, fact.places, tuple(NAMES[place] for place in fact.places), (), 1.0)
    for lang in ("it", "en"):
        assert WORDS.question(found, lang).endswith("?")
        assert WORDS.question(found, lang)[0].isupper()
    value: dict[str, str] = {"left": "3", "number": "10"}
    assert WORDS.choice(found, value.get(fact.kind, "1"), NAMES, "it")[0] in "BR3"


@pytest.mark.parametrize("key", ["stopped:1", "left", "won", "whose", "missed", "colour:1", "whose@never", ""])
def test_what_was_not_asked_cannot_be_answered(key: str) -> None:
    with pytest.raises(NotAsked):
        answer(doubtful_group().evening, f"0:{key}", "1")
