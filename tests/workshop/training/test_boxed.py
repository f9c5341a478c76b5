"""Cards with an upright box for a label: class and box are learnt from them, corners are not. Needs the extra `train`."""

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from photographed import TABLE, WOOD, take

from companion.eyes.detection import CLASSES
from workshop.dataset.photos import convert, read_table
from workshop.evaluation.labels import LabelledPicture, read_labels

torch = pytest.importorskip("torch", reason="needs the extra `train`")
pytest.importorskip("ultralytics", reason="needs the extra `train`")
pytestmark = [pytest.mark.train, pytest.mark.filterwarnings("ignore")]


@pytest.fixture(scope="module")
def photo(tmp_path_factory: pytest.TempPathFactory) -> LabelledPicture:
    folder = tmp_path_factory.mktemp("photos")
    (folder / "table.yaml").write_text(TABLE)
    take(folder / "photos", WOOD)
    assert list(convert(folder / "photos", folder / "out", read_table(folder / "table.yaml"), "train")) == ["wood"]
    return read_labels(Path(folder / "out"))[0]


@pytest.mark.parametrize("augment", [False, True])
def test_no_corner_of_a_boxed_card_is_learnt_but_its_class_and_box_are(photo: LabelledPicture, augment: bool) -> None:
    from workshop.training.pictures import Pictures

    for epoch in range(4):
        _, rows = Pictures([photo], seed=1, augment=augment)[epoch, 0]
        labels = rows.numpy()
        assert len(labels)
        assert set(labels[:, 0]) == {CLASSES.index("face")}
        assert np.all(labels[:, 3:5] > 0)
        assert np.all(labels[:, 5:].reshape(-1, 8, 3)[..., 2] == 0)


def test_a_picture_fitted_whole_keeps_its_boxes(photo: LabelledPicture) -> None:
    from workshop.training.pictures import INPUT, Pictures

    _, rows = Pictures([photo], seed=1, augment=False)[0, 0]
    scale = INPUT[0] / photo.size[1]
    extent = (photo.quads[:, 2] - photo.quads[:, 0]) * scale / [INPUT[1], INPUT[0]]
    assert rows.numpy()[:, 3:5] == pytest.approx(extent, abs=1e-5)


def test_a_batch_without_any_corner_pulls_at_boxes_and_classes_alone(photo: LabelledPicture) -> None:
    from workshop.training.architecture import CardModel
    from workshop.training.pictures import Pictures, batch_up

    torch.manual_seed(0)
    model = CardModel(width=0.0625)
    model.train()
    batch = batch_up([Pictures([photo], seed=1)[0, 0], Pictures([photo], seed=1)[1, 0]])
    batch["img"] = batch["img"].float() / 255
    loss, terms = model.loss(batch)
    loss.sum().backward()
    assert torch.isfinite(loss).all()
    named = {name.split("/")[-1]: float(value) for name, value in terms.items()}
    assert named["pose_loss"] == 0
    assert named["box_loss"] > 0
    assert named["cls_loss"] > 0
    corners = [p.grad for name, p in model.named_parameters() if ".cv4." in name]
    assert corners
    assert all(gradient is None or not gradient.any() for gradient in corners)
    assert all(p.grad is None or torch.isfinite(p.grad).all() for p in model.parameters())


def test_corners_of_other_cards_in_the_batch_are_still_learnt(photo: LabelledPicture) -> None:
    from dataclasses import replace

    from workshop.training.pictures import Pictures

    half = replace(photo, corners=np.array([True, False, False]))
    _, rows = Pictures([half], seed=1, augment=False)[0, 0]
    assert rows.numpy()[:, 5:].reshape(-1, 8, 3)[..., 2].any(axis=1).tolist() == [True, False, False]


def test_the_refiner_is_drawn_towards_the_edges_of_a_box_that_are_known_whichever_way_a_crop_is_turned(
    photo: LabelledPicture, monkeypatch: pytest.MonkeyPatch
) -> None:
    from dataclasses import replace

    from companion.eyes.geometry import bounding_boxes
    from workshop.training import proposals
    from workshop.training.refiner import _beside

    boxed = proposals.lesson(photo.quads, photo).boxes
    whole = ~np.isnan(boxed).any(axis=1)
    assert whole.any()
    assert np.allclose(boxed[whole], bounding_boxes(photo.quads)[whole])
    at_the_rim = replace(photo, size=(round(float(photo.quads[0, :, 0].max())), photo.size[1]))
    assert np.isnan(proposals.lesson(photo.quads[:1], at_the_rim).boxes[0, 2]), "the picture ends there, the card may not"

    taught = proposals.lesson

    def exact(quads: NDArray[np.float64], picture: LabelledPicture) -> proposals.Lesson:
        return replace(taught(quads, picture), corners=quads.copy(), boxes=bounding_boxes(quads))

    monkeypatch.setattr(proposals, "lesson", exact)
    own = {str(photo.path): photo.quads.astype(np.float32)}
    for epoch in range(4):
        _, _, corners, frame, boxes = proposals.Crops([photo], own, 0)[(epoch, 0)]
        assert _beside(corners, frame, boxes).max() < 1e-4
        points = corners.clone().requires_grad_()
        boxes[:, 1] = float("nan")
        _beside(points * 1.1, frame, boxes).sum().backward()
        assert torch.isfinite(points.grad).all()
