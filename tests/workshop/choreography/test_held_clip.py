"""A clip with cards in the hand: its truth is what the camera projects and what the log says; drawn or of scans."""

import json
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from companion.cli import main
from companion.decks.italian import KINDS
from companion.games import read_lines
from companion.games.stoper.rules import log as stoper
from companion.games.stoppa.rules import log as stoppa
from companion.line.tablefile import read_table_file
from companion.table.errors import CompanionError
from companion.table.log import Line, write_lines
from workshop.clip.film import FilmRecipe, FilmSet, film, filmed_at, prepare, textures
from workshop.stage.cardshape import quad, stack_top

SMALL = FilmRecipe(seed=5, size=(320, 180), fps=5, tempo=4, level="easy")
SIX = ("Anna", "Bruno", "Carla", "Dino", "Elsa", "Fabio")
STOPPA = (
    stoppa.new_game(SIX, 600, 100, "Fabio"),
    stoppa.Hand(), stoppa.Piccolo(), stoppa.Punto(by="Anna", to=50), stoppa.Vedo(by="Bruno"),
    stoppa.Show(by="Anna", cards=("denari-1", "denari-7", "coppe-2")), stoppa.Muck(by="Bruno"),
    stoppa.Piccolo(), stoppa.Grosso(), stoppa.Lay(by="Anna", cards=("denari-1",)), stoppa.Lay(by="Anna", cards=("coppe-2",)),
    stoppa.Lay(by="Dino", cards=("spade-3",)),
)  # fmt: skip
"""Anna wins a punto and opens the stoppata; the clip ends in it."""
STOPER = (
    stoper.new_game(SIX, 1000, "Fabio"),
    stoper.Hand(cip=50, invito=50), stoper.Parola(by="Anna"), stoper.Apro(by="Bruno", to=100), stoper.Vedo(by="Carla"),
    *(stoper.Passo(by=name) for name in ("Dino", "Elsa", "Fabio", "Anna")),
    stoper.Cambio(by="Bruno", n=1), stoper.Cambio(by="Carla", n=2), stoper.Busso(by="Bruno"), stoper.Busso(by="Carla"),
    stoper.Show(by="Bruno", cards=("denari-1", "denari-7", "coppe-3")),
    stoper.Show(by="Carla", cards=("spade-1", "bastoni-1", "coppe-9")),
)  # fmt: skip
"""Bruno and Carla change and show; the clip ends with what they have shown."""
OPEN = {
    "stoppa": {"denari-1": "Anna", "coppe-2": "Anna", "spade-3": "Dino"},
    "stoper": {card: event.by for event in STOPER[-2:] for card in event.cards},
}
"""What lies open in the end, and whose it is."""
SHORT = {name: tuple(map(Line, events)) for name, events in (("stoppa", STOPPA), ("stoper", STOPER))}


@pytest.fixture(scope="module", params=["stoppa", "stoper"])
def short(request: pytest.FixtureRequest) -> tuple[Line, ...]:
    """The log of a short clip."""
    return SHORT[request.param]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, short: tuple[Line, ...]) -> Path:
    """A small clip with its table and truth."""
    path = tmp_path_factory.mktemp("clip")
    film(short, SMALL, path / "clip.mp4", path / "table.json", path / "truth.jsonl")
    return path


@pytest.fixture(scope="module")
def made(short: tuple[Line, ...]) -> FilmSet:
    return prepare(short, SMALL)


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


def test_in_the_end_the_truth_names_the_cards_that_lie_open_and_whose_they_are(folder: Path, made: FilmSet) -> None:
    cards = frames(folder)[-1]["cards"]
    assert isinstance(cards, list)
    faces = {card["card"]: card["player"] for card in cards if card["side"] == "face"}
    assert faces == OPEN[made.timeline.lines[0].event.game]
    assert max(card["visible"] for card in cards if card["card"] == list(faces)[-1]) == 1


def test_the_truth_has_the_log_with_its_times(folder: Path, made: FilmSet, short: tuple[Line, ...]) -> None:
    first = json.loads((folder / "truth.jsonl").read_text().splitlines()[0])["meta"]
    told = read_lines("\n".join(map(json.dumps, first["log"])).encode())
    assert [line.event for line in told] == [line.event for line in short]
    assert [line.t for line in told] == pytest.approx(made.timeline.events, abs=1e-3)


def test_table_json_is_what_the_camera_side_takes(folder: Path, short: tuple[Line, ...]) -> None:
    file = read_table_file(folder / "table.json")
    assert file.first == short[0].event
    assert [seat.name for seat in file.table.players] == list(SIX)


def test_the_same_seed_is_the_same_picture(made: FilmSet, short: tuple[Line, ...]) -> None:
    pictures = textures(SMALL, "italian")
    t = made.timeline.events[-1]
    assert (filmed_at(made, pictures, t) == filmed_at(prepare(short, SMALL), pictures, t)).all()


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


@pytest.mark.slow
def test_the_command_films_whichever_game_the_log_says(tmp_path: Path, short: tuple[Line, ...]) -> None:
    (tmp_path / "g.jsonl").write_bytes(write_lines(short))
    told = CliRunner().invoke(
        main,
        ["render", str(tmp_path / "g.jsonl"), "-o", str(tmp_path / "g.mp4"), "--table", str(tmp_path / "t.json"),
         "--size", "160x90", "--fps", "5", "--tempo", "4"],
    )  # fmt: skip
    assert told.exit_code == 0, told.output
    assert read_table_file(tmp_path / "t.json").first == short[0].event
