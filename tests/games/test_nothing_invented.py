"""Where only the outcome of a hand is known, nothing is shown that nobody told: whichever hand stands for it in the log, every
view, sheet, CSV, picture and figure is the same."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from companion.cli.rule import command as rule
from companion.games import GAMES, Game
from companion.games.stoper import bots as stoper_bots
from companion.games.stoppa import bots as stoppa_bots
from companion.games.stu import bots as stu_bots
from companion.games.stu.bots.settings import EventProbabilities
from companion.games.stu.rules.log import Taverna
from companion.pages.moments import Moment, follow, stands_in
from companion.pages.season import told_of
from companion.pages.view import ViewSettings
from companion.table.errors import Illegal
from companion.table.language import LANGS
from companion.table.log import Line, tag, write_lines
from companion.table.sure import SURE_FROM

WILD = EventProbabilities(penalty=0.2, void=0.1, exposed=0.2, wrong_dealer=0.1, matto=0.1, split=0.2, close=0.05, mistake=0.3)
SHOWN = ViewSettings(sure_from=SURE_FROM, happened=6)
STANDS_FOR: dict[str, set[str]] = {
    "stu": {"penalty", "split"}, "stoper": set(),
    "stoppa": {"piccolo", "grosso", "punto", "vedo", "rilancio", "passo", "show", "muck"},
}  # fmt: skip
"""Game → the kinds of lines that stay as they were told where only the outcome of a hand is known."""


@st.composite
def evenings(draw: st.DrawFn) -> tuple[Game, tuple[Line, ...]]:
    """A few hands of a game that can be told by its outcome."""
    game_id, seed, hands = draw(st.sampled_from(sorted(STANDS_FOR))), draw(st.integers(0, 2**32)), draw(st.integers(1, 4))
    if game_id == "stoppa":
        settings = stoppa_bots.Settings(players=stoppa_bots.seated(draw(st.integers(3, 6))))
        return GAMES[game_id], stoppa_bots.simulate(settings, hands=hands, seed=seed)
    if game_id == "stoper":
        mode = draw(st.sampled_from(["cash", "torneo"]))
        seats = stoper_bots.Settings(players=stoper_bots.seated(draw(st.integers(4, 6))), mode=mode)
        return GAMES[game_id], stoper_bots.simulate(seats, hands=hands, seed=seed)
    edition = draw(st.sampled_from(["booklet", "piazza-2010"]))
    players = stu_bots.seated(draw(st.integers(2, 6)))
    pedine = draw(st.sampled_from([1, 3]))
    own = stu_bots.Settings(players=players, edition=edition, pedine=pedine, event_probabilities=WILD)
    return GAMES[game_id], stu_bots.simulate(own, hands=hands, seed=seed)


def hands_of(game: Game, lines: tuple[Line, ...]) -> Iterator[tuple[Any, int, int, Any]]:
    """Each hand that is over: the state before it, its first line and the one after its last, and the state after it."""
    states = [game.rules.begin(lines[0].event)]
    for line in lines[1:]:
        states.append(game.rules.apply(states[-1], line.event))
    start = None
    for at in range(1, len(lines)):
        if tag(lines[at].event) == "hand":
            start = at
        if start is not None and not game.rules.in_hand(states[at]):
            stop = at + 1
            while stop < len(lines) and tag(lines[stop].event) in ("end", "show"):
                stop += 1
            yield states[start - 1], start, stop, states[stop - 1]
            start = None


def told_by_its_outcome(game: Game, lines: tuple[Line, ...]) -> list[tuple[tuple[Line, ...], tuple[Line, ...]]]:
    """The log, in pieces: each of what was played, as what stands for it, and of another hand that could stand there."""
    outcomes = game.pages.outcomes
    assert outcomes is not None
    pieces, done = [], 0
    for before, start, stop, after in hands_of(game, lines):
        hand = [line.event for line in lines[start:stop]]
        paid = dict(outcomes.comes_to(before, after))
        if not paid or tag(hand[-1]) == "void" or min(paid.values()) < 0:
            continue
        if any(tag(event) == "penalty" or (isinstance(event, Taverna) and (event.share or event.terms)) for event in hand):
            continue  # a penalty, and what was agreed, are told wherever they stand
        first_lay = next((at for at, event in enumerate(hand) if tag(event) == "lay"), len(hand))
        told = {"stoppa": hand[:first_lay], "stoper": hand[:1]}.get(game.id, hand)
        try:
            found = outcomes.stated(before, told, paid, {})
        except Illegal:  # somebody must tell who said parola
            continue
        if found is None:
            continue
        state = before
        for event in found:
            state = game.rules.apply(state, event)
        if game.pages.score(state, "en").players != game.pages.score(after, "en").players:
            continue  # another punto stood in
        played = [event for event in hand if tag(event) != "end"]
        while tag(played[-1]) == "show" and played_out(game, before, played[:-1]):
            played.pop()  # of cards that lie elsewhere in the other
        played += [event for event in found if tag(event) == "end"]
        pieces.append((lines[done:start], lines[done:start]))
        pieces.append((marked(game, tuple(played)), marked(game, found)))
        done = stop
    return [*pieces, (lines[done:], lines[done:])]


def played_out(game: Game, before: Any, hand: Sequence[Any]) -> bool:
    """Whether the hand is over with these of its lines."""
    for event in hand:
        before = game.rules.apply(before, event)
    return not game.rules.in_hand(before)


def marked(game: Game, hand: tuple[Any, ...]) -> tuple[Line, ...]:
    """The lines of a hand, with a confidence of 0 where they stand in."""
    kept = STANDS_FOR[game.id] | {"hand", "end"}
    return tuple(Line(event, confidence=1.0 if tag(event) in kept else 0.0) for event in hand)


def moments_of(game: Game, lines: tuple[Line, ...]) -> list[Moment]:
    return list(follow(game.rules, game.pages, lines))


def everything(game: Game, moments: list[Moment]) -> list[str]:
    """All that is shown of a game that has come this far."""
    found: list[Any] = []
    for lang in LANGS:
        pages = game.pages
        view = pages.view(moments, lang, SHOWN)
        found += [view, pages.calls(moments, view, lang), pages.score(moments[-1].seen, lang)]
        found += [pages.hand_rows(moments, lang), pages.money_rows(moments, lang)]
        found += [pages.charts.figures(moments, lang)] if pages.charts is not None else []
        found += [pages.moviola(moments, lang)] if pages.moviola is not None else []
    return [repr(one) for one in found]


def season_of(game: Game, lines: tuple[Line, ...]) -> list[Any]:
    told = told_of(game.rules, game.pages, lines, ended=True)
    assert told is not None
    assert told.unsure(SURE_FROM) == 0
    return [msgspec.to_builtins(told), *(game.pages.season.highlights(told, lang) for lang in LANGS)]


def ruled(lines: tuple[Line, ...]) -> list[str]:
    """What `companion rule` says of this log, for people and for programs."""
    asked = [], ["--json"], ["--json", "--story"]
    told = [CliRunner().invoke(rule, ["-", *options], input=write_lines(lines)) for options in asked]
    assert [one.exit_code for one in told] == [0, 0, 0], told
    return [re.sub(r'"line": \d+', '"line"', one.output) for one in told]  # as many lines as it takes stand in for an outcome


@settings(max_examples=30, deadline=None, suppress_health_check=list(HealthCheck))
@given(evenings())
def test_whatever_stands_for_an_outcome_everybody_is_shown_the_same(evening: tuple[Game, tuple[Line, ...]]) -> None:
    game, lines = evening
    pieces = told_by_its_outcome(game, lines)
    assume(len(pieces) > 1)
    one, other = (tuple(line for piece in pieces for line in piece[which]) for which in (0, 1))
    assert season_of(game, one) == season_of(game, other)
    assert ruled(one) == ruled(other)
    shown = []
    for log in (one, other):
        moments = moments_of(game, log)
        assert len(moments) == len(log)
        # where the hand is over, and has been said to be: a hand won outright is over before its `end`
        over = [at for at in range(2, len(log)) if moments[at].run is None and moments[at - 1].run is not None]
        told = [at + 1 if [tag(line.event) for line in log[at : at + 2]][1:] == ["end"] else at for at in over]
        shown.append([everything(game, moments[: at + 1]) for at in told])
        shown[-1].append(everything(game, moments))
    assert shown[0] == shown[1]


@settings(max_examples=30, deadline=None, suppress_health_check=list(HealthCheck))
@given(evenings(), st.randoms(use_true_random=False))
def test_while_lines_stand_in_the_game_is_shown_as_it_was_told(evening: tuple[Game, tuple[Line, ...]], rng: Random) -> None:
    """This holds for any lines that stand in. Lines after the first of them change nothing until the hand is over, and then what
    everybody has is right."""
    game, lines = evening
    share = rng.choice([0.1, 0.5, 1.0])
    log = (lines[0], *(Line(line.event, confidence=0.0 if rng.random() < share else None) for line in lines[1:]))
    moments = moments_of(game, log)
    assert len(moments) == len(log)
    before = None
    for at, moment in enumerate(moments):
        if moment.run is None:
            assert game.pages.score(moment.seen, "it").players == game.pages.score(moment.known, "it").players
            before = None
            continue
        assert moment.event is None
        view = msgspec.to_builtins(game.pages.view(moments[: at + 1], "it", SHOWN))
        cards = {"card": None, "cards": None, "score": 0}  # those that are told of are shown
        seats = [{**seat, **cards} for seat in view.pop("seats")]
        assert before in (None, (view, seats))
        before = view, seats


@pytest.mark.parametrize("game_id", sorted(STANDS_FOR))
def test_a_line_stands_in_only_within_a_hand(game_id: str) -> None:
    """What is not sure between hands, or of a hand's beginning and end, was told all the same."""
    log = GAMES[game_id].rules.LOG
    assert not any(stands_in(Line(log.event({"e": e}), confidence=0.0)) for e in ("hand", "end", "void"))
