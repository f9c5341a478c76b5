"""Models are opened once for a process, however many cameras it follows."""

from __future__ import annotations

import gc
import shutil
import weakref
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np

from companion.assets import asset
from companion.eyes.modelfile import open_session

MODEL = asset("models/reader.onnx")


def test_the_same_model_is_open_once(tmp_path: Path) -> None:
    copy = Path(shutil.copy(MODEL, tmp_path / "copy.onnx"))
    first = open_session(MODEL, 1)
    assert open_session(copy, 1) is first, "the same network in another file"
    assert open_session(MODEL, 2) is not first, "as many threads as were asked for"
    assert open_session(asset("models/refiner.onnx"), 1) is not first


def test_a_model_that_nobody_uses_is_closed() -> None:
    opened = weakref.ref(open_session(MODEL, 3))
    gc.collect()
    assert opened() is None


def test_cameras_that_share_a_session_get_each_its_own_answer() -> None:
    session = open_session(MODEL, 1)
    entry = session.get_inputs()[0]
    rows = np.random.default_rng(7).random((8, 1, *entry.shape[1:]), np.float32)
    alone = [session.run(None, {entry.name: row})[0] for row in rows]
    with ThreadPoolExecutor(4) as several:
        together = list(several.map(lambda row: session.run(None, {entry.name: row})[0], [*rows] * 4))
    for number, answer in enumerate(together):
        assert np.array_equal(answer, alone[number % len(alone)])
