"""No card of Stoppa that nobody has laid open reaches a page, the stream or the public log, whatever the log knows."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st
from leaks import ASKED, answers, played
from msgspec.structs import replace

from companion.dashboard.settings import DEFAULTS
from companion.decks.italian import NAMES
from companion.games import GAMES
from companion.games.stoppa import pages
from companion.games.stoppa.bots import Rarities, Settings, seated, simulate
from companion.games.stoppa.rules import report
from companion.games.stoppa.rules.log import Deal, Declare, Grosso, Hand, HouseRules, Lay, Piccolo, Show, new_game
from companion.line.alone import evening_of
from companion.referee.questions import answer, question
from companion.table.log import Line, write_lines
from companion.table.moments import Moment
from companion.workshop.streams.stoppa.evenings import evenings as evenings_with_times
from companion.workshop.streams.stoppa.noise import Noise
from companion.workshop.streams.stoppa.referee import evening_of as told_by
from companion.workshop.streams.stoppa.referee import spoilt

STOPPA = GAMES["stoppa"]
WILD = Rarities(void=0.1, annul=0.1, wrong_dealer=0.1, giro=0.15, omission=0.15, found=0.3, shown=0.5, unsaid=0.3)
CARD = re.compile(r"\b(?:denari|coppe|spade|bastoni)-(?:10|[1-9])\b")
NAMED = {name.it: kind for kind, name in NAMES.items()}


@st.composite
def evenings(draw: st.DrawFn) -> tuple[Line, ...]:
    """The log of a few hands in which every dealt card is known, with mistakes and incidents."""
    house = HouseRules(
        pass_=draw(st.sampled_from(["final", "checks"])),
        grosso_nobody=draw(st.sampled_from(["dealer", "carried"])),
        three_aces_anytime=draw(st.booleans()),
        all_at_once=draw(st.sampled_from(["deck", "left"])),
    )
    table = Settings(players=seated(draw(st.integers(3, 6))), house_rules=house, rarities=WILD, faces=True)
    return simulate(table, hands=draw(st.integers(1, 3)), seed=draw(st.integers(0, 2**32)))


def everything(moments: Sequence[Moment]) -> bytes:
    """All that a spectator can get of a game that has come so far."""
    views = [pages.view(moments, lang, DEFAULTS.view) for lang in ("it", "en")]
    drawn = pages.charts.figures(moments, "it")
    return b"\n".join([
        *(msgspec.json.encode(view) for view in views),
        write_lines(line for moment in moments for line in moment.lines),
        msgspec.json.encode(pages.moviola(moments, "it")),
        msgspec.json.encode(drawn),
        pages.charts.drawing(drawn, "it").encode(),
        *(pages.line_text(was.seen, now.event, now.seen, "it").encode() for was, now in pairwise(moments)),  # VAR says these
        "\n".join(pages.calls(moments, views[0], "it")).encode(),
    ])  # fmt: skip


def blind(lines: Sequence[Line]) -> tuple[Line, ...]:
    """The same log, had nobody seen a card before it was laid open. What stays in a hand is never laid open, not even later."""
    return tuple(
        replace(line, event=replace(line.event, faces=()), confidence=None) if isinstance(line.event, Deal) else line
        for line in lines
    )


@settings(max_examples=25, deadline=None)
@given(evenings())
def test_what_the_camera_saw_of_dealt_cards_changes_nothing(lines: tuple[Line, ...]) -> None:
    moments, unknowing = played(STOPPA, lines), played(STOPPA, blind(lines))
    for length in (*range(1, len(lines), 17), len(lines)):
        assert everything(moments[:length]) == everything(unknowing[:length])


@settings(max_examples=25, deadline=None)
@given(evenings())
def test_every_face_on_the_page_was_laid_open_in_this_hand(lines: tuple[Line, ...]) -> None:
    moments = played(STOPPA, lines)
    opened: set[str] = set()
    for length, now in enumerate(moments, start=1):
        if isinstance(now.event, Hand):
            opened = set()
        if isinstance(now.event, Show | Lay | Declare):
            opened |= set(now.event.cards)
        view = pages.view(moments[:length], "it", DEFAULTS.view)
        said = msgspec.json.encode(replace(view, happened=())).decode()
        assert set(CARD.findall(said)) <= opened
        assert {kind for name, kind in NAMED.items() if name in said} <= opened
        reel = pages.moviola(moments[:length], "it") if now.seen.hand is None and length % 5 == 0 else None
        if reel is not None and now.seen.hands[-1].n == reel.n:
            assert set(CARD.findall(msgspec.json.encode(reel).decode())) <= opened


@settings(max_examples=5, deadline=None)
@given(evenings())
def test_what_organisers_know_or_have_said_of_dealt_cards_changes_nothing(lines: tuple[Line, ...]) -> None:
    said = evening_of(lines).log  # every line, faces of dealt cards included, as if it had been said on a phone
    assert any(isinstance(line.event, Deal) and line.event.faces for line in said)
    assert everything(played(STOPPA, said)) == everything(played(STOPPA, blind(said)))


@settings(max_examples=40, deadline=None)
@given(evenings())
def test_the_public_log_tells_the_same_money(lines: tuple[Line, ...]) -> None:
    moments = played(STOPPA, lines)
    public = [line for moment in moments for line in moment.lines]
    assert not [line for line in public if isinstance(line.event, Deal) and line.event.faces]
    seen, known = report(played(STOPPA, public)[-1].known), report(moments[-1].known)
    assert (seen.players, seen.status, seen.giro) == (known.players, known.status, known.giro)
    for one, other in zip(seen.hands, known.hands, strict=True):
        assert replace(one, irregularities=()) == replace(other, irregularities=())


def test_a_mistake_that_only_the_camera_can_know_of_is_not_told() -> None:
    events = (
        new_game(seated(4), 600, 100, "Dino"), Hand(), Piccolo(), Deal(to="Anna", faces=("spade-6",)), *[Piccolo()] * 3, Grosso(),
        Lay(by="Anna", cards=("denari-5",)), Lay(by="Bruno", cards=("denari-6",)),
    )  # fmt: skip
    moments = played(STOPPA, [Line(event) for event in events])
    assert [found.card for found in report(moments[-1].known).hands[-1].irregularities] == ["spade-6"]
    told = everything(moments).decode()
    assert "spade-6" not in told
    assert NAMES["spade-6"].it not in told


def test_every_address_for_spectators_answers_as_if_the_camera_had_seen_no_hidden_card() -> None:
    table = Settings(players=seated(4), rarities=WILD, faces=True)
    lines = simulate(table, hands=2, seed=3)
    last = max(at for at, line in enumerate(lines) if isinstance(line.event, Hand))
    for known in (lines[: last + 30], lines):
        told = answers(known)
        assert set(told) >= ASKED
        assert told == answers(blind(known))


def test_a_log_has_every_card_that_was_dealt() -> None:
    lines = simulate(Settings(players=seated(6), rarities=replace(WILD, void=0), faces=True), hands=1, seed=1)
    dealt = [card for line in lines if isinstance(line.event, Deal) for card in line.event.faces]
    assert len(set(dealt)) == len(dealt) == 36


@settings(max_examples=2, deadline=None)
@given(st.integers(0, 10_000))
def test_of_what_the_eyes_report_only_cards_laid_or_shown_reach_a_page(seed: int) -> None:
    """Also while it is doubtful, and after every answer: the referee may be wrong about a card, but then it is not sure of it."""
    true = next(iter(evenings_with_times(1, seed)))
    stream = spoilt(true, Noise.medium(), f"leak {seed}")
    evening = told_by(true[0].event, stream)
    told = [evening]
    while (asked := question(evening)) is not None and len(told) < 6:
        evening = answer(evening, asked.id, asked.choices[len(told) % len(asked.choices)].id)
        told.append(evening)
    laid_open = {kind for line in true for kind in getattr(line.event, "cards", ())}
    for one in told:
        moments = played(STOPPA, one.log)
        for length in (*range(1, len(moments), 9), len(moments)):
            view = pages.view(moments[:length], "it", DEFAULTS.view)
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
    found = pages.outcomes.stated(before, events, left, {})
    if found is None:
        return
    first = next(at for at, event in enumerate(found) if isinstance(event, Lay))
    opened = {kind for event in found[:first] if isinstance(event, Show) for kind in event.cards}
    log = [lines[0], *(Line(event, None, 0.0 if isinstance(event, Lay) else 1.0) for event in found)]
    view = pages.view(played(STOPPA, log), "it", DEFAULTS.view)
    assert set(CARD.findall(msgspec.json.encode(view).decode())) <= opened
    assert pages.moviola(played(STOPPA, log), "it") is None
