"""A hand that is not sure leaves chips in doubt: what depends on them is not sure either, and nothing else is affected."""

from __future__ import annotations

import pytest
from stoper_table import Table, after_a_doubtful_hand, doubtful_showdown

from companion.editing.commands import Say
from companion.editing.edit import obey
from companion.games.stoper.rules import log as tl
from companion.referee.evening import Evening
from companion.referee.keeping import encode_aside, encode_hand, restored
from companion.referee.questions import answer, question
from companion.table.log import Event
from companion.table.sure import SURE_FROM

ALL_PASS = (tl.Parola(by="Bice"), tl.Parola(by="Ciro"), tl.Parola(by="Dora"), tl.Parola(by="Ada"))


def opens(to: int) -> tuple[Event, ...]:
    return (tl.Apro(by="Bice", to=to), tl.Passo(by="Ciro"), tl.Passo(by="Dora"), tl.Passo(by="Ada"))


def in_the_next_hand(stacks: int, *words: Event) -> Table:
    return after_a_doubtful_hand(stacks).tell(tl.Hand()).dealt().tell(*words)


def second_is_sure(evening: Evening) -> bool:
    return (evening.chapters[1].probability or 0.0) >= SURE_FROM


CASES = {
    "nobody comes near the end of their chips": (10000, opens(600), True),
    "nobody opens": (1000, ALL_PASS, True),
    "who has won perhaps puts in what they have in any case": (1000, opens(600), True),
    "who has won perhaps puts in what they have only then": (1000, opens(900), False),
    "who has lost perhaps has no chips for the next hand": (350, (ALL_PASS[0], ALL_PASS[2]), False),
}


@pytest.mark.parametrize("case", CASES)
def test_a_hand_is_as_sure_as_the_chips_that_it_hangs_on(case: str) -> None:
    stacks, words, sure = CASES[case]
    evening = in_the_next_hand(stacks, *words).evening
    assert (evening.chapters[0].probability or 0.0) < SURE_FROM
    assert second_is_sure(evening) == sure


def test_who_took_the_pot_told_the_next_hand_is_sure() -> None:
    evening = in_the_next_hand(1000, *opens(900)).evening
    asked = question(evening)
    assert asked is not None
    assert second_is_sure(answer(evening, asked.id, "1"))


@pytest.mark.parametrize("said", [(tl.Chips(by="Ciro", amount=500), tl.Hand()), (tl.Hand(),)], ids=["chips", "the next hand"])
@pytest.mark.parametrize("by_phone", [False, True], ids=["by a prompter", "by phone"])
def test_who_goes_on_with_the_cards_still_there_has_not_said_who_took_the_pot(said: tuple[Event, ...], by_phone: bool) -> None:
    table = doubtful_showdown()
    before = table.evening.current
    for event in said:
        if by_phone:
            table.evening = obey(table.evening, Say((event,)))
        else:
            table.tell(event)
    hand, end = table.evening.chapters[0], table.evening.chapters[0].lines[-1]
    assert hand.reports.closed
    assert (hand.probability or 0.0) == pytest.approx(before.probability or 0.0, abs=0.01)
    assert end.confidence is not None
    assert end.confidence < SURE_FROM
    assert question(table.evening) is not None
    assert not second_is_sure(table.dealt().tell(*opens(900)).evening)


def test_once_the_table_has_said_what_they_have_nobodys_chips_are_in_doubt() -> None:
    table = after_a_doubtful_hand(1000)
    stacks = table.evening.settled.stacks
    said = tl.Set(stacks=dict(zip(table.evening.settled.table.names, stacks, strict=True)))
    table.tell(said).tell(tl.Hand()).dealt().tell(*opens(900))
    assert second_is_sure(table.evening)
    assert not any(map(any, table.evening.chapters[1].doubted[0]))
    one = tl.Set(stacks={"Ciro": 1000})
    assert not second_is_sure(after_a_doubtful_hand(1000).tell(one).tell(tl.Hand()).dealt().tell(*opens(900)).evening)


def test_a_doubt_outlives_a_hand_that_does_not_hang_on_it_and_a_restart() -> None:
    table = in_the_next_hand(1000, *opens(600)).cleared().tell(tl.Hand(), tl.Apro(by="Ciro", to=150))
    table.tell(tl.Passo(by="Dora"), tl.Passo(by="Ada"), tl.Vedo(by="Bice"))
    kept = [encode_hand(chapter) for chapter in table.evening.chapters]
    again = restored(table.evening.game, table.evening.record, table.evening.log, kept, encode_aside(table.evening))
    for evening in (table.evening, again):
        assert evening.current.reports.doubted[1][0] > 0
        assert evening.current.reports.owned < 1.0
