"""Pictures with decks that are not ours: they lie about as ours do, and without them nothing changes."""

from collections import Counter
from pathlib import Path

import cv2
import msgspec
import numpy as np
import pytest

from companion.decks import italian
from companion.table.errors import BadRecipe
from workshop.dataset import make as maker
from workshop.dataset.decks import strange
from workshop.dataset.recipe import Recipe, read_recipe
from workshop.deck.strange.decks import HELD_OUT
from workshop.deck.style import Style

DATASETS = Path(__file__).parents[3] / "datasets"
FEW = Recipe(count=8, seed=3, size=(320, 192), surface_kinds=("felt",), surfaces=(0, 1), styles=(0, 2), cards=6)
OURS = {"stu", "ramino"}


def pictures(recipe: Recipe, scans: Path | None = None) -> list[maker.Picture]:
    return list(maker.block(maker.Task(recipe, 0, recipe.count, scans, None, None)))


def decks(picture: maker.Picture) -> set[str]:
    return {card.key[0] for card in picture.truth}


@pytest.fixture(scope="module")
def mixed() -> list[maker.Picture]:
    """Pictures; about half of them have strange decks."""
    return pictures(msgspec.structs.replace(FEW, strange=0.5))


def test_a_picture_without_a_strange_deck_is_as_it_was(mixed: list[maker.Picture]) -> None:
    without = pictures(FEW)
    assert all(decks(picture) <= OURS for picture in without)
    same = [np.array_equal(one.image, other.image) for one, other in zip(mixed, without, strict=True)]
    assert any(same)
    assert not all(same)
    assert all(decks(picture) <= OURS for picture, unchanged in zip(mixed, same, strict=True) if unchanged)


def test_families_do_not_matter_where_no_picture_is_strange() -> None:
    one, other = (pictures(msgspec.structs.replace(FEW, count=1, strange_faces=(f,)))[0] for f in ("cartoon", "painted"))
    assert np.array_equal(one.image, other.image)


def test_strange_cards_lie_face_up_face_down_and_as_stacks() -> None:
    all_strange = msgspec.structs.replace(FEW, count=30, strange=1.0, strange_faces=("cartoon", "pips-flat", "print-text"))
    sides = Counter(card.side for picture in pictures(all_strange) for card in picture.truth if card.key[0] not in OURS)
    assert min(sides["face"], sides["back"], sides["stack"]) >= 3


def test_a_picture_has_at_most_two_strange_decks_and_names_them_apart() -> None:
    for picture in pictures(msgspec.structs.replace(FEW, count=20, strange=1.0)):
        strangers = decks(picture) - OURS
        assert len(strangers) <= 2
        assert all(name.startswith("strange-") for name in strangers)


def test_the_italian_deck_lies_beside_ours_under_its_own_ids() -> None:
    made = pictures(msgspec.structs.replace(FEW, count=12, strange=1.0, strange_faces=("italian",)))
    cards = {card.key[1] for picture in made for card in picture.truth if card.key[0] not in OURS}
    assert {name for picture in made for name in decks(picture)} <= OURS | {"italian"}
    assert cards <= {*italian.KINDS, "back"}
    assert len(cards) > 8
    assert any(decks(picture) == {"italian"} or "stu" not in decks(picture) for picture in made)
    assert any({"italian", "stu"} <= decks(picture) for picture in made)


