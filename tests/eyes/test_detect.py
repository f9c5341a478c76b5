"""`companion detect` to the letter of docs/camera.md, with the shipped models."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner, Result
from documents import DOCS, blocks

from companion.cli import main
from companion.cli.detect import json_line, table
from companion.decks.stu import KINDS
from companion.eyes.sighting import CardSeen

FIELDS = {"quad", "deck", "side", "card", "score", "alternatives"}


def detect(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["detect", *arguments])


@pytest.fixture
def picture(tmp_path: Path) -> Path:
    path = tmp_path / "table.png"
    cv2.imwrite(str(path), np.random.default_rng(3).integers(0, 255, (90, 160, 3), dtype=np.uint8))
    return path


def test_one_object_a_picture_on_a_line(picture: Path) -> None:
    result = detect(str(picture), str(picture), "--json")
    assert result.exit_code == 0, result.output
    lines = [json.loads(line) for line in result.stdout.splitlines()]
    assert len(lines) == 2
    for line in lines:
        assert {"image", "width", "height", "cards"} == set(line)
        assert (line["image"], line["width"], line["height"]) == (str(picture), 160, 90)
        assert all(set(card) == FIELDS for card in line["cards"])


def test_an_unreadable_file_costs_one_line_and_exit_2_and_the_others_are_done(picture: Path, tmp_path: Path) -> None:
    broken = tmp_path / "broken.jpg"
    broken.write_bytes(b"no picture")
    result = detect(str(broken), str(picture), str(tmp_path / "nowhere.jpg"), "--json")
    assert result.exit_code == 2
    assert [Path(json.loads(line)["image"]).name for line in result.stdout.splitlines()] == ["table.png"]
    complaints = result.stderr.splitlines()
    assert len(complaints) == 2
    assert "broken.jpg" in complaints[0]
    assert "nowhere.jpg" in complaints[1]


@pytest.mark.parametrize("content", [None, b"", b"no deck"], ids=["missing", "empty", "something else"])
def test_a_file_that_is_no_deck_is_refused_in_one_line(picture: Path, tmp_path: Path, content: bytes | None) -> None:
    deck = tmp_path / "mine.deck"
    if content is not None:
        deck.write_bytes(content)
    result = detect(str(picture), "--deck", str(deck), "--json")
    assert result.exit_code == 2
    assert result.stdout == ""
    assert len(result.stderr.splitlines()) == 1
    assert "mine.deck" in result.stderr


def test_without_a_picture_it_says_how_to_call_it() -> None:
    result = detect()
    assert result.exit_code == 2
    assert "IMAGE" in result.stderr


SEEN = (
    CardSeen(((1.234, 2), (51, 2), (51, 96), (1, 96)), "stu", "face", 0.98765, "gnao", (("gnao", 0.97), ("salta", 0.02))),
    CardSeen(((100, 2), (150, 2), (150, 96), (100, 96)), "ramino", "back", 0.8),
    CardSeen(((200, 2), (250, 2), (250, 96), (200, 96)), "stu", "stack", 0.7),
    CardSeen(((300, 2), (350, 2), (350, 96), (300, 96)), "unknown", "face", 0.6, None, (("gnao", 0.1),)),
)


def test_an_entry_as_the_page_writes_it() -> None:
    [told] = [block for block in blocks(DOCS / "camera.md") if block.language == "json"]
    assert json.loads(json_line("a.jpg", 640, 480, SEEN[:1])) == json.loads(told.text)
    line = json.loads(json_line("a.jpg", 640, 480, SEEN))
    assert [(card["deck"], card["side"], card["card"], card["alternatives"]) for card in line["cards"][1:]] == [
        ("ramino", "back", None, []),
        ("stu", "stack", None, []),
        ("unknown", "face", None, []),
    ]
    assert all(kind in KINDS for kind, _ in line["cards"][0]["alternatives"])


def test_the_table_for_people_names_each_card_once() -> None:
    rows = table("a.jpg", 640, 480, SEEN).splitlines()
    assert rows[0] == "a.jpg (640 x 480): 4 cards"
    assert ["gnao" in rows[1], "a back" in rows[2], "stack" in rows[3], "unknown" in rows[4]] == [True] * 4
    assert all("94 px" in row for row in rows[1:])
