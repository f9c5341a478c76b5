"""What only Stoppa has: a pile about which the eyes may be wrong, and hands whose outcome alone was stated. What every game
must keep to itself is in `test_no_leak.py`."""

from __future__ import annotations

import msgspec
from hidden_cards import CARD, STOPPA_WILD, true_and_watched_stoppa
from hypothesis import given, settings
from hypothesis import strategies as st
from leaks import answered, everything, played
from msgspec.structs import replace

from companion.dashboard.settings import DEFAULTS
from companion.decks.italian import NAMES
from companion.games import GAMES
from companion.games.stoppa.bots import Settings, seated, simulate
from companion.games.stoppa.pages import PAGES
from companion.games.stoppa.rules import report
from companion.games.stoppa.rules.log import Deal, Grosso, Hand, Lay, Piccolo, Show, new_game
from companion.table.log import Line

STOPPA = GAMES["stoppa"]


def test_a_mistake_that_only_the_camera_can_know_of_is_not_told() -> None:
    events = (
        new_game(seated(4), 600, 100, "Dino"), Hand(), Piccolo(), Deal(to="Anna", faces=("spade-6",)), *[Piccolo()] * 3, Grosso(),
        Lay(by="Anna", cards=("denari-5",)), Lay(by="Bruno", cards=("denari-6",)),
    )  # fmt: skip
    moments = played(STOPPA, [Line(event) for event in events])
    assert [found.card for found in report(moments[-1].known).hands[-1].irregularities] == ["spade-6"]
    told = everything(STOPPA, moments).decode()
    assert "spade-6" not in told
    assert NAMES["spade-6"].it not in told


def test_a_log_has_every_card_that_was_dealt() -> None:
    lines = simulate(Settings(players=seated(6), event_probabilities=replace(STOPPA_WILD, void=0), faces=True), hands=1, seed=1)
    dealt = [card for line in lines if isinstance(line.event, Deal) for card in line.event.faces]
    assert len(set(dealt)) == len(dealt) == 36


@settings(max_examples=2, deadline=None)
@given(st.integers(0, 10_000))
def test_of_what_the_eyes_report_only_cards_laid_or_shown_reach_a_page(seed: int) -> None:
    """Also while it is doubtful, and after every answer: the referee may be wrong about a card, but then it is not sure of it."""
    true, evening = true_and_watched_stoppa(seed)
    laid_open = {kind for line in true for kind in getattr(line.event, "cards", ())}
    for one in answered(evening):
        moments = played(STOPPA, one.log)
        for length in (*range(1, len(moments), 9), len(moments)):
            view = PAGES.view(moments[:length], "it", DEFAULTS.view)
            if view.centre is not None:
                assert {card.card.face for card in view.centre.pile if card.sure} <= laid_open
            for seat in view.seats:
                assert seat.doubtful or seat.believed or {card.face for card in seat.cards} <= laid_open
            assert not {"question", "choices"} & set(msgspec.json.decode(msgspec.json.encode(view)))


@settings(max_examples=10, deadline=None)
@given(st.integers(3, 6), st.integers(0, 10_000))
def test_no_card_that_stands_for_an_outcome_reaches_a_page(players: int, seed: int) -> None:
    lines = simulate(Settings(players=seated(players), faces=True), hands=1, seed=seed)
    before, events = played(STOPPA, lines)[0].known, [line.event for line in lines[1:]]
    size = before.table.size
    left = {name: 1 + (seed + at) % (size - 1) for at, name in enumerate(before.table.names[:-1])}
    found = PAGES.outcomes.stated(before, events, left, {})
    if found is None:
        return
    first = next(at for at, event in enumerate(found) if isinstance(event, Lay))
    opened = {kind for event in found[:first] if isinstance(event, Show) for kind in event.cards}
    log = [lines[0], *(Line(event, None, 0.0 if isinstance(event, Lay) else 1.0) for event in found)]
    view = PAGES.view(played(STOPPA, log), "it", DEFAULTS.view)
    assert set(CARD.findall(msgspec.json.encode(view).decode())) <= opened
    assert PAGES.moviola(played(STOPPA, log), "it") is None
