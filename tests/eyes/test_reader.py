"""Naming by prototypes: known cards, strangers, cards with several prototypes."""

from pathlib import Path

import numpy as np
import pytest

from companion.assets import asset
from companion.eyes.reader import CROP, Prototypes, Reader
from companion.table.errors import BadModel


def prototypes(read: tuple[str, ...] = ("stu",)) -> Prototypes:
    """Four directions: two cards of Stù, one of another deck, one back."""
    return Prototypes(("stu/gnao", "stu/salta", "napoletane/coppe-1", "stu/back"), np.eye(4, dtype=np.float32), read, 20.0, 0.5)


def direction(*weights: float) -> np.ndarray:
    point = np.array([weights], dtype=np.float32)
    return point / np.linalg.norm(point)


def test_a_crop_on_a_prototype_is_that_card() -> None:
    (reading,) = prototypes().readings(direction(1, 0, 0, 0))
    assert (reading.deck, reading.card) == ("stu", "gnao")
    assert reading.known > 0.99
    assert reading.probability > 0.99
    assert sum(share for _, share in reading.alternatives) == pytest.approx(1)


def test_a_crop_between_two_cards_is_either() -> None:
    (reading,) = prototypes().readings(direction(1, 1, 0, 0))
    assert reading.probability == pytest.approx(0.5)
    assert {kind for kind, _ in reading.alternatives} == {"gnao", "salta"}


@pytest.mark.parametrize("weights", [(0, 0, 1, 0), (0, 0, 0, 1), (0.3, 0.2, 0, -1)], ids=["another deck", "a back", "nobody's"])
def test_a_crop_far_from_our_faces_is_a_strangers(weights: tuple[float, ...]) -> None:
    (reading,) = prototypes().readings(direction(*weights))
    assert reading.known < 0.1


def test_where_a_card_of_ours_must_lie_a_strange_face_is_supposed_to_be_one_without_ruling_any_out() -> None:
    (near, strange) = prototypes().readings(np.concatenate([direction(0.47, 0, 0, -0.88), direction(0.3, 0.2, 0, -1)]))
    assert near.known < 0.5
    assert 0.85 < dict(near.supposed)["gnao"] < near.probability
    assert dict(strange.supposed)["salta"] > 0.1
    assert sum(share for _, share in strange.supposed) == pytest.approx(1)


def test_a_small_card_is_read_less_surely_and_the_same() -> None:
    (reading,) = prototypes().readings(direction(0.9, 0.8, 0, 0))
    small, smaller = reading.softened(30), reading.softened(20)
    assert reading.softened(40) == reading
    assert reading.probability > small.probability > smaller.probability > 0.5
    assert {reading.card, small.card, smaller.card} == {"gnao"}
    assert sum(share for _, share in smaller.alternatives) == pytest.approx(1)


def test_a_deck_that_is_read_is_named_and_backs_are_no_cards() -> None:
    (reading,) = prototypes(("stu", "napoletane")).readings(direction(0, 0, 1, 0))
    assert (reading.deck, reading.card) == ("napoletane", "coppe-1")
    assert all(kind != "back" for kind, _ in reading.alternatives)


def test_several_prototypes_of_a_card_count_together() -> None:
    three = Prototypes(("stu/gnao", "stu/gnao", "stu/salta"), np.eye(3, dtype=np.float32), ("stu",), 20.0, 0.5)
    (reading,) = three.readings(direction(1, 1, 1))
    assert reading.card == "gnao"
    assert reading.probability == pytest.approx(2 / 3)


def test_prototypes_come_back_from_their_file(tmp_path: Path) -> None:
    prototypes().save(tmp_path / "p.npz")
    again = Prototypes.load(tmp_path / "p.npz")
    assert again.names == prototypes().names
    assert again.read == ("stu",)
    assert (again.sharpness, again.stranger) == (20.0, 0.5)
    assert np.array_equal(again.points, prototypes().points)


def test_what_are_no_prototypes_is_refused_by_name(tmp_path: Path) -> None:
    (tmp_path / "broken.npz").write_bytes(b"no archive")
    np.savez(tmp_path / "other.npz", names=np.array(["stu/gnao"]))
    for name in ("broken.npz", "other.npz", "nowhere.npz"):
        with pytest.raises(BadModel, match=name):
            Prototypes.load(tmp_path / name)


