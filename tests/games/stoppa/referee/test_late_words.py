"""A thumb is slower than a mouth: what the phone tells a moment late belongs where it was said, and confirms nothing else."""

from __future__ import annotations

import pytest
from stoppa_table import BET, Table

from companion.editing.commands import Say, StaleVersion
from companion.editing.edit import obey
from companion.editing.rebase import said_next
from companion.games.stoppa.rules import log as tl
from companion.games.stoppa.sightings import Shown
from companion.line import prompter
from companion.referee import Evening
from companion.table.errors import Illegal
from companion.table.log import Event, Line, tag
from companion.table.sure import SURE_FROM

FOUR = ("coppe-5", "coppe-6", "coppe-7", "coppe-9")


def test_a_vedo_told_while_somebody_lays_cards_open_does_not_stop_them_at_the_first() -> None:
    table = Table().dealt(4).tell(tl.Grosso(), tl.Punto(by="Anna", to=500), tl.Vedo(by="Bruno"))
    said, shown = table.t + 1.0, table.t + 1.8
    for at, kind in enumerate(FOUR):
        table.episode += 1
        table.see(Shown(shown + 0.15 * at, 0, table.episode, ((kind, 1.0),)))
        if at == 0:
            table.evening = prompter.with_line(table.evening, Line(tl.Vedo(by="Carla"), said))
    assert [(line.by, line.cards) for line in table.lines("show")] == [("Anna", FOUR)]
    assert [line.by for line in table.lines("vedo")] == ["Bruno", "Carla"]
    show = next(line for line in table.chapter.lines if tag(line.event) == "show")
    assert (show.confidence or 0.0) >= SURE_FROM


MISERA = tl.Declare(by="Carla", what="misera")


def gathered() -> Table:
    """The comparison is over; the cards are gathered before anybody has told why."""
    table = Table().dealt(4).tell(tl.Grosso(), *BET).shows(0, "denari-3", "denari-8", "denari-10")
    return table.shows(1, "coppe-2", "spade-4").cleared()


def outcome(evening: Evening) -> list[str]:
    return [tag(line.event) for line in evening.chapters[-2].lines][-2:]


@pytest.mark.parametrize("way", ["a moment later", "on the phone", "on a phone that shows the hand before"])
def test_a_declaration_told_when_the_cards_are_gathered_ends_the_hand_as_it_was(way: str) -> None:
    table = gathered()
    assert outcome(table.evening)[-1] == "void"
    if way == "a moment later":
        after = prompter.with_line(table.evening, Line(MISERA, table.t + 1.0))
    elif way == "on the phone":
        after = obey(table.evening, Say((MISERA,)))
    else:
        then = [line.event for line in table.evening.log if tag(line.event) != "void"]
        again = said_next(Say((MISERA,)), then, table.evening)
        assert again is not None
        after = obey(table.evening, again)
    assert outcome(after) == ["declare", "end"]
    (hand,) = after.current.after.hands
    assert not hand.void
    assert {payment.to for payment in hand.payments if payment.cause == "misera"} == {"Carla"}


def refused(evening: Evening, *events: Event) -> bool:
    try:
        obey(evening, Say(events))
    except (Illegal, StaleVersion):
        return True
    return False


def test_nothing_is_told_of_a_hand_that_somebody_has_ended_or_after_another_has_begun() -> None:
    assert refused(gathered().dealt(1).evening, MISERA)
    assert refused(Table().dealt(1).tell(*BET, tl.Void(reason="misdeal")).evening, MISERA)
