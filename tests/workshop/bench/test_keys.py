"""What is kept is found again whatever its classes are called, and never after a change of what it depends on."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Collection
from dataclasses import astuple, dataclass, replace
from pathlib import Path

import pytest

from companion.assets import asset
from workshop.bench import keys
from workshop.bench.filming import key_of, prepare_clip
from workshop.bench.recipe import ClipRecipe
from workshop.choreography.troubles import Dark, Gap, Troubles
from workshop.stage.scene import Camera

SMALL = ClipRecipe(
    name="small", level="easy", seed=7, players=3, hands=1, size=(320, 180), fps=5, tempo=4, life="easy", surface="wood",
    cloth=3000, shape="rect",
)  # fmt: skip
LINE = """
import sys
import companion.line.follow
from companion.games import GAMES
game = GAMES["stu"]
game.rules, game.sighting_model, game._part("sight")
"""
"""What follows the clips of the bench, which are of Lu Stù."""
EYES = """
import sys
import companion.eyes.incremental, companion.eyes.look, companion.eyes.seeing, companion.eyes.source
"""


def imported(program: str) -> dict[str, Path]:
    """The house's modules that a program of its own has imported when it ends, and their files."""
    said = 'print("\\n".join(f"{n} {m.__file__}" for n, m in sys.modules.items() if n.startswith("companion.")))'
    done = subprocess.run([sys.executable, "-c", program + said], capture_output=True, text=True, check=True)
    return {name: Path(file).resolve() for name, _, file in (line.partition(" ") for line in done.stdout.splitlines())}


def left_out(program: str, rooms: Collection[str]) -> set[str]:
    known = set(keys.modules(rooms))
    return {name for name, file in imported(program).items() if file not in known}


def test_every_module_that_the_line_imports_is_in_a_key() -> None:
    """But for how files are read and written, and on how many threads all runs."""
    assert left_out(LINE, (*keys.EYES, *keys.ruling_rooms("stu"))) == {"companion.files", "companion.one_thread"}


def test_every_module_that_the_eyes_import_is_in_theirs() -> None:
    """But for the errors that they raise, the marking of what these say, how a deck's file is written, and threads."""
    said = {"companion.table", "companion.table.errors", "companion.table.language", "companion.files", "companion.one_thread"}
    assert left_out(EYES, keys.EYES) == said


@pytest.mark.parametrize("room", [*keys.EYES, *keys.ruling_rooms("stu")])
def test_every_room_of_a_key_is_there(room: str) -> None:
    assert list(keys.modules([room]))


def test_no_room_is_in_both_keys() -> None:
    assert set(keys.EYES).isdisjoint(keys.ruling_rooms("stoppa"))


@pytest.mark.parametrize(
    ("written", "same"),
    [
        (b'"""Another docstring."""\n# a remark\ndef f(x):\n    """Doubles."""\n    return 2 * x\n', True),
        (b"def f(x):\n    return 2 * x\n", True),
        (b"def f(x):\n    return (2\n            * x)\n", True),
        (b"def f(x):\n    return 3 * x\n", False),
        (b'def f(x):\n    return 2 * "x"\n', False),
    ],
)
def test_words_change_no_key_and_code_does(written: bytes, same: bool) -> None:
    before = keys.meaning(b'"""A docstring."""\n\ndef f(x):\n    return 2 * x\n')
    assert (keys.meaning(written) == before) is same


def test_a_function_that_is_nothing_but_a_docstring_is_read_too() -> None:
    assert keys.meaning(b'def f():\n    """To be done."""\n') == keys.meaning(b"def f():\n    pass\n")


def test_another_model_is_another_key(tmp_path: Path) -> None:
    found = []
    for content in (b"one", b"two"):
        folder = tmp_path / content.decode()
        folder.mkdir()
        (folder / "detector.onnx").write_bytes(content)
        found.append(keys.eyes_key(folder))
    assert len({*found, keys.eyes_key(asset("models").resolve())}) == 3


@dataclass(frozen=True)
class Lens(Camera):
    """A camera by another name."""


def test_a_clip_is_the_same_whatever_its_classes_are_called() -> None:
    made = prepare_clip(SMALL)
    assert key_of(SMALL, replace(made, camera=Lens(*astuple(made.camera)))) == key_of(SMALL, made)


def test_a_clip_is_another_by_what_goes_wrong_with_its_camera() -> None:
    made = prepare_clip(SMALL)
    troubles = [(), (Gap(1.0, 2.0, False),), (Gap(1.0, 2.0, True),), (Dark(1.0, 2.0, 0.0),), (Dark(1.0, 2.5, 0.0),)]
    assert len({key_of(SMALL, replace(made, troubles=Troubles(some))) for some in troubles}) == len(troubles)
