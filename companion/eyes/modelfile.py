"""Opens model files with ONNX Runtime on the processor, and reads companion's own metadata in them."""

from __future__ import annotations

import hashlib
import json
import threading
from pathlib import Path
from typing import Any
from weakref import WeakValueDictionary

import onnxruntime

from companion.table.errors import BadModel

_OPEN: WeakValueDictionary[tuple[str, int], onnxruntime.InferenceSession] = WeakValueDictionary()
_OPENING = threading.Lock()


def open_session(model: Path, threads: int) -> onnxruntime.InferenceSession:
    """An ONNX Runtime session on the processor: the one that is open where this process has opened the same model before, since
    several threads may run a session at once, and a further camera then needs 100 MB less. Raises `BadModel`."""
    try:
        content = model.read_bytes()
    except OSError as error:
        raise BadModel(f"{model}: {error.strerror}: the models come with companion; train them with companion train") from error
    key = hashlib.sha256(content).hexdigest(), threads
    with _OPENING:
        if (session := _OPEN.get(key)) is None:
            session = _OPEN[key] = _opened(model, content, threads)
    return session


def _opened(model: Path, content: bytes, threads: int) -> onnxruntime.InferenceSession:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    # Between two crops the threads would spin: that was measured to double the processor time, which video and rules need.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    # A plan of the memory is kept for each size of a picture, and crops have many: 60 MB of a camera's process, no time saved.
    options.enable_mem_pattern = False
    options.log_severity_level = 3
    try:
        return onnxruntime.InferenceSession(content, options, providers=["CPUExecutionProvider"])
    except Exception as error:  # onnxruntime's errors share no other base class
        raise BadModel(f"{model}: not an ONNX model that can be loaded: {str(error).splitlines()[0]}") from error


def metadata(session: onnxruntime.InferenceSession) -> dict[str, dict[str, Any]]:
    """Companion's own metadata in the model file."""
    entry = session.get_modelmeta().custom_metadata_map.get("companion")
    return dict(json.loads(entry)) if entry else {}
