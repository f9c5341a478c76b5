"""A clip that was written reads back, and its truth is what the camera projects."""

import json
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner
from directed import GNAFFATA, game, log

from companion.cli import main
from companion.eyes.table import TableMap
from companion.line.tablefile import read_table_file
from companion.table.log import write_lines
from workshop.choreography.layout import card_in_place
from workshop.clip.film import FilmRecipe, film, filmed, prepare, textures
from workshop.stage.cardshape import quad, stack_top

SMALL = FilmRecipe(seed=5, size=(320, 180), fps=5, tempo=4, level="easy")
SHORT = log(
    game("Anna", "Bruno", dealer="Bruno"), {"e": "hand"}, {"e": "passo", "by": "Anna"}, {"e": "swap", "with": "Bruno"},
    {"e": "reveal", "by": "Anna", "card": "4"}, {"e": "reveal", "by": "Bruno", "card": "9"}, {"e": "end"},
)  # fmt: skip


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small clip of a short game, with its table and truth."""
    path = tmp_path_factory.mktemp("clip")
    film(SHORT, SMALL, path / "clip.mp4", path / "table.json", path / "truth.jsonl")
    return path


def test_the_clip_reads_back_whole(folder: Path) -> None:
    video = cv2.VideoCapture(str(folder / "clip.mp4"))
    shape = (video.get(cv2.CAP_PROP_FRAME_WIDTH), video.get(cv2.CAP_PROP_FRAME_HEIGHT), video.get(cv2.CAP_PROP_FPS))
    count = 0
    while video.read()[0]:
        count += 1
    assert shape == (320, 180, 5)
    assert count == prepare(SHORT, SMALL).frames


def test_the_clip_shows_what_was_rendered(folder: Path) -> None:
    video = cv2.VideoCapture(str(folder / "clip.mp4"))
    made = prepare(SHORT, SMALL)
    for number, (_, picture, _) in enumerate(filmed(made, textures(SMALL))):
        read, frame = video.read()
        assert read
        assert np.abs(frame.astype(float) - picture).mean() < 12
        if number == 20:
            return


def test_nothing_else_is_left_in_the_folder(folder: Path) -> None:
    assert sorted(path.name for path in folder.iterdir()) == ["clip.mp4", "table.json", "truth.jsonl"]


def test_the_truth_tells_the_log_and_every_frame_in_the_order_of_time(folder: Path) -> None:
    first, *rest = map(json.loads, (folder / "truth.jsonl").read_text().splitlines())
    told = [{k: v for k, v in entry.items() if k != "t"} for entry in first["meta"]["log"]]
    assert told == [json.loads(line) for line in write_lines(SHORT).splitlines()]
    assert [entry["frame"] for entry in rest if "frame" in entry] == list(range(first["meta"]["frames"]))
    assert [entry["t"] for entry in rest] == sorted(entry["t"] for entry in rest)
    assert sorted(entry["line"] for entry in rest if "line" in entry) == list(range(1, len(SHORT) + 1))


def test_quads_of_the_truth_are_the_cards_projected(folder: Path) -> None:
    made = prepare(SHORT, SMALL)
    size = textures(SMALL).size_mm(("stu", "back"))
    seen = 0
    for entry in map(json.loads, (folder / "truth.jsonl").read_text().splitlines()):
        if "frame" not in entry:
            continue
        scene = made.timeline.at(entry["frame"] / SMALL.fps)
        poses = {card.id: card for card in scene.cards} | {stack.id: stack_top(stack) for stack in scene.stacks}
        assert {card["id"] for card in entry["cards"]} == poses.keys()
        for card in entry["cards"]:
            if card["deck"] == "stu":
                expected = quad(made.camera, replace(poses[card["id"]], size=size))
                assert np.abs(np.array(card["quad"]) - expected).max() < 0.2
                seen += 1
    assert seen > 60


def test_at_the_showdown_the_truth_names_the_faces_and_whose_they_are(folder: Path) -> None:
    frames = [entry for entry in map(json.loads, (folder / "truth.jsonl").read_text().splitlines()) if "frame" in entry]
    faces = {card["player"]: card["card"] for card in frames[-1]["cards"] if card["side"] == "face" and card["deck"] == "stu"}
    assert faces == {"Anna": "4", "Bruno": "9"}


def test_table_json_is_what_the_camera_side_takes(folder: Path) -> None:
    file = read_table_file(folder / "table.json")
    table, game = file.table, file.first
    made = prepare(SHORT, SMALL)
    plan = made.timeline.plan
    assert [seat.name for seat in table.players] == ["Anna", "Bruno"]
    assert (game.stake, game.currency, game.dealer, table.image_size) == (100, "EUR", "Bruno", (320, 180))
    for index, seat in enumerate(table.players):
        assert np.abs(np.array(seat.place) - card_in_place(plan, made.camera, index).mean(0)).max() < 0.1
    depth = plan.width if plan.shape == "round" else plan.depth
    assert TableMap(table, (320, 180)).aspect == pytest.approx(plan.width / depth, rel=0.1)


def test_the_command_writes_all_three(tmp_path: Path) -> None:
    (tmp_path / "g.jsonl").write_bytes(write_lines(GNAFFATA))
    told = CliRunner().invoke(
        main,
        ["render", str(tmp_path / "g.jsonl"), "-o", str(tmp_path / "g.mp4"), "--table", str(tmp_path / "t.json"),
         "--truth", str(tmp_path / "p.jsonl"), "--size", "160x90", "--fps", "5", "--tempo", "4", "--seed", "2"],
    )  # fmt: skip
    assert told.exit_code == 0, told.output
    assert (tmp_path / "g.mp4").stat().st_size > 1000
    assert len(read_table_file(tmp_path / "t.json").table.players) == 4
    assert (tmp_path / "p.jsonl").read_text().count('"frame":') > 50


@pytest.mark.parametrize(
    ("entries", "options", "says"),
    [
        ([game("A", "B", dealer="A"), {"e": "swap", "with": "B"}], [], "line 2"),
        ([game("A", "B", dealer="A")], ["--surface", "ice"], "no surface is called 'ice'"),
        ([game("A", "B", dealer="A")], ["--size", "321x180"], "even"),
        ([game("A", "B", dealer="A")], ["--deck", "nowhere"], "folder of scans"),
    ],
    ids=["a log that cannot be", "no such surface", "odd size", "no such deck"],
)
def test_a_refusal_is_one_line_and_touches_nothing(
    tmp_path: Path, entries: list[dict[str, object]], options: list[str], says: str
) -> None:
    clip = tmp_path / "g.mp4"
    clip.write_bytes(b"what was there")
    (tmp_path / "g.jsonl").write_bytes(write_lines(log(*entries)))
    told = CliRunner().invoke(main, ["render", str(tmp_path / "g.jsonl"), "-o", str(clip), *options])
    assert told.exit_code == 2
    assert says in told.stderr
    assert told.stderr.count("\n") == 1
    assert clip.read_bytes() == b"what was there"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["g.jsonl", "g.mp4"]