def test_the_network_and_the_prototypes_must_be_of_one_training() -> None:
    with pytest.raises(BadModel, match="do not belong together"):
        Reader(asset("models/reader.onnx"), prototypes())


def test_the_shipped_reader_gives_points_of_the_unit_sphere() -> None:
    reader = Reader(asset("models/reader.onnx"), Prototypes.load(asset("models/prototypes.npz")))
    crops = list(np.random.default_rng(0).integers(0, 256, (3, CROP[1], CROP[0], 3), dtype=np.uint8))
    assert np.linalg.norm(reader.embed(crops), axis=1) == pytest.approx(1, abs=1e-4)
    assert reader.embed([]).shape == (0, reader.prototypes.points.shape[1])
    assert reader.read(np.zeros((20, 20, 3), dtype=np.uint8), np.zeros((0, 4, 2))) == []
    assert {name for name in reader.prototypes.names if name.startswith("stu/")} >= {"stu/gnao", "stu/back"}


def test_all_decks_that_lie_beside_a_game_are_pedine_and_others_are_strangers() -> None:
    names = ("stu/gnao", "ramino/7h", "mine/hearts-7", "napoletane/coppe-1")
    four = Prototypes(names, np.eye(4, dtype=np.float32), ("stu",), 20.0, 0.5)
    told = four.for_game("stu", ["stu"], {"ramino": ["ramino", "mine"]}).readings(np.eye(4, dtype=np.float32))
    assert [(one.deck, one.known > 0.9) for one in told[:3]] == [("stu", True), ("ramino", True), ("ramino", True)]
    assert [one.card for one in told[:3]] == ["gnao", None, None], "a pedina has no name"
    assert told[3].known < 0.1


def swapped() -> np.ndarray:
    """A matrix that takes the first direction for the second, and the other way round."""
    return np.eye(4, dtype=np.float32)[[1, 0, 2, 3]]


def test_a_tuned_decks_cards_are_compared_through_its_matrix_and_no_others() -> None:
    tuned = prototypes().taught(["mine/1", "mine/2"], np.eye(4, dtype=np.float32)[:2], 20.0, 0.5, swapped())
    mine = tuned.without("stu")
    assert [reading.card for reading in mine.readings(np.eye(4, dtype=np.float32)[:2])] == ["2", "1"]
    assert mine.adapted.tolist() == [-1, 0, 0]
    left = tuned.without("mine")
    assert [reading.card for reading in left.readings(np.eye(4, dtype=np.float32)[:2])] == ["gnao", "salta"]
    assert left.adapted.tolist() == [-1] * 4


def test_a_matrix_goes_with_its_deck_through_whatever_is_done_to_the_prototypes() -> None:
    further = np.eye(4, dtype=np.float32)[2:3]
    tuned = prototypes().without("stu").taught(["mine/1", "mine/2"], np.eye(4, dtype=np.float32)[:2], 20.0, 0.5, swapped())
    more = tuned.taught(["mine/3"], further, 20.0, 0.5)
    for other in (tuned.less_likely(["napoletane"], 10.0), tuned.for_game("stu", ["mine"]), more):
        assert [reading.card for reading in other.readings(np.eye(4, dtype=np.float32)[:2])] == ["2", "1"]
    assert more.adapted.tolist()[-3:] == [0, 0, -1], "a lesson's point has not gone through the matrix"


def test_a_second_tuned_deck_has_a_matrix_of_its_own() -> None:
    axes = np.eye(4, dtype=np.float32)
    one = prototypes().without("stu").taught(["mine/1", "mine/2"], axes[:2], 20.0, 0.5, swapped())
    told = one.taught(["other/1", "other/2"], axes[2:], 20.0, 0.5, axes[[0, 1, 3, 2]]).readings(axes)
    assert [(one.deck, one.card) for one in told[:2]] == [("mine", "2"), ("mine", "1")]
    assert (told[3].deck, told[3].card) == ("other", "1")
