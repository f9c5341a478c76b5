"""A void hand was dealt and counts for nobody: wherever people read how many hands were played, they read the same number."""

from __future__ import annotations

import random
import re

import pytest
from fake_camera import FakeCamera
from hypothesis import example, given, settings
from phones import Organiser
from wild_games import any_log, seeds

from companion.dashboard import create_app
from companion.dashboard.feed import Snapshot, replayed
from companion.dashboard.receipt import receipt
from companion.dashboard.settings import DEFAULTS
from companion.games import GAMES, log_format
from companion.ledger import Ledger
from companion.pages.recap import recap
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
