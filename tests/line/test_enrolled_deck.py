"""A game played with a deck that was enrolled is followed as one with a shipped deck."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from companion.assets import asset
from companion.cli import main
from companion.decks.deckfile import write_deck
from companion.eyes.enrol import CardPhoto, enrol
from companion.eyes.enrol.deck import Cohort
from companion.eyes.enrol.photo import SIZE
from companion.eyes.look import Eyes
from workshop.deck.raster import STU_KEYS, drawn

pytestmark = pytest.mark.networks


def photo(texture: np.ndarray) -> CardPhoto:
    picture = cv2.resize(texture[..., :3], SIZE, interpolation=cv2.INTER_AREA)
    return CardPhoto(np.zeros((4, 2)), np.asarray(picture, np.uint8), 0.53)


def test_the_bundled_clip_is_ruled_right_with_its_deck_enrolled(tmp_path: Path) -> None:
    eyes, cards = Eyes.load(asset("models"), threads=2), drawn(keys=STU_KEYS)
    cohort = Cohort.load(asset("models") / "cohort.npz")
    enrolled = enrol({card: [photo(cards["stu", card])] for _, card in STU_KEYS}, eyes.reader, cohort)
    assert enrolled.deck.alike == (), "no two cards of a good deck look alike"
    assert enrolled.deck.missing == ()
    write_deck(tmp_path / "nostro.deck", enrolled.deck)
    demo, log = asset("datasets/demo"), tmp_path / "watched.jsonl"
    run("watch", demo / "demo.mp4", "--table", demo / "table.json", "--log", log, "--deck", tmp_path / "nostro.deck", "--quiet")
    assert ruled(log) == ruled(demo / "log.jsonl")


def run(*arguments: object) -> str:
    result = CliRunner().invoke(main, [str(argument) for argument in arguments])
    assert result.exit_code == 0, result.output
    return result.stdout


def ruled(log: Path) -> list[tuple[str, list[object]]]:
    return [(hand["dealer"], hand["payments"]) for hand in json.loads(run("rule", log, "--json"))["hands"]]