def test_the_committed_italian_deck_is_in_no_picture() -> None:
    """It is kept to be measured on, so no seed prints it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Style, "standard", staticmethod(lambda: pytest.fail("the committed style was asked for")))
        for seed in range(9):
            assert strange("italian", ("weave",), (seed, seed + 1), None, np.random.default_rng(0)) is not None


def scans_in(folder: Path) -> Path:
    """A folder with a scanned deck of two faces, all one blue, and a red back."""
    (folder / "piacentine").mkdir(parents=True)
    for name, colour in (("coppe-1", (200, 40, 20)), ("coppe-2", (200, 40, 20)), ("back", (20, 20, 200))):
        cv2.imwrite(str(folder / "piacentine" / f"{name}.png"), np.full((200, 110, 3), colour, np.uint8))
    return folder


def test_a_scanned_deck_may_be_a_strange_one_with_its_own_back_or_another(tmp_path: Path) -> None:
    folder = scans_in(tmp_path / "scans")
    reddish = []
    for seed in range(12):
        made = strange("piacentine", ("weave",), (0, 9), folder, np.random.default_rng(seed))
        assert made is not None
        assert made.strange
        assert made.name == "piacentine"
        assert sorted(made.faces) == ["coppe-1", "coppe-2"]
        blue, green, red, _ = made.textures.level(("piacentine", "back"), 100)[20:-20, 20:-20].reshape(-1, 4).mean(0)
        reddish.append(bool(red > 1.6 * max(blue, green)))
    assert any(reddish)
    assert not all(reddish)


def test_a_foreign_deck_that_is_left_out_changes_only_the_pictures_in_which_it_would_lie(tmp_path: Path) -> None:
    few = msgspec.structs.replace(FEW, count=12, game=0.3)
    usual, without = (
        pictures(recipe, scans_in(tmp_path / str(n))) for n, recipe in enumerate((few, msgspec.structs.replace(few, foreign=())))
    )
    assert any("piacentine" in decks(picture) for picture in usual)
    assert all(decks(picture) <= OURS for picture in without)
    same = [np.array_equal(one.image, other.image) for one, other in zip(usual, without, strict=True)]
    assert sum(same) >= 3
    assert not any(unchanged for unchanged, picture in zip(same, usual, strict=True) if "piacentine" in decks(picture))


def test_a_deck_may_be_printed_on_black_and_its_signs_still_show() -> None:
    white, black = (strange("pips-flat", ("weave",), (5, 6), None, np.random.default_rng(0), share) for share in (0.0, 1.0))
    assert white is not None
    assert black is not None
    assert white.faces == black.faces
    for card in white.faces[:5]:
        light, dark = (one.textures.level((one.name, card), 200)[..., :3].astype(int).max(axis=2) for one in (white, black))
        assert np.median(light) > 180
        assert np.median(dark) < 90
        assert np.quantile(dark, 0.97) > np.median(dark) + 50


def test_without_scans_there_is_no_scanned_deck() -> None:
    assert strange("napoletane", ("weave",), (0, 9), None, np.random.default_rng(0)) is None
    only_scans = msgspec.structs.replace(FEW, count=2, strange=1.0, strange_faces=("napoletane",))
    assert all(decks(picture) <= OURS for picture in pictures(only_scans))


@pytest.mark.parametrize("taught", ["strange-train", "fans-train", "piles-train", "val-strange"])
def test_the_strange_holdout_shares_no_deck_with_training(taught: str) -> None:
    train, held = read_recipe(DATASETS / f"{taught}.yaml"), read_recipe(DATASETS / "strange.yaml")
    assert train.strange > 0.5
    assert held.strange == 1.0
    assert not {*train.strange_faces, *train.strange_backs} & {*held.strange_faces, *held.strange_backs}
    assert {*held.strange_faces, *held.strange_backs} - {"napoletane"} == HELD_OUT
    assert "napoletane" in held.strange_faces
    for name in ("styles", "surfaces"):
        (a, b), (c, d) = getattr(train, name), getattr(held, name)
        assert b <= c or d <= a
    assert held.rooms[0] >= train.rooms[1]
    assert train.seed != held.seed


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("strange: 1.5", r"\$.strange"),
        ("strange_faces: [lava]", r"strange_faces: \['lava'\]: expected some of standing.*napoletane"),
        ("foreign: [stu]", r"foreign: \['stu'\]: expected some of napoletane, piacentine"),
        ("strange_faces: []", "strange_faces: empty"),
        ("strange_backs: [standing]", r"strange_backs: \['standing'\]: expected some of lattice"),
    ],
)
def test_a_bad_family_is_refused_with_those_that_there_are(tmp_path: Path, line: str, message: str) -> None:
    path = tmp_path / "recipe.yaml"
    path.write_text(f"count: 5\nseed: 1\n{line}")
    with pytest.raises(BadRecipe, match=message):
        read_recipe(path)


TRAINING = ("clips", "harder", "hardest", "overlap-train", "photo-tops", "refining", "strange-train", "train")


@pytest.mark.parametrize("name", TRAINING)
def test_no_training_recipe_shows_the_deck_that_is_measured_on(name: str) -> None:
    recipe = read_recipe(DATASETS / f"{name}.yaml")
    assert "napoletane" not in (recipe.strange_faces if recipe.strange else recipe.foreign)
