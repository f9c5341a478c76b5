"""No card of Stoper that nobody has laid open reaches a page, the stream or the public log, whatever the log knows."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from itertools import pairwise

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st
from leaks import ASKED, answers, played
from msgspec.structs import replace

from companion.dashboard.settings import DEFAULTS
from companion.decks.italian import KINDS, NAMES
from companion.decks.italian_sets import INDEX
from companion.games import GAMES
from companion.games.stoper import pages, rules
from companion.games.stoper.bots import Rarities, Settings, seated, simulate
from companion.games.stoper.rules import report
from companion.games.stoper.rules.cards import DECKS, cards_in
from companion.games.stoper.rules.log import Apro, Cambio, Deal, Hand, HouseRules, Passo, Show, Vedo, new_game
from companion.line.alone import evening_of
from companion.table.log import Line, write_lines
from companion.table.moments import Moment

STOPER = GAMES["stoper"]
WILD = Rarities(void=0.1, wrong_dealer=0.1, absent=0.1, chips=0.8, bluff=0.4, dealt=1, discards=1, late=0.4)
CARD = re.compile(r"\b(?:denari|coppe|spade|bastoni)-(?:10|[1-9])\b")
NAMED = {name.it: kind for kind, name in NAMES.items()}


@st.composite
def evenings(draw: st.DrawFn) -> tuple[Line, ...]:
    """The log of a few hands in which every card dealt, thrown away and received is known, with bluffs and incidents."""
    house = HouseRules(
        ace_pair_third=draw(st.sampled_from(["figure", "any"])),
        false_opening=draw(st.sampled_from(["noted", "forfeit"])),
        dealer_pays=draw(st.booleans()),
    )
    table = Settings(
        players=seated(draw(st.integers(4, 6))), mode=draw(st.sampled_from(["cash", "torneo"])), house_rules=house, rarities=WILD,
        stacks=draw(st.sampled_from([400, 2000])),
    )  # fmt: skip
    seed = draw(st.integers(0, 2**32))
    return received(simulate(table, hands=draw(st.integers(1, 3)), seed=seed), seed)


def received(lines: Sequence[Line], seed: int) -> tuple[Line, ...]:
    """The log with a line for the cards that were received for those changed: some that nobody else is known to have."""
    chance, found = random.Random(seed), list[Line]()
    shown_later = [set(line.event.cards) if isinstance(line.event, Show) else set[str]() for line in lines]
    state = None
    for at, line in enumerate(lines):
        found.append(line)
        state = rules.begin(line.event) if state is None else rules.apply(state, line.event)
        if isinstance(line.event, Cambio) and line.event.n and state.hand is not None:
            taken = set().union(*shown_later[at:]) | {KINDS[card] for known in state.hand.known for card in cards_in(known.cards)}
            left = [KINDS[card] for card in cards_in(state.hand.deck) if KINDS[card] not in taken]
            deal = Deal(to=line.event.by, faces=tuple(chance.sample(left, line.event.n)) if len(left) > 4 else ())
            later = [one.event for one in lines[at:] if isinstance(one.event, Show) and one.event.by == line.event.by]
            if deal.faces and not later and rules.check(state, deal) is None:
                state = rules.apply(state, deal)
                found.append(Line(deal, None, 0.9))
    return tuple(found)


def everything(moments: Sequence[Moment]) -> bytes:
    """All that a spectator can get of a game that has come so far."""
    views = [pages.view(moments, lang, DEFAULTS.view) for lang in ("it", "en")]
    drawn = pages.charts.figures(moments, "it")
    return b"\n".join([
        *(msgspec.json.encode(view) for view in views),
        write_lines(line for moment in moments for line in moment.lines),
        msgspec.json.encode(pages.moviola(moments, "it")),
        msgspec.json.encode(pages.chances(moments)),
        msgspec.json.encode(drawn),
        pages.charts.drawing(drawn, "it").encode(),
        *(pages.line_text(was.seen, now.event, now.seen, "it").encode() for was, now in pairwise(moments)),  # VAR says these
        "\n".join(pages.calls(moments, views[0], "it")).encode(),
    ])  # fmt: skip


def blind(lines: Sequence[Line]) -> tuple[Line, ...]:
    """The same log, had nobody seen a card before it was laid open: neither those dealt nor those thrown away."""
    found = []
    for line in lines:
        event = line.event
        if isinstance(event, Deal):
            count = len(event.faces) if event.cards is None else event.cards
            line = Line(replace(event, cards=count, faces=()), line.t)
        elif isinstance(event, Cambio):
            line = replace(line, event=replace(event, discards=None))
        found.append(line)
    return tuple(found)


def noted(lines: Sequence[Line]) -> tuple[Line, ...]:
    """The same log at a table where a false opening is only noted: discards are laid open by nobody."""
    first = lines[0].event
    return (Line(replace(first, house_rules=replace(first.house_rules, false_opening="noted"))), *lines[1:])


@settings(max_examples=25, deadline=None)
@given(evenings())
def test_what_the_log_knows_of_cards_dealt_and_thrown_away_changes_nothing(lines: tuple[Line, ...]) -> None:
    moments, unknowing = played(STOPER, noted(lines)), played(STOPER, blind(noted(lines)))
    for length in (*range(1, len(moments), 11), len(moments)):
        assert everything(moments[:length]) == everything(unknowing[:length])


@settings(max_examples=25, deadline=None)
@given(evenings())
def test_every_face_on_the_page_was_laid_open_in_this_hand(lines: tuple[Line, ...]) -> None:
    moments = played(STOPER, lines)
    opened: set[str] = set()
    for length, now in enumerate(moments, start=1):
        if isinstance(now.event, Hand):
            opened = set()
        if isinstance(now.event, Show):
            opened |= {*now.event.cards, *(now.event.discards or ())}
        view = pages.view(moments[:length], "it", DEFAULTS.view)
        said = msgspec.json.encode(replace(view, happened=())).decode()
        assert set(CARD.findall(said)) <= opened
        assert {kind for name, kind in NAMED.items() if name in said} <= opened
        reel = pages.moviola(moments[:length], "it") if now.seen.hand is None and length % 5 == 0 else None
        if reel is not None and now.seen.hands[-1].n == reel.n:
            assert set(CARD.findall(msgspec.json.encode(reel).decode())) <= opened


@settings(max_examples=25, deadline=None)
@given(evenings())
def test_discards_are_laid_open_only_with_the_hand_of_a_false_opener_whom_they_cost_the_showdown(lines: tuple[Line, ...]) -> None:
    for was, now in pairwise(played(STOPER, lines)):
        assert not isinstance(now.event, Cambio) or now.event.discards is None
        if isinstance(now.event, Show) and now.event.discards:
            hand = was.known.hand
            assert hand is not None
            assert hand.opened is not None
            assert (hand.opened.by, was.known.table.house.false_opening) == (now.event.by, "forfeit")


@settings(max_examples=40, deadline=None)
@given(evenings())
def test_the_public_log_tells_the_same_money(lines: tuple[Line, ...]) -> None:
    moments = played(STOPER, lines)
    public = [line for moment in moments for line in moment.lines]
    assert not [line for line in public if isinstance(line.event, Deal) and line.event.faces]
    seen, known = report(played(STOPER, public)[-1].known), report(moments[-1].known)
    assert (seen.players, seen.carried, seen.status) == (known.players, known.carried, known.status)
    for one, other in zip(seen.hands, known.hands, strict=True):
        assert replace(one, irregularities=()) == replace(other, irregularities=())


@settings(max_examples=5, deadline=None)
@given(evenings())
def test_what_organisers_know_or_have_said_of_hidden_cards_changes_nothing(lines: tuple[Line, ...]) -> None:
    said = noted(evening_of(lines).log)  # every line, as if it had been said on a phone
    assert everything(played(STOPER, said)) == everything(played(STOPER, blind(said)))


FALSE = (
    new_game(seated(4), 10_000, "Dora"), Hand(cip=50, invito=0), Apro(by="Ada", to=100), Vedo(by="Bice"), Passo(by="Ciro"),
    Passo(by="Dora"), Cambio(by="Ada", n=1, discards=("coppe-5",)), Cambio(by="Bice", n=0),
)  # fmt: skip


def test_a_false_opening_that_only_hidden_discards_prove_is_not_told() -> None:
    hands = {"Ada": ("bastoni-7", "spade-6", "denari-6"), "Bice": ("denari-7", "coppe-6", "spade-5")}
    shows = [Show(by=name, cards=cards) for name, cards in hands.items()]
    words = [GAMES["stoper"].rules.LOG.event({"e": "busso", "by": name}) for name in ("Ada", "Bice")]
    moments = played(STOPER, [Line(event) for event in (*FALSE, *words, *shows)])
    assert [found.kind for found in report(moments[-1].known).hands[-1].irregularities] == ["false_opening"]
    told = everything(moments).decode()
    assert "false_opening" not in told
    assert "coppe-5" not in told
    assert "regola 6" not in told


def test_every_address_for_spectators_answers_as_if_nobody_had_seen_a_hidden_card() -> None:
    table = Settings(players=seated(5), rarities=WILD, stacks=800)
    lines = received(simulate(table, hands=3, seed=3), 3)
    last = max(at for at, line in enumerate(lines) if isinstance(line.event, Hand))
    for known in (lines[: last + 12], lines):
        told = answers(known)
        assert set(told) >= {*ASKED, "/api/chances"}
        assert told == answers(blind(known))


def test_a_log_has_cards_that_nobody_may_see() -> None:
    lines = received(simulate(Settings(players=seated(6), rarities=replace(WILD, void=0)), hands=4, seed=1), 1)
    dealt = [card for line in lines if isinstance(line.event, Deal) for card in line.event.faces]
    thrown = [card for line in lines if isinstance(line.event, Cambio) for card in line.event.discards or ()]
    assert len(dealt) > 30
    assert thrown
    assert {INDEX[card] for card in dealt} <= set(cards_in(DECKS[36]))
