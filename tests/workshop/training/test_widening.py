"""Weights that change hands: to a wider network, to other classes. Needs the extra `train`."""

from __future__ import annotations

from copy import deepcopy
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from companion.assets import asset
from companion.table.errors import CannotTrain

pytest.importorskip("torch", reason="needs the extra `train`")
pytest.importorskip("ultralytics", reason="needs the extra `train`")
pytestmark = [pytest.mark.train, pytest.mark.filterwarnings("ignore")]

if TYPE_CHECKING:
    from workshop.training.architecture import CardModel

SHIPPED = asset("models/detector.pt")
OLD = ("stu_face", "stu_back", "ramino_face", "ramino_back", "stack")
NEW = ("face", "back", "stack")


def weights_of(path: Path) -> dict[str, Any]:
    import torch

    state: dict[str, Any] = torch.load(path, weights_only=True)
    return state


@pytest.fixture(scope="module")
def narrow() -> CardModel:
    """The shipped detector, in the classes of today."""
    from workshop.training.architecture import CardModel
    from workshop.training.widening import detector_weights

    state = weights_of(SHIPPED)
    model = CardModel(**state["shape"])
    model.load_state_dict(detector_weights(state, model, SHIPPED))
    return model


@pytest.mark.parametrize("width", [0.3125, 0.375])
def test_the_wider_network_answers_as_the_narrow_one(narrow: CardModel, width: float) -> None:
    import torch

    from companion.eyes.detection import CLASSES
    from workshop.training.architecture import CardModel, Exported
    from workshop.training.widening import widened

    wide = CardModel(width=width)
    wide.load_state_dict(widened(narrow, wide))
    pictures = torch.rand(2, 3, 192, 320)
    with torch.no_grad():
        before, after = (Exported(deepcopy(model).eval())(pictures) for model in (narrow, wide))
        assert torch.allclose(before[:, : len(CLASSES)], after[:, : len(CLASSES)], atol=1e-5)
        assert torch.allclose(before[:, len(CLASSES) :], after[:, len(CLASSES) :], atol=1e-3), "pixels"
        raw = [deepcopy(model).train()(pictures) for model in (narrow, wide)]
    for name in ("boxes", "scores", "kpts"):
        assert torch.allclose(raw[0][name], raw[1][name], atol=1e-3), f"{name}, while training"


def test_the_new_channels_learn_from_the_second_step_on(narrow: CardModel, tmp_path: Path) -> None:
    import torch

    from workshop.training.detector import DetectorPlan, DetectorRun

    run = DetectorRun(tmp_path, DetectorPlan(minutes=1, width=0.3125))
    run.start_from(SHIPPED)
    start = {name: value.clone() for name, value in run.network.state_dict().items()}
    pictures = torch.randint(0, 255, (2, 3, 192, 320), dtype=torch.uint8)
    points = torch.rand(2, 8, 3)
    boxes = torch.tensor([[0.5, 0.5, 0.2, 0.3], [0.4, 0.6, 0.3, 0.2]])
    batch = {"img": pictures, "batch_idx": torch.arange(2.0), "cls": torch.zeros(2, 1), "bboxes": boxes, "keypoints": points}
    for _ in range(3):
        run.step(dict(batch), 0.0)
    now = run.network.state_dict()
    old = narrow.state_dict()
    untouched = []
    for name, value in now.items():
        if not name.endswith("conv.weight") or name not in old or value.shape == old[name].shape or ".dfl" in name:
            continue
        moved = (value - start[name]).abs()
        outputs = old[name].shape[0]
        if outputs < value.shape[0] and float(moved[outputs:].max()) < 1e-6:
            untouched.append(name)
        if value.shape[1] > old[name].shape[1] and float((moved * (start[name] == 0)).max()) < 1e-6:
            untouched.append(name)
    assert not untouched


def test_a_narrower_network_and_another_checkpoint_are_refused_in_a_line(tmp_path: Path) -> None:
    from workshop.training.detector import DetectorPlan, DetectorRun
    from workshop.training.refiner import RefinerPlan, RefinerRun

    with pytest.raises(CannotTrain, match="only wider ones"):
        DetectorRun(tmp_path, DetectorPlan(minutes=1, width=0.125)).start_from(SHIPPED)
    for other in ("models/refiner.pt", "models/reader.pt"):
        with pytest.raises(CannotTrain, match=other):
            DetectorRun(tmp_path, DetectorPlan(minutes=1)).start_from(asset(other))
    for other in ("models/detector.pt", "models/reader.pt"):
        with pytest.raises(CannotTrain, match=other):
            RefinerRun(tmp_path, RefinerPlan()).start_from(asset(other))


