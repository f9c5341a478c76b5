"""Cards of which only an upright box is known: class and box are learnt from them, corners are not. Needs the extra `train`."""

from pathlib import Path

import numpy as np
import pytest
from photographed import TABLE, WOOD, take

from companion.eyes.detector import CLASSES
from companion.workshop.dataset.photos import convert, read_table
from companion.workshop.evaluation.labels import LabelledPicture, read_labels

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
    from companion.workshop.training.pictures import Pictures

    for epoch in range(4):
        _, rows = Pictures([photo], seed=1, augment=augment)[epoch, 0]
        labels = rows.numpy()
        assert len(labels)
        assert set(labels[:, 0]) == {CLASSES.index("ramino_face")}
        assert np.all(labels[:, 3:5] > 0)
        assert np.all(labels[:, 5:].reshape(-1, 8, 3)[..., 2] == 0)


def test_a_picture_fitted_whole_keeps_its_boxes(photo: LabelledPicture) -> None:
    from companion.workshop.training.pictures import INPUT, Pictures

    _, rows = Pictures([photo], seed=1, augment=False)[0, 0]
    scale = INPUT[0] / photo.size[1]
    extent = (photo.quads[:, 2] - photo.quads[:, 0]) * scale / [INPUT[1], INPUT[0]]
    assert rows.numpy()[:, 3:5] == pytest.approx(extent, abs=1e-5)


def test_a_batch_without_any_corner_pulls_at_boxes_and_classes_alone(photo: LabelledPicture) -> None:
    from companion.workshop.training.architecture import CardModel
    from companion.workshop.training.pictures import Pictures, batch_up

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

    from companion.workshop.training.pictures import Pictures

    half = replace(photo, corners=np.array([True, False, False]))
    _, rows = Pictures([half], seed=1, augment=False)[0, 0]
    assert rows.numpy()[:, 5:].reshape(-1, 8, 3)[..., 2].any(axis=1).tolist() == [True, False, False]
