"""The shipped models on pictures rendered on the spot: drawn deck, seeds that were never trained on.

The floors are what they reached, less what chance moves on so few pictures.
"""

from collections.abc import Sequence
from pathlib import Path

import msgspec
import pytest

from companion.assets import asset
from companion.eyes.look import Eyes
from workshop.dataset.make import make
from workshop.dataset.recipe import read_recipe
from workshop.evaluation.detection import figures, tally
from workshop.evaluation.labels import LabelledPicture, read_labels
from workshop.evaluation.reading import read_crops, reading_figures
from workshop.evaluation.sight import naming, read_names
from workshop.training.crops import classes

pytestmark = pytest.mark.networks

MILD = {"hard": 0.1, "game": 1.0, "cover": 0.2, "usual_length": (35.0, 110.0), "elevation": (40.0, 80.0), "seed": 31_337}
"""A game in fair light, cards of 35 to 110 px in a picture 640 px wide: the like of the bundled clip."""

RECALL, PRECISION, CORNERS, NAMED = 0.48, 0.68, 0.11, 0.72
READ = 0.96


@pytest.fixture(scope="module")
def pictures(tmp_path_factory: pytest.TempPathFactory) -> Sequence[LabelledPicture]:
    folder = tmp_path_factory.mktemp("mild") / "pictures"
    recipe = msgspec.structs.replace(read_recipe(Path(__file__).parents[2] / "datasets" / "val.yaml"), count=40, **MILD)
    make(recipe, folder)
    return read_labels(folder)


@pytest.fixture(scope="module")
def eyes() -> Eyes:
    return Eyes.load(asset("models"), threads=2)


def test_cards_of_a_game_are_found(eyes: Eyes, pictures: Sequence[LabelledPicture]) -> None:
    found = figures(tally(eyes.detector, pictures), eyes.detector.calibration.threshold)
    assert found["cards"] > 200, "too few cards to say anything"
    assert found["recall"] >= RECALL
    assert found["precision"] >= PRECISION
    assert found["corner_error"] <= CORNERS


def test_faces_that_were_found_are_named_right(eyes: Eyes, pictures: Sequence[LabelledPicture]) -> None:
    named = naming(read_names(eyes, pictures))
    assert named["faces"] > 20, "too few faces to say anything"
    assert named["named_right"] >= NAMED


def test_faces_in_styles_that_were_never_trained_on_are_named_right(eyes: Eyes) -> None:
    drawn = classes(4, 9_999, None)
    crops = [one for one in read_crops(eyes.reader, drawn, 600, 4_321, []) if one.length >= 50]
    assert reading_figures(eyes.reader, crops, drawn.names)["named_right"] >= READ