@pytest.mark.parametrize("width", [1.4, 2.0])
def test_the_wider_refiner_answers_as_the_narrow_one(width: float, tmp_path: Path) -> None:
    import torch

    from workshop.training.architecture import Refinement
    from workshop.training.widening import widened

    narrow = Refinement(1.0)
    for layer in narrow.modules():
        if isinstance(layer, torch.nn.BatchNorm2d):
            layer.running_mean.uniform_(-1, 1)
            layer.running_var.uniform_(0.5, 2)
    wide = Refinement(width)
    wide.load_state_dict(widened(narrow, wide))
    crops = torch.rand(3, 3, 96, 64)
    with torch.no_grad():
        for way in ("eval", "train"):
            before, after = (getattr(deepcopy(network), way)()(crops) for network in (narrow, wide))
            assert torch.allclose(before, after, atol=1e-4), way


def test_a_wider_refiner_goes_on_from_a_narrow_one_and_never_the_other_way(tmp_path: Path) -> None:
    from workshop.training.checkpoint import CHECKPOINT
    from workshop.training.refiner import RefinerPlan, RefinerRun, export_refiner

    narrow, wide = (RefinerRun(tmp_path / str(width), RefinerPlan(width=width)) for width in (1.0, 1.2))
    for run in (narrow, wide):
        run.folder.mkdir()
    narrow.save()
    wide.start_from(narrow.folder / CHECKPOINT)
    wide.save()
    with pytest.raises(CannotTrain, match="only wider ones"):
        narrow.start_from(wide.folder / CHECKPOINT)
    with pytest.raises(CannotTrain, match="this run trains"):
        RefinerRun(wide.folder, RefinerPlan(width=1.4)).resume()
    for run in (narrow, wide):
        export_refiner(run.folder / CHECKPOINT, run.folder / "refiner.onnx")
        assert (run.folder / "refiner.onnx").stat().st_size > 1e6


def test_rows_of_the_same_class_are_merged_and_others_stay() -> None:
    import torch

    from workshop.training.widening import Merging, merged_rows

    weights, biases = torch.arange(10.0).reshape(5, 2), torch.arange(5.0)
    merging = Merging(0.5, -0.25, 3.0)
    made = merged_rows(weights, OLD, NEW, merging)
    assert made.tolist() == [
        ((weights[0] + weights[2]) / 2 - (weights[1] + weights[3]) / 4).tolist(),
        ((weights[1] + weights[3]) / 2 - (weights[0] + weights[2]) / 4).tolist(),
        weights[4].tolist(),
    ]
    assert merged_rows(biases, OLD, NEW, merging).tolist() == [3.0, 4.5, 4.0]
    assert merged_rows(biases, NEW[:3], NEW, merging).tolist() == [0.0, 1.0, 2.0]
    with pytest.raises(CannotTrain, match="becomes token"):
        merged_rows(biases, OLD, ("token",), merging)


def test_a_refiner_of_five_classes_becomes_one_of_three_that_points_to_the_same_corners() -> None:
    import torch

    from workshop.training.widening import of_kinds

    weights = {"out.2.weight": torch.rand(14, 160).half(), "out.2.bias": torch.rand(14), "out.0.bias": torch.rand(9)}
    for names in ({}, {"names": list(OLD)}):
        made = of_kinds({name: value.float() for name, value in weights.items()}, names, (*NEW, "nothing"), Path("refiner.pt"))
        assert made["out.2.weight"].shape == (3 + 1 + 8, 160)
        for name in ("out.2.weight", "out.2.bias"):
            assert torch.equal(made[name][2:], weights[name][4:].float()), "stack, nothing and the corners stay"
        assert torch.equal(made["out.0.bias"], weights["out.0.bias"])


def test_the_five_classes_that_shipped_become_face_back_and_stack(monkeypatch: pytest.MonkeyPatch) -> None:
    import torch

    from workshop.training import architecture, widening

    monkeypatch.setattr(architecture, "CLASSES", OLD)
    five = architecture.CardModel(width=0.0625)
    monkeypatch.setattr(architecture, "CLASSES", NEW)
    monkeypatch.setattr(widening, "CLASSES", NEW)
    three = architecture.CardModel(width=0.125)
    state = {"shape": five.shape, "average": five.state_dict()}
    three.load_state_dict(widening.detector_weights(state, three, Path("old.pt")))
    pictures = torch.rand(1, 3, 96, 160)
    with torch.no_grad():
        old, new = (model.eval()(pictures)[1]["scores"][0] for model in (five, three))
    merging = widening.DETECTOR_MERGING
    face = merging.own * (old[0] + old[2]) + merging.others * (old[1] + old[3]) + merging.added
    back = merging.own * (old[1] + old[3]) + merging.others * (old[0] + old[2]) + merging.added
    assert torch.allclose(new, torch.stack([face, back, old[4]]), atol=1e-4)


def test_exposure_by_tables_is_exposure_by_arithmetic() -> None:
    from workshop.training.pictures import toned

    image = np.random.default_rng(1).integers(0, 256, (3, 20, 30, 3), dtype=np.uint8)
    rng = np.random.default_rng(2)
    gain, added = rng.uniform(0.75, 1.25) * rng.uniform(0.93, 1.07, 3), rng.uniform(-12, 12)
    expected = np.clip(image * gain + added, 0, 255).astype(np.uint8)
    assert np.array_equal(toned(image, np.random.default_rng(2)), expected)
