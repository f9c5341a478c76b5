"""What only Lu Stù has: a physical card that nobody showed stays hidden, wherever it goes. What every game must keep to itself
is in `test_no_leak.py`."""

from __future__ import annotations

from collections.abc import Sequence

from evenings import evenings
from hypothesis import given, settings
from leaks import everything, played

from companion.dashboard.settings import DEFAULTS
from companion.games import GAMES
from companion.games.stu import rules
from companion.games.stu.pages import PAGES
from companion.games.stu.pages.moviola import moviola
from companion.games.stu.pages.view import StuView, view
from companion.games.stu.rules import report
from companion.games.stu.rules.log import Deal, Hand, Passo, Reveal, Swap, Taverna, new_game
from companion.pages.moments import Moment, advance
from companion.table.language import Lang
from companion.table.log import Line

STU = GAMES["stu"]


def projection(moments: Sequence[Moment], lang: Lang) -> StuView:
    return view(moments, lang, DEFAULTS.view)


@settings(max_examples=60, deadline=None)
@given(evenings())
def test_every_face_on_the_page_was_shown_or_lay_in_the_showdown(lines: tuple[Line, ...]) -> None:
    shown: set[int] = set()  # the physical cards that everybody has seen in this hand
    moments: list[Moment] = []
    for line in lines:
        before = moments[-1] if moments else None
        moments.append(advance(rules, PAGES, before, line))
        hand = before.known.hand if before is not None else None
        if isinstance(line.event, Hand):
            shown = set()
        elif isinstance(line.event, Reveal | Taverna) and hand is not None:
            shown.add(hand.holds[hand.order.index(moments[-1].known.table.names.index(line.event.by))])
        over = moments[-1].known.hand is None
        on_table = moments[-1].laid
        for number, seat in enumerate(projection(moments, "it").seats):
            if seat.card is None or seat.card.face is None:
                continue
            assert on_table is not None
            token = on_table.holds[on_table.order.index(number)]
            assert token in shown or (over and seat.name in in_showdown(moments))


@settings(max_examples=60, deadline=None)
@given(evenings())
def test_the_moviola_shows_hands_that_are_over_and_faces_that_were_seen(lines: tuple[Line, ...]) -> None:
    moments = played(STU, lines)
    seen: set[str] = set()  # faces that everybody has seen of the hand in progress
    over: set[str] = set()  # and of the last one
    for length in range(2, len(moments) + 1):
        now = moments[length - 1]
        if isinstance(now.event, Hand):
            seen = set()
        seen |= {face for line in now.lines if (face := getattr(line.event, "card", None))}
        seen |= {"taverna" for line in now.lines if isinstance(line.event, Taverna)}
        if now.seen.hand is None and moments[length - 2].seen.hand is not None:
            over = seen
        replayed = moviola(moments[:length], "it")
        if replayed is None:
            assert not now.seen.hands
            continue
        assert replayed.n == len(now.seen.hands)
        assert {card.face for step in replayed.steps for card in step.cards.values() if card.face is not None} <= over


def in_showdown(moments: Sequence[Moment]) -> set[str]:
    """Who was still in when the last hand ended: all of them show."""
    last = next(moment.known.hand for moment in reversed(moments) if moment.known.hand is not None)
    return {moments[-1].known.table.names[last.order[position]] for position in last.positions()}


def test_a_mistake_that_only_the_camera_can_know_of_is_not_told() -> None:
    lines = [
        Line(new_game(["Anna", "Bruno", "Carla"], 200, "Carla")),
        Line(Hand()),
        Line(Deal(to="Anna", card="cucco")),
        Line(Deal(to="Bruno", card="5")),
        Line(Passo(by="Anna")),
        Line(Swap(with_="Bruno")),
    ]
    moments = played(STU, lines)
    assert [found.kind for found in report(moments[-1].known).hands[-1].irregularities] == ["passed_unbeatable"]
    said = everything(STU, moments).decode()
    assert "passed_unbeatable" not in said
    assert "cucco" not in said.lower()
    assert "non poteva migliorare" not in said
