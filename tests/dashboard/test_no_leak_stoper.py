"""What only Stoper has: discards, which only a false opener lays open. What every game must keep to itself is in
`test_no_leak.py`."""

from __future__ import annotations

from itertools import pairwise

from hidden_cards import STOPER_WILD, received, stoper_evenings
from hypothesis import given, settings
from leaks import everything, played
from msgspec.structs import replace

from companion.decks.italian_sets import INDEX
from companion.games import GAMES
from companion.games.stoper.bots import Settings, seated, simulate
from companion.games.stoper.rules import report
from companion.games.stoper.rules.cards import DECKS, cards_in
from companion.games.stoper.rules.log import Apro, Cambio, Deal, Hand, Passo, Show, Vedo, new_game
from companion.table.log import Line

STOPER = GAMES["stoper"]


@settings(max_examples=25, deadline=None)
@given(stoper_evenings())
def test_discards_are_laid_open_only_with_the_hand_of_a_false_opener_whom_they_cost_the_showdown(lines: tuple[Line, ...]) -> None:
    for was, now in pairwise(played(STOPER, lines)):
        assert not isinstance(now.event, Cambio) or now.event.discards is None
        if isinstance(now.event, Show) and now.event.discards:
            hand = was.known.hand
            assert hand is not None
            assert hand.opened is not None
            assert (hand.opened.by, was.known.table.house.false_opening) == (now.event.by, "forfeit")


FALSE = (
    new_game(seated(4), 10_000, "Dora"), Hand(cip=50, invito=0), Apro(by="Ada", to=100), Vedo(by="Bice"), Passo(by="Ciro"),
    Passo(by="Dora"), Cambio(by="Ada", n=1, discards=("coppe-5",)), Cambio(by="Bice", n=0),
)  # fmt: skip


def test_a_false_opening_that_only_hidden_discards_prove_is_not_told() -> None:
    hands = {"Ada": ("bastoni-7", "spade-6", "denari-6"), "Bice": ("denari-7", "coppe-6", "spade-5")}
    shows = [Show(by=name, cards=cards) for name, cards in hands.items()]
    words = [STOPER.rules.LOG.event({"e": "busso", "by": name}) for name in ("Ada", "Bice")]
    moments = played(STOPER, [Line(event) for event in (*FALSE, *words, *shows)])
    assert [found.kind for found in report(moments[-1].known).hands[-1].irregularities] == ["false_opening"]
    told = everything(STOPER, moments).decode()
    assert "false_opening" not in told
    assert "coppe-5" not in told
    assert "regola 6" not in told


def test_a_log_has_cards_that_nobody_may_see() -> None:
    lines = received(simulate(Settings(players=seated(6), event_probabilities=replace(STOPER_WILD, void=0)), hands=4, seed=1), 1)
    dealt = [card for line in lines if isinstance(line.event, Deal) for card in line.event.faces]
    thrown = [card for line in lines if isinstance(line.event, Cambio) for card in line.event.discards or ()]
    assert len(dealt) > 30
    assert thrown
    assert {INDEX[card] for card in dealt} <= set(cards_in(DECKS[36]))
