"""What the house expects of every game: those of GAMES, a variant and two small ones. A new game adds its first line to
`first_lines.py`."""

from __future__ import annotations

import json
import random
from functools import cache
from itertools import pairwise
from typing import Any

import msgspec
import pytest
from any_game import check_prefixes, check_renamed, check_values
from cuculo import CUCULO
from first_lines import first_line_of
from msgspec import to_builtins
from msgspec.structs import replace
from rules_only import BARE
from stoper_play import HOUSES as STOPER_HOUSES
from stoppa_play import HOUSES as STOPPA_HOUSES
from stu_play import HOUSES as STU_HOUSES
from taps import taps
from toy import HIGH_CARD
from toy_with_eyes import BASSA

from companion.assets import asset
from companion.games import GAMES, Game, log_format, read_lines, replay_log
from companion.pages.moments import Moment, follow
from companion.pages.season import EveningFigures, told_of
from companion.pages.view import ViewSettings
from companion.table.game import Between, Over, Turn
from companion.table.language import LANGS, Lang
from companion.table.log import Event, Line, encode_line, game_id, tag, write_lines
from companion.table.play import possible

HOUSES = {"stu": STU_HOUSES, "stoppa": STOPPA_HOUSES, "stoper": STOPER_HOUSES}
"""House rules that change the play, which seeds go through in turn."""
SETTINGS = ViewSettings(sure_from=0.95, happened=6)
BESIDE = {game.id: game for game in (CUCULO, BASSA, HIGH_CARD, BARE)}
HOUSE = {**GAMES, **BESIDE}


