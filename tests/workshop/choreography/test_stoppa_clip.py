"""A clip of Stoppa: its truth is what the camera projects and what the log says; drawn or of scans."""

import json
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from companion.cli import main
from companion.decks.italian import KINDS
from companion.games.stoppa.rules import log
from companion.games.stoppa.rules.log import new_game
from companion.line.tablefile import read_table_file
from companion.table.errors import CompanionError
from companion.table.log import Line, write_lines
from companion.workshop.clip.film import FilmRecipe, FilmSet, film, filmed_at, prepare, textures
from companion.workshop.stage.cardshape import quad, stack_top

SMALL = FilmRecipe(seed=5, size=(320, 180), fps=5, tempo=4, level="easy")
SIX = ("Anna", "Bruno", "Carla", "Dino", "Elsa", "Fabio")
SHORT = tuple(
    Line(event)
    for event in (
        new_game(SIX, 600, 100, "Fabio"),
        log.Hand(), log.Piccolo(), log.Punto(by="Anna", to=50), log.Vedo(by="Bruno"),
        log.Show(by="Anna", cards=("denari-1", "denari-7", "coppe-2")), log.Muck(by="Bruno"),
        log.Piccolo(), log.Grosso(),
        log.Lay(by="Anna", cards=("denari-1",)), log.Lay(by="Anna", cards=("coppe-2",)), log.Lay(by="Dino", cards=("spade-3",)),
    )
)  # fmt: skip
"""Anna wins a punto and opens the stoppata; the clip ends in it."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small clip with its table and truth."""
    path = tmp_path_factory.mktemp("clip")
    film(SHORT, SMALL, path / "clip.mp4", path / "table.json", path / "truth.jsonl")
    return path


@pytest.fixture(scope="module")
def made() -> FilmSet:
    return prepare(SHORT, SMALL)


def frames(folder: Path) -> list[dict[str, object]]:
    """The truth of every frame."""
    return [entry for line in (folder / "truth.jsonl").read_text().splitlines() if "frame" in (entry := json.loads(line))]


def test_the_clip_reads_back_whole_and_its_truth_has_every_frame(folder: Path, made: FilmSet) -> None:
    video = cv2.VideoCapture(str(folder / "clip.mp4"))
    count = 0
    while video.read()[0]:
        count += 1
    assert count == made.frames == len(frames(folder))


def test_the_truth_of_a_frame_is_what_the_camera_projects(folder: Path, made: FilmSet) -> None:
    size = textures(SMALL, "italian").size_mm(("italian", "back"))
    seen = 0
    for entry in map(json.loads, (folder / "truth.jsonl").read_text().splitlines()):
        if "frame" not in entry or entry["frame"] % 7:
            continue
        scene = made.timeline.at(entry["frame"] / SMALL.fps)
        poses = {card.id: card for card in scene.cards} | {stack.id: stack_top(stack) for stack in scene.stacks}
        assert {card["id"] for card in entry["cards"]} == poses.keys()
        for card in entry["cards"]:
            expected = quad(made.camera, replace(poses[card["id"]], size=size))
            assert np.abs(np.array(card["quad"]) - expected).max() < 0.2
            assert card["deck"] == "italian"
            seen += 1
    assert seen > 100


def test_in_the_end_the_truth_names_the_cards_of_the_pile_and_who_laid_them(folder: Path) -> None:
    cards = frames(folder)[-1]["cards"]
    assert isinstance(cards, list)
    faces = {card["card"]: card["player"] for card in cards if card["side"] == "face"}
    assert faces == {"denari-1": "Anna", "coppe-2": "Anna", "spade-3": "Dino"}
    (top,) = [card for card in cards if card["card"] == "spade-3"]
    assert top["visible"] == 1


def test_the_truth_has_the_log_with_its_times(folder: Path, made: FilmSet) -> None:
    first = json.loads((folder / "truth.jsonl").read_text().splitlines()[0])["meta"]
    told = log.read_lines("\n".join(map(json.dumps, first["log"])).encode())
    assert [line.event for line in told] == [line.event for line in SHORT]
    assert [line.t for line in told] == pytest.approx(made.timeline.events, abs=1e-3)


def test_table_json_is_what_the_camera_side_takes(folder: Path) -> None:
    file = read_table_file(folder / "table.json")
    assert file.first == SHORT[0].event
    assert [seat.name for seat in file.table.players] == list(SIX)


def test_the_same_seed_is_the_same_picture(made: FilmSet) -> None:
    pictures = textures(SMALL, "italian")
    t = made.timeline.events[-1]
    assert (filmed_at(made, pictures, t) == filmed_at(prepare(SHORT, SMALL), pictures, t)).all()


def test_scans_are_filmed_in_place_of_the_drawn_deck(tmp_path: Path, made: FilmSet) -> None:
    for kind in (*KINDS, "back"):
        cv2.imwrite(str(tmp_path / f"{kind}.png"), np.full((83, 51, 3), (0, 0, 255) if kind == "back" else (0, 255, 0), np.uint8))
    scanned = replace(SMALL, deck=tmp_path)
    pictures = textures(scanned, "italian")
    assert pictures.size_mm(("italian", "back"))[1] == 84
    picture = filmed_at(replace(made, recipe=scanned), pictures, made.timeline.events[-1]).astype(int)
    drawn = filmed_at(made, textures(SMALL, "italian"), made.timeline.events[-1]).astype(int)
    assert (picture[..., 1] - picture[..., 2]).max() > (drawn[..., 1] - drawn[..., 2]).max() + 60
    (tmp_path / "coppe-4.png").unlink()
    with pytest.raises(CompanionError, match="lacks pictures of coppe-4"):
        textures(scanned, "italian")


def test_the_command_films_whichever_game_the_log_says(tmp_path: Path) -> None:
    (tmp_path / "g.jsonl").write_bytes(write_lines(SHORT))
    told = CliRunner().invoke(
        main,
        ["render", str(tmp_path / "g.jsonl"), "-o", str(tmp_path / "g.mp4"), "--table", str(tmp_path / "t.json"),
         "--size", "160x90", "--fps", "5", "--tempo", "4"],
    )  # fmt: skip
    assert told.exit_code == 0, told.output
    assert read_table_file(tmp_path / "t.json").game.id == "stoppa"
