"""Limits NumPy's linear algebra and OpenCV to one thread each, whether they are loaded yet or not.

Both solve small problems here, thousands a second. More threads would only wait for one another, and their waiting loops would
take up to two thirds of the eyes' processor time. Both read the environment once, when they are loaded; a library that is loaded
already is told by a call.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import ctypes

SETTINGS = {"OPENBLAS_NUM_THREADS": "numpy", "OPENCV_FOR_THREADS_NUM": "cv2"}
"""The environment's variable for the number of threads, and the module that reads it. One that is set already stays as it is."""
SETTERS = ("openblas_set_num_threads", "openblas_set_num_threads64_", "scipy_openblas_set_num_threads",
           "scipy_openblas_set_num_threads64_")  # fmt: skip
"""What OpenBLAS calls the function that sets it, as it was built: wheels give it names of their own."""
LOADED = Path("/proc/self/maps")


def to_one_thread() -> None:
    """Set both to one thread, through the environment and, where they are loaded already, by a call; for OpenBLAS only where the
    system says what is loaded (Linux)."""
    own = [name for name in SETTINGS if name not in os.environ]
    os.environ.update(dict.fromkeys(own, "1"))
    if "OPENBLAS_NUM_THREADS" in own and (sys.modules.keys() & SETTINGS.values()):
        for library in _loaded("openblas"):
            for setter in SETTERS:
                if (set_threads := getattr(library, setter, None)) is not None:
                    set_threads(1)
    if "OPENCV_FOR_THREADS_NUM" in own and (cv2 := sys.modules.get("cv2")) is not None:
        cv2.setNumThreads(1)


def _loaded(part: str) -> list[ctypes.CDLL]:
    """The libraries that this process has loaded with ``part`` in their name (Linux); none elsewhere."""
    import ctypes

    try:
        lines = LOADED.read_text().splitlines()
    except OSError:  # no Linux
        return []
    paths = {line[line.index("/") :] for line in lines if "/" in line and part in line.rpartition("/")[2]}
    return [ctypes.CDLL(path) for path in sorted(paths) if Path(path).exists()]
