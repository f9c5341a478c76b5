"""A void hand was dealt and counts for nobody: wherever people read how many hands were played, they read the same number."""

from __future__ import annotations

import random
import re
from collections import Counter
from itertools import pairwise

import pytest
from evenings import evenings
from fake_camera import FakeCamera
from hypothesis import assume, example, given, settings
from phones import Organiser
from test_corrected import STU_GAME, stu
from wild_games import any_log, seeds

from companion.dashboard import create_app
from companion.dashboard.feed import Snapshot, replayed
from companion.dashboard.receipt import receipt
from companion.dashboard.settings import DEFAULTS
from companion.games import GAMES, log_format
from companion.games.plain_telling import telling_of
from companion.games.stu.rules.log import Rebuy
from companion.ledger import Ledger
from companion.pages.earlier import earlier_hands
from companion.pages.recap import recap
from companion.pages.season import told_so_far
from companion.table.log import Line, tag

HANDS = re.compile(r"(\d+) man[oi]\b")


def with_void_hands(game_id: str, seed: int) -> tuple[Line, ...]:
    """Legal lines of a game in which some hands are void; no line stands in for an outcome, and all is sure."""
    chance, rules = random.Random(seed), GAMES[game_id].rules
    log, said = list[Line](), any_log(game_id, seed, 60)
    state = rules.begin(said[0].event)
    for line in said:
        event = line.event
        if log:
            begun = rules.in_hand(state)
            if begun and tag(event) == "end" and chance.random() < 0.3:
                event = rules.LOG.event({"e": "void"})
            if rules.check(state, event) is not None:
                break  # what the log goes on with does not fit a void hand
            state = rules.apply(state, event)
        log.append(Line(event, line.t))
    return tuple(log)


def numbers(game_id: str, log: tuple[Line, ...]) -> dict[str, int]:
    """Page, sheet or picture → how many hands it says; only those that show this game."""
    pages = GAMES[game_id]
    snapshot = Snapshot(1, len(log), pages, replayed(pages, log), DEFAULTS)
    video = recap(pages.rules, pages.pages, snapshot.moments, "it", DEFAULTS.view, money=False)
    accounts = receipt(snapshot, "it")
    told = {"video": video.hands if video is not None else "", "receipt": accounts.foot if accounts is not None else ""}
    with Ledger.in_memory(log_format) as ledger:
        game = ledger.begin(log)
        phone = Organiser(create_app(ledger, camera=FakeCamera(ledger)))
        asked = phone.post("/setup/delete", game=game).text
        told |= {
            "archive": phone.get("/setup/games?lang=it").text.partition('class="games"')[2],
            "deleting": asked,
            "season": "".join(re.findall(r'<ul class="evenings">.*?</ul>', phone.get("/season?lang=it").text, re.DOTALL)),
            "evening": "".join(re.findall(r'<p class="lead">.*', phone.get(f"/season/evening/{game}?lang=it").text)),
        }
        assert phone.get("/api/games").json[0]["hands"] == dealt(game_id, log)[0] + dealt(game_id, log)[1]
    found = {where: re.search(r"Mani: (\d+)", text) or HANDS.search(text) for where, text in told.items()}
    return {where: int(number[1]) for where, number in found.items() if number is not None}


def dealt(game_id: str, log: tuple[Line, ...]) -> tuple[int, bool]:
    """How many hands are over, void ones included, and whether one goes on."""
    rules = GAMES[game_id].rules
    state = rules.replay(log)
    return rules.hands(state), rules.in_hand(state)


@pytest.mark.parametrize("game_id", GAMES)
@settings(max_examples=6, deadline=None)
@given(seeds)
@example(0)
@example(75)
def test_everywhere_people_read_one_number_of_hands(game_id: str, seed: int) -> None:
    log = with_void_hands(game_id, seed)
    void = sum(tag(line.event) == "void" for line in log)
    said = numbers(game_id, log)
    assert {"archive", "deleting"} <= set(said)
    assert said == dict.fromkeys(said, dealt(game_id, log)[0] - void)


@pytest.mark.parametrize("game_id", GAMES)
def test_void_hands_are_among_those_tried(game_id: str) -> None:
    assert sum(tag(line.event) == "void" for seed in range(20) for line in with_void_hands(game_id, seed)) > 3


LATE = ("hand", "reveal Anna 2", "reveal Bruno 5", "reveal Carla 6", "end", "hand", "void", "penalty Bruno")
"""Bruno's penalty is told behind the second hand, which is void: it is of the first."""


def test_a_penalty_behind_a_void_hand_is_of_one_hand_everywhere() -> None:
    game = GAMES["stu"]
    log = [Line(game.rules.LOG.event(event)) for event in (STU_GAME, *stu("\n".join(LATE)))]
    moments = replayed(game, log)
    view = Snapshot(1, len(log), game, moments, DEFAULTS).view("it")
    assert view.ruling is not None
    assert view.ruling.sums[0].why == ("penalità (regola 24), per la mano 1",)
    assert view.ruling.payments[0].text == "Bruno paga una pedina di penalità (regola 24), per la mano 1"
    assert view.happened[-1] == "Bruno paga una pedina di penalità, per la mano 1"
    lists = earlier_hands(game.rules, game.pages, moments, "it", DEFAULTS.sure_from)
    assert [one.payers for one in lists] == ["mano nulla", "Anna −1, Bruno −1"]
    assert lists[0].lines[-1].endswith("per la mano 1")
    ruled = "\n".join(telling_of(game, log).text(moments[-1].seen, (), "it", {}))
    assert "penalità" in ruled.partition("Mano 2")[0]
    charts = game.pages.charts
    assert charts is not None
    drawn = charts.figures(moments, "it")
    assert {row.name: row.pedine for row in drawn.rows} == {"Anna": (3, 2, 2), "Bruno": (3, 2, 2), "Carla": (3, 3, 3)}
    told = told_so_far(game.rules, game.pages, moments, ended=False)
    assert told is not None
    assert {one.name: (one.stood, one.figures["virgin"]) for one in told.players} == {
        "Anna": ((3, 2), 0), "Bruno": ((3, 2), 0), "Carla": ((3, 3), 1),
    }  # fmt: skip
    (row,) = [row.cells for row in game.pages.hand_rows(moments, "it").rows if row.cells[6] == "penalità"]
    assert row[:6] == (1, "", "Bruno", 3, -1, 2)


@settings(max_examples=60, deadline=None)
@given(evenings(6))
def test_charts_and_season_give_each_hand_what_it_is_ruled_to_cost(log: tuple[Line, ...]) -> None:
    game = GAMES["stu"]
    moments = replayed(game, log)
    last = moments[-1].seen
    assume(not last.restarts and not any(isinstance(moment.event, Rebuy) for moment in moments))
    charts = game.pages.charts
    assert charts is not None
    names = game.rules.names(last)
    cost = [Counter[str]() for _ in last.hands]
    for of, hand in zip(cost, last.hands, strict=True):
        for paid in hand.payments:
            of[paid.player] += paid.delta
    drawn = {row.name: row.pedine for row in charts.figures(moments, "it").rows}
    told = told_so_far(game.rules, game.pages, moments, ended=False)
    assert told is not None
    stood = {one.name: one.stood for one in told.players}
    for name in names:
        assert [now - was for was, now in pairwise(drawn[name])] == [of[name] for of in cost]
        counted = [of[name] for of, hand in zip(cost, last.hands, strict=True) if not hand.void]
        assert [now - was for was, now in pairwise(stood[name])] == counted