@pytest.fixture(params=HOUSE)
def game(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Game:
    for id, one in BESIDE.items():
        monkeypatch.setitem(GAMES, id, one)
    return HOUSE[request.param]


@pytest.fixture
def pages(game: Game) -> None:
    """Skip the test where a game has no pages yet: its logs can only be ruled on."""
    if not game.has_pages:
        pytest.skip(f"{game.id} has no pages yet")


shown = pytest.mark.usefixtures("pages")


@pytest.fixture(params=range(5))
def log(request: pytest.FixtureRequest, game: Game) -> tuple[Line, ...]:
    return played(game, request.param)


@cache
def played(game: Game, seed: int, most: int = 60) -> tuple[Line, ...]:
    """A game at random, with as many kinds of acts as the rules allow."""
    chance, houses = random.Random(seed), HOUSES.get(game.id, ())
    first = game.rules.LOG.decode_line(first_line_of(game.id).encode()).event
    first = replace(first, house_rules=houses[seed % len(houses)]) if houses else first
    state, events = game.rules.begin(first), [first]
    while len(events) < most and (legal := game.rules.legal_acts(state)):
        by_kind: dict[str, list[Event]] = {}
        for event in legal:
            by_kind.setdefault(tag(event), []).append(event)
        weights = [0.1 if kind in ("void", "close", "split") else 1.0 for kind in by_kind]
        event = chance.choice(by_kind[chance.choices(list(by_kind), weights)[0]])
        state, events = game.rules.apply(state, event), [*events, event]
    return tuple(Line(event, float(at), round(chance.random(), 3)) for at, event in enumerate(events))


def told_of_states(game: Game, lines: tuple[Line, ...]) -> list[tuple[Event, Any]]:
    """The events of a log, each with the state after it."""
    return list(zip((line.event for line in lines), states_of(game, lines), strict=True))


def names_of(log: tuple[Line, ...]) -> tuple[str, ...]:
    return tuple(log[0].event.players)


def states_of(game: Game, lines: tuple[Line, ...]) -> list[Any]:
    states = [game.rules.begin(lines[0].event)]
    for line in lines[1:]:
        states.append(game.rules.apply(states[-1], line.event))
    return states


def moments_of(game: Game, lines: tuple[Line, ...]) -> list[Moment]:
    return list(follow(game.rules, game.pages, lines))


def test_a_log_says_what_it_is_of_and_survives_being_written(game: Game, log: tuple[Line, ...]) -> None:
    data = write_lines(log)
    assert game_id(data) == game.id
    assert log_format(game.id) is game.rules.LOG
    assert read_lines(data) == log
    lines, state = replay_log(data)
    assert lines == log
    assert state == states_of(game, log)[-1]
    assert json.loads(json.dumps(game.rules.LOG.schema()))["$schema"]
    assert json.loads(json.dumps(game.rules.report(state).to_dict()))


def test_a_line_with_a_key_that_nobody_knows_is_a_good_line(game: Game, log: tuple[Line, ...]) -> None:
    for line in log:
        raw = encode_line(line)
        assert game.rules.LOG.decode_line(raw[:-1] + b',"nobody":[1]}') == line


@shown
@pytest.mark.parametrize("lang", LANGS)
def test_what_a_season_is_told_is_of_its_players_and_can_be_kept(game: Game, log: tuple[Line, ...], lang: Lang) -> None:
    season = game.pages.season
    columns = {column.id for column in season.columns(lang)}
    assert len(columns) == len(season.columns(lang))
    assert season.curve is None or season.curve in columns
    told = told_of(game.rules, game.pages, log, ended=True)
    assert told is not None
    assert tuple(player.name for player in told.players) == names_of(log)
    assert len(told.sure) == told.hands <= game.rules.hands(moments_of(game, log)[-1].known)
    assert {one.by for one in told.between} | {one.to for one in told.between} <= set(names_of(log))
    assert msgspec.convert(json.loads(json.dumps(to_builtins(told))), EveningFigures) == told
    assert all(isinstance(said, str) for said in season.highlights(told, lang))
    for player in told.players:
        assert all(season.stands(stood, lang) for stood in player.stood)


@shown
def test_a_hand_in_progress_tells_the_season_nothing(game: Game, log: tuple[Line, ...]) -> None:
    told, known = None, [moment.known for moment in moments_of(game, log)]
    for upto, state in enumerate(known, start=1):
        now = told_of(game.rules, game.pages, log[:upto], ended=False)
        if game.rules.in_hand(state):
            assert now == told
        told = now


def test_events_and_states_are_frozen_values(game: Game, log: tuple[Line, ...]) -> None:
    for state, line in zip(states_of(game, log), log, strict=True):
        hash((state, line.event))
        with pytest.raises(AttributeError):
            line.event.e = "other"


def test_the_plainest_events_of_the_house_begin_and_end_a_hand(game: Game) -> None:
    assert {tag(game.rules.LOG.event({"e": e})) for e in ("hand", "end", "void")} == {"hand", "end", "void"}


def test_what_the_table_waits_for_agrees_with_what_can_happen(game: Game, log: tuple[Line, ...]) -> None:
    for state in states_of(game, log):
        waiting, legal = game.rules.waiting(state), game.rules.legal_acts(state)
        assert game.rules.in_hand(state) == isinstance(waiting, Turn)
        can_begin = any(tag(event) == "hand" for event in legal)
        match waiting:
            case Between():
                assert legal
            case Over():
                assert not can_begin
            case Turn(_, who, whom):
                assert not can_begin
                assert {who, whom} <= {None, *game.rules.names(state)}
                assert who is None or any(who in msgspec.structs.astuple(event) for event in legal)


def test_every_legal_act_can_happen_and_the_state_before_stays(game: Game, log: tuple[Line, ...]) -> None:
    for state in states_of(game, log)[::5]:
        before = hash(state)
        for event in game.rules.legal_acts(state):
            assert game.rules.check(state, event) is None
            assert game.rules.apply(state, event) is not None
        assert hash(state) == before


def test_every_prefix_of_a_log_is_legal_and_the_last_line_taken_back_leaves_what_was_before(game: Game) -> None:
    for seed in range(10):
        check_prefixes(game.rules, told_of_states(game, played(game, seed)))


def test_states_are_values_and_nothing_that_follows_changes_them(game: Game) -> None:
    for seed in range(8):
        told = told_of_states(game, played(game, seed, 80))
        check_values(iter(told_of_states(game, played(game, seed, 80))), told, [hash(state) for _, state in told])


def test_giving_every_player_another_name_changes_nothing_else(game: Game) -> None:
    for seed in range(5):
        told = told_of_states(game, played(game, seed, 150))
        names = told[0][0].players
        check_renamed(game.rules, told, dict(zip(names, ("Zoë", names[0], "日本", "Bè", "E", names[1]), strict=False)))


def test_hands_are_counted_and_each_has_a_ruling(game: Game, log: tuple[Line, ...]) -> None:
    rules = game.rules
    states = states_of(game, log)
    assert rules.names(states[0]) == names_of(log)
    assert (rules.hands(states[0]), rules.in_hand(states[0])) == (0, False)
    for before, now in pairwise(states):
        assert rules.hands(now) - rules.hands(before) == (rules.in_hand(before) and not rules.in_hand(now))
        hash(rules.outcome(now))
        begun = rules.hands(now) + rules.in_hand(now)
        assert all(rules.ruling(now, n) is not None for n in range(1, begun + 1))
        assert rules.ruling(now, begun + 1) is None


@shown
def test_the_public_log_is_a_log_and_leads_to_what_everybody_has_seen(game: Game, log: tuple[Line, ...]) -> None:
    moments = moments_of(game, log)
    public = [line for moment in moments for line in moment.lines]
    again = moments_of(game, tuple(public))
    assert again[-1].known == again[-1].seen == moments[-1].seen
    assert game.rules.names(moments[-1].seen) == game.rules.names(moments[-1].known)


@shown
def test_nothing_that_spectators_get_is_made_of_what_the_log_knows(game: Game, log: tuple[Line, ...]) -> None:
    moments = moments_of(game, log)
    unknowing = [replace(moment, known=None) for moment in moments]
    for length in range(1, len(moments) + 1, 7):
        assert everything(game, unknowing[:length]) == everything(game, moments[:length])


def everything(game: Game, moments: list[Moment]) -> list[str]:
    """All that a spectator gets, as JSON."""
    pages = game.pages
    found: list[object] = []
    for lang in LANGS:
        found.append(pages.view(moments, lang, SETTINGS))
        if pages.moviola is not None:
            found.append(pages.moviola(moments, lang))
        if pages.charts is not None:
            figures = pages.charts.figures(moments, lang)
            found += [figures, pages.charts.drawing(figures, lang)]
    if pages.chances is not None and moments and len(moments) % 3 == 0:  # dear
        found.append(sorted(pages.chances(moments)))
    return [json.dumps(to_builtins(one), ensure_ascii=False) for one in found]


@shown
def test_every_view_encodes_and_seats_the_players_in_order(game: Game, log: tuple[Line, ...]) -> None:
    moments = moments_of(game, log)
    for length in (0, 1, 2, len(moments) // 2, len(moments)):
        everything(game, moments[:length])
        for lang in LANGS:
            view = game.pages.view(moments[:length], lang, SETTINGS)
            assert (view.lang, view.game_id) == (lang, game.id)
            assert tuple(seat.name for seat in view.seats) == (names_of(log) if length else ())
            assert view.message
            if length:
                assert view.hand == game.rules.hands(moments[length - 1].seen) + game.rules.in_hand(moments[length - 1].seen)
                assert (view.status == "won") == isinstance(game.rules.waiting(moments[length - 1].seen), Over)


def played_out(game: Game, seed: int) -> tuple[Line, ...]:
    """A game at random that goes on until it is over; it is closed as soon as it can be."""
    chance = random.Random(seed)
    first = game.rules.LOG.decode_line(first_line_of(game.id).encode()).event
    state, events = game.rules.begin(first), [first]
    while not isinstance(game.rules.waiting(state), Over):
        legal = [event for event in game.rules.legal_acts(state) if tag(event) not in ("void", "rebuy", "set", "split")]
        acts = [event for event in legal if tag(event) == "close" and game.rules.hands(state)]
        if not acts or acts[0] in events:  # where it ends no game, it is only the last chance to come back
            acts = [event for event in legal if tag(event) != "close"] or legal
        event = chance.choice(acts)
        state, events = game.rules.apply(state, event), [*events, event]
    return tuple(Line(event, float(at)) for at, event in enumerate(events))


@shown
@pytest.mark.parametrize("seed", range(3))
def test_in_a_game_that_is_over_nobody_deals_and_nobody_is_to_act(game: Game, seed: int) -> None:
    moments = moments_of(game, played_out(game, seed))
    for lang in LANGS:
        view, score = game.pages.view(moments, lang, SETTINGS), game.pages.score(moments[-1].known, lang)
        assert (view.status, score.phase) == ("won", "won")
        assert [player.name for player in score.players if player.dealer] == []
        assert [seat.name for seat in view.seats if seat.dealer or seat.role is not None] == []


@shown
def test_what_organisers_are_offered_can_happen(game: Game, log: tuple[Line, ...]) -> None:
    rules, pages = game.rules, game.pages
    for moment in moments_of(game, log):
        for lang in LANGS:
            next = pages.offers(moment.known, lang)
            assert next.title
            for offer in (*next.offers, *(offer for one in (*next.doers, *next.rows, *next.more) for offer in one.offers)):
                assert offer.label
            for events in taps(next, random.Random(0)):
                assert possible(rules.apply, moment.known, events), events
            json.dumps(to_builtins(next))
            if next.void:
                assert rules.check(moment.known, rules.LOG.event({"e": "void"})) is None
        for events in pages.exchanges(moment.known):
            assert possible(rules.apply, moment.known, events)
        if rules.in_hand(moment.known) and (more := pages.by_itself(moment.known, moment.event)) is not None:
            assert rules.check(moment.known, more) is None


@shown
def test_every_line_and_every_hand_can_be_said(game: Game, log: tuple[Line, ...]) -> None:
    rules, pages = game.rules, game.pages
    moments = moments_of(game, log)
    events = [moment.event for moment in moments]
    begun = None
    for at, (before, now) in enumerate(pairwise(moment.known for moment in moments), start=1):
        begun = before if tag(events[at]) == "hand" and rules.in_hand(now) else begun  # it may end the game
        start, stop = pages.together(events, at)
        assert 0 <= start <= at < stop <= len(events)
        assert set(pages.order(now)) <= set(names_of(log))
        for lang in LANGS:
            if tag(events[at]) != "end" or rules.in_hand(before):
                assert pages.line_text(before, events[at], now, lang)
            score = pages.score(now, lang)
            assert tuple(player.name for player in score.players) == names_of(log)
            assert score.status
            assert pages.differences(now, now, lang) == ()
            if begun is not None:
                summary = pages.hand(begun, now, lang)
                assert summary.n == rules.hands(begun) + 1
                assert summary.title
                assert summary.payers
                assert all(summary.paid)


@shown
def test_what_its_pages_need_lies_where_they_look(game: Game) -> None:
    pages, templates = game.pages, asset("web") / "templates" / "games" / game.id
    assert pages.title
    assert pages.setup.most_players >= 2
    for step in pages.setup.steps:
        assert (templates / f"{step.name}.html").is_file()
    assert pages.charts is None or (templates / "charts.html").is_file()
    for lang in LANGS:
        assert {act.e for act in pages.acts(lang)} <= {str(one.__struct_config__.tag) for one in game.rules.LOG.events.__args__}
        for kind, name in pages.cards(lang):
            assert name
            assert (asset("web") / "cards" / f"{kind}.svg").is_file()
