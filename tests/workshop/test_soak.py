"""The soak's own parts: what it plays, and that it notices what it is there to notice."""

from __future__ import annotations

import random
from pathlib import Path

import cv2
import numpy as np
import pytest
from hidden_cards import ALL_OPEN

from companion.eyes.source import pictures
from companion.games import GAMES, log_format
from companion.games.stu.rules.log import Hand
from companion.ledger import Ledger
from companion.line.recorder import EveningRecorder
from companion.line.tablefile import parse_table_file
from companion.referee.record import Fixed, StatedLine
from workshop.soak.camera import NetworkCamera, table
from workshop.soak.evenings import first_of, glimpse
from workshop.soak.tried import HEAD, Tried, check_growth, check_kept, check_unshown, row
from workshop.soak.visitors import next_tap


@pytest.mark.parametrize("game", [game for game in GAMES if GAMES[game].has_pages])
def test_every_game_with_pages_is_played_and_its_camera_knows_the_table(game: str) -> None:
    first, place = first_of(game)
    GAMES[game].rules.begin(first)
    assert (not place) == (not GAMES[game].has_eyes)
    assert not place or parse_table_file(place).first == first


def tapped(folder: Path, *tokens: str) -> int:
    with Ledger.open(folder / "evenings.ledger", log_format) as ledger:
        recorder = EveningRecorder.begin(ledger, first_of("stu")[0])
        for token in tokens:
            recorder.report(Fixed(recorder.evening.current.id, (StatedLine(Hand(), by_hand=True),), by="Rina", tap=token))
        return recorder.game_id


def test_a_tap_that_was_acknowledged_and_is_not_there_is_a_loss(tmp_path: Path) -> None:
    game = tapped(tmp_path, "one")
    check_kept(tmp_path / "evenings.ledger", {"one": game}, sound := Tried(1))
    assert sound.wrong == []
    lost = check_kept(tmp_path / "evenings.ledger", {"one": game, "two": game}, harmed := Tried(1))
    assert lost == ["two"]
    assert harmed.wrong == [f"try 1: of game {game} 1 acknowledged taps are lost"]


def test_a_tap_that_is_there_twice_is_told(tmp_path: Path) -> None:
    with Ledger.open(tmp_path / "evenings.ledger", log_format) as ledger:
        recorder = EveningRecorder.begin(ledger, first_of("stu")[0])
        entry = Fixed(recorder.evening.current.id, (StatedLine(Hand(), by_hand=True),), by="Rina", tap="one")
        recorder.report(entry)
        recorder.report(Fixed(recorder.evening.current.id, (), by="Rina", tap="one"))
        game = recorder.game_id
    check_kept(tmp_path / "evenings.ledger", {"one": game}, tried := Tried(1))
    assert any("1 taps are there twice" in wrong for wrong in tried.wrong)


@pytest.mark.parametrize(
    ("line", "face", "wrong"),
    [
        ('{"e":"deal","to":"Anna"}', None, 0),
        ('{"e":"reveal","by":"Anna","card":"3"}', "3", 0),
        ('{"e":"deal","to":"Anna","card":"3"}', None, 1),
        ('{"e":"deal","to":"Anna"}', "3", 1),
    ],
)
def test_a_face_that_nobody_has_shown_is_told(line: str, face: str | None, wrong: int) -> None:
    view = {"status": "hand_in_progress", "seats": [{"card": {"face": face}}]}
    check_unshown(b'{"e":"hand"}\n' + line.encode(), view, tried := Tried(1))
    assert len(tried.wrong) == wrong


@pytest.mark.parametrize("game", ["stoppa", "stoper"])
@pytest.mark.parametrize(
    ("line", "told", "wrong"),
    [
        ('{"e":"deal","to":"Anna","cards":3}', "", 0),
        ('{"e":"show","by":"Anna","cards":["denari-1","coppe-7"]}', "asso di denari, coppe-7", 0),
        ('{"e":"deal","to":"Anna","faces":["denari-1"]}', "", 1),
        ('{"e":"deal","to":"Anna","cards":3}', "asso di denari", 1),
        ('{"e":"deal","to":"Anna","cards":3}', "denari-1", 1),
        ('{"e":"cambio","by":"Anna","n":1,"discards":["denari-1"]}', "", 1),
        ('{"e":"cambio","by":"Anna","n":1}', "denari-1", 1),
    ],
)
def test_a_face_of_an_italian_card_that_nobody_has_shown_is_told(game: str, line: str, told: str, wrong: int) -> None:
    view = {"status": "hand_in_progress", "wing": game, "happened": "asso di coppe", "centre": [told]}
    check_unshown(b'{"e":"hand"}\n' + line.encode(), view, tried := Tried(1))
    assert len(tried.wrong) == wrong


def test_what_was_dealt_was_caught_once_a_hand_in_every_game() -> None:
    chance = random.Random(1)
    for game in GAMES:
        line = glimpse(game, chance)
        if game in ALL_OPEN:
            assert line is None, "a line tells what somebody was dealt"
            continue
        event = GAMES[game].rules.LOG.event(line)
        assert {*(getattr(event, "faces", ()) or (getattr(event, "card", None),))} - {None}


def test_memory_that_grows_by_a_twentieth_and_by_what_warming_up_takes_is_told() -> None:
    check_growth({"pages": [100e6] * 8 + [113e6] * 8}, steady := Tried(1))
    check_growth({"pages": [100e6] * 8 + [114e6] * 8}, growing := Tried(1))
    assert (steady.wrong, len(growing.wrong)) == ([], 1)


def test_what_is_tapped_was_offered() -> None:
    chance = random.Random(1)
    covered = {"next": {"covered": [{"player": "Anna", "kinds": ["3"]}], "offers": []}}
    assert next_tap(covered, chance) == {"what": "say", "events": [{"e": "reveal", "by": "Anna", "card": "3"}]}
    assert next_tap({"next": {"offers": [{"events": [{"e": "hand"}]}]}}, chance) == {"what": "say", "events": [{"e": "hand"}]}
    assert next_tap({"next": {"offers": [], "covered": []}}, chance) is None


def test_half_a_picture_has_lost_its_lower_half_and_another_shape_is_one() -> None:
    with NetworkCamera(table(320, 180)) as camera:
        whole = next(pictures(camera.url, 15)).image
        camera.mode = "half"
        half = next(pictures(camera.url, 15)).image
        camera.mode = "resized"
        assert next(pictures(camera.url, 15)).image.shape == (180, 240, 3)
    assert float(np.ptp(cv2.cvtColor(half, cv2.COLOR_BGR2GRAY)[140:])) < 3 < float(np.ptp(whole[140:]))


def test_a_row_says_how_often_and_how_long() -> None:
    tried = Tried(3, 12)
    tried.took("known", 1.5)
    tried.took("known", 0.5)
    tried.check(False, "something")
    assert row("x", tried) == "| x | 3 | 12 | known in 1.5 s | 1 |"
    assert len(HEAD) == 2
