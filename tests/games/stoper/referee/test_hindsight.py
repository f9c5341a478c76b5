"""A player who bets more chips than the log says they have has won them: an earlier hand that was not sure had another winner."""

from __future__ import annotations

import pytest
from stoper_table import SIX, Table, after_a_doubtful_hand

from companion.games import GAMES
from companion.games.stoper.pages.words import notices
from companion.games.stoper.rules import log as tl
from companion.games.stoper.sightings import Odds
from companion.referee.corrections import Correction, confirm, correct
from companion.referee.evening import Evening, replay, reported
from companion.referee.following import undo
from companion.referee.keeping import encode_aside, encode_hand, restored
from companion.referee.questions import answer, question
from companion.referee.record import Fixed
from companion.table.errors import Illegal
from companion.table.log import Event
from companion.table.sure import SURE_FROM

BICE = 1
PAROLA = (tl.Parola(by="Bice"), tl.Parola(by="Ciro"), tl.Parola(by="Dora"))
MORE_THAN_SHE_HAS = tl.Apro(by="Ada", to=1200)


def in_the_next_hand(*words: Event) -> Table:
    return after_a_doubtful_hand().tell(tl.Hand()).dealt().tell(*PAROLA, *words)


def winner(evening: Evening, hand: int = 0) -> str | None:
    chapter = evening.chapters[hand]
    ruling = chapter.game.rules.ruling(chapter.after, hand + 1)
    return None if ruling is None else ruling.pots[0].winner


def test_who_bets_more_than_they_seem_to_have_has_won_the_hand_before() -> None:
    assert winner(in_the_next_hand().evening) == "Bice"
    evening = in_the_next_hand(MORE_THAN_SHE_HAS).evening
    assert winner(evening) == "Ada"
    assert [line.event for line in evening.current.lines][-1] == MORE_THAN_SHE_HAS
    assert evening.current.after.hand is not None


def test_it_may_have_been_two_hands_before() -> None:
    table = after_a_doubtful_hand().tell(tl.Hand()).dealt()
    table.tell(tl.Apro(by="Bice", to=100), tl.Passo(by="Ciro"), tl.Passo(by="Dora"), tl.Passo(by="Ada")).cleared()
    table.tell(tl.Hand()).dealt().tell(tl.Parola(by="Ciro"), tl.Parola(by="Dora"), MORE_THAN_SHE_HAS)
    assert [winner(table.evening, hand) for hand in (0, 1)] == ["Ada", "Bice"]


def test_what_was_told_of_the_hand_before_stands_against_any_bet() -> None:
    table = after_a_doubtful_hand()
    asked = question(table.evening)
    assert asked is not None
    table.evening = answer(table.evening, asked.id, str(BICE))
    table.tell(tl.Hand()).dealt().tell(*PAROLA)
    with pytest.raises(Illegal) as refused:
        table.tell(MORE_THAN_SHE_HAS)
    assert refused.value.code == "too_much"
    assert winner(table.evening) == "Bice"


@pytest.mark.parametrize(
    ("third", "to"),
    [
        pytest.param((("bastoni-6", 0.995), ("spade-6", 0.005)), 1200, id="a hand that was sure"),
        pytest.param(SIX, 5000, id="more than any hand could have given"),
    ],
)
def test_a_bet_that_nothing_likely_lets_be_is_refused(third: Odds, to: int) -> None:
    table = after_a_doubtful_hand(third=third).tell(tl.Hand()).dealt().tell(*PAROLA)
    before = table.evening
    with pytest.raises(Illegal) as refused:
        table.tell(tl.Apro(by="Ada", to=to))
    assert refused.value.code == "too_much"
    assert table.evening is before


def test_a_word_out_of_turn_tells_nothing_of_the_hand_before() -> None:
    table = after_a_doubtful_hand().tell(tl.Hand()).dealt()
    with pytest.raises(Illegal):
        table.tell(tl.Apro(by="Dora", to=1200))
    assert winner(table.evening) == "Bice"


def test_undone_it_is_as_if_it_had_not_been_said() -> None:
    evening = undo(in_the_next_hand(MORE_THAN_SHE_HAS).evening)
    assert winner(evening) == "Bice"
    assert evening.log == in_the_next_hand().evening.log


def test_an_amount_that_was_put_right_tells_nothing_any_more() -> None:
    table = in_the_next_hand(MORE_THAN_SHE_HAS)
    at = len(table.chapter.lines) - 1
    evening = correct(table.evening, Correction(table.chapter.id, at, at + 1, (tl.Apro(by="Ada", to=120),)))
    assert winner(evening) == "Bice"
    assert evening.chapters[0].reports.later == ()
    assert [line.event for line in evening.current.lines][-1] == tl.Apro(by="Ada", to=120)


def test_the_phone_says_which_hand_went_otherwise_until_somebody_has_told_of_it() -> None:
    evening = in_the_next_hand(MORE_THAN_SHE_HAS).evening
    said = "Mano 1: vittoria di Ada, a giudicare dalle puntate successive"
    assert [text.rstrip(".") for text in notices(evening, "it")] == [said]
    assert notices(in_the_next_hand().evening, "it") == ()
    assert notices(confirm(evening, evening.chapters[0].id), "it") == ()


def test_who_tells_another_amount_that_is_too_much_has_told_the_same() -> None:
    table = in_the_next_hand(MORE_THAN_SHE_HAS)
    at = len(table.chapter.lines) - 1
    evening = correct(table.evening, Correction(table.chapter.id, at, at + 1, (tl.Apro(by="Ada", to=1100),)))
    assert winner(evening) == "Ada"


def test_the_hand_before_is_as_sure_as_words_are() -> None:
    probability = in_the_next_hand(MORE_THAN_SHE_HAS).evening.chapters[0].probability
    assert probability is not None
    assert SURE_FROM < probability < 0.999  # 0.45 against 0.55 times 0.01


def test_a_restart_and_the_record_tell_the_same() -> None:
    evening = in_the_next_hand(MORE_THAN_SHE_HAS, tl.Passo(by="Bice")).evening
    kept = [encode_hand(chapter) for chapter in evening.chapters]
    again = restored(GAMES["stoper"], evening.record, evening.log, kept, encode_aside(evening))
    assert again.log == evening.log
    assert again.chapters[0].reports.later == evening.chapters[0].reports.later
    assert winner(again) == "Ada"
    assert replay(GAMES["stoper"], evening.record).log == evening.log


def test_a_hand_that_is_not_there_is_none() -> None:
    table = in_the_next_hand()
    with pytest.raises(KeyError):
        reported(table.evening, Fixed(99, ()))
