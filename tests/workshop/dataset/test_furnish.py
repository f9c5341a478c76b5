"""Pictures of a full table: things that look like cards, people, and none of the cards where a recipe says so."""

from pathlib import Path

import msgspec
import numpy as np
import pytest

from companion.table.errors import BadRecipe
from workshop.dataset import make as maker
from workshop.dataset.recipe import Recipe, read_recipe
from workshop.deck.strange.large import HELD_OUT_LARGE, LARGE
from workshop.stage.lookalikes import TAUGHT
from workshop.stage.scene import Lookalike
from workshop.stage.unseen import HELD_OUT

DATASETS = Path(__file__).parents[3] / "datasets"
FEW = Recipe(count=24, seed=3, size=(320, 192), surface_kinds=("felt",), surfaces=(0, 1), styles=(0, 2), cards=6)


def scenes(recipe: Recipe) -> list[maker.Composed]:
    return list(maker.composed(maker.Task(recipe, 0, recipe.count, None, None, None)))


def test_a_recipe_without_any_of_it_lays_what_it_always_laid() -> None:
    usual = scenes(FEW)
    same = scenes(msgspec.structs.replace(FEW, thing_kinds=("denim",), bare=1.0))
    assert [one.laid.scene for one in usual] == [one.laid.scene for one in same]
    assert not [one for one in usual if one.laid.scene.sitters]


def test_empty_pictures_show_no_card_and_the_others_what_they_showed() -> None:
    usual, half = scenes(FEW), scenes(msgspec.structs.replace(FEW, empty=0.5))
    bare = [not one.laid.scene.cards and not one.laid.scene.stacks for one in half]
    assert 5 < sum(bare) < 20
    assert all(one.laid.scene == other.laid.scene for one, other, gone in zip(usual, half, bare, strict=True) if not gone)
    assert all(one.holds is None for made, gone in zip(half, bare, strict=True) if gone for one in made.laid.scene.fingers)


def test_empty_pictures_have_no_card_in_their_truth() -> None:
    few = msgspec.structs.replace(FEW, count=4, empty=1.0, bare=0.5, things=1.0, seated=1.0)
    assert all(picture.truth == () for picture in maker.block(maker.Task(few, 0, 4, None, None, None)))


def test_things_lie_about_beside_the_cards_and_stand_behind_the_table() -> None:
    made = scenes(msgspec.structs.replace(FEW, things=1.0, thing_kinds=("page", "screen")))
    things = [prop for one in made for prop in one.laid.scene.props if isinstance(prop, Lookalike)]
    assert {prop.kind for prop in things} == {"page", "screen"}
    assert sum(prop.stands is None for prop in things) > 40
    assert sum(prop.stands is not None and prop.layer < -100 for prop in things) > 10
    assert max(max(prop.mm) for prop in things) > 6 * min(min(prop.mm) for prop in things)
    for one in made:
        ids = [thing.id for thing in (*one.laid.scene.cards, *one.laid.scene.props, *one.laid.scene.fingers)]
        assert len(set(ids)) == len(ids)


def test_people_sit_at_tables_with_a_rim_with_their_hands_on_them() -> None:
    made = scenes(msgspec.structs.replace(FEW, seated=1.0))
    seated = [one.laid.scene for one in made if one.laid.scene.sitters]
    assert len(seated) > 5
    assert not [one for one in made if one.laid.scene.sitters and one.laid.surface.width > 9000]
    limbs = [hand for scene in seated for hand in scene.fingers if hand.limb is not None]
    assert len(limbs) > len(seated)
    owners = {(sitter.skin, sitter.seed) for scene in seated for sitter in scene.sitters}
    assert all((hand.skin, hand.seed) in owners for hand in limbs)


def test_the_holdouts_of_a_full_table_share_nothing_with_training() -> None:
    names = ("things-train", "val-empty", "empty", "large")
    train, val, empty, large = (read_recipe(DATASETS / f"{name}.yaml") for name in names)
    assert empty.empty == val.empty == 1.0
    assert set(train.thing_kinds) == set(val.thing_kinds) == set(TAUGHT)
    assert set(empty.thing_kinds) == set(HELD_OUT)
    assert not HELD_OUT_LARGE & set(train.strange_faces)
    assert set(train.strange_faces) >= set(LARGE) - HELD_OUT_LARGE
    assert not {*train.strange_faces, *train.strange_backs} & {*large.strange_faces, *large.strange_backs}
    for held in (empty, large):
        assert held.rooms[0] >= train.rooms[1]
        assert held.styles[1] <= train.styles[0]
        assert held.surfaces[1] <= train.surfaces[0]
    assert len({one.seed for one in (train, val, empty, large)}) == 4


def test_an_unknown_kind_of_thing_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "recipe.yaml"
    path.write_text("count: 5\nseed: 1\nthing_kinds: [moon]")
    with pytest.raises(BadRecipe, match=r"thing_kinds: \['moon'\]: expected some of page, screen"):
        read_recipe(path)


def test_the_same_recipe_gives_the_same_pictures() -> None:
    few = msgspec.structs.replace(FEW, count=2, things=1.0, seated=1.0)
    one, other = (list(maker.block(maker.Task(few, 0, 2, None, None, None))) for _ in range(2))
    assert all(np.array_equal(a.image, b.image) for a, b in zip(one, other, strict=True))
