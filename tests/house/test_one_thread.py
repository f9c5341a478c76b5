"""However a program begins, NumPy's linear algebra and OpenCV have one thread."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from companion import one_thread

SAID = """
import ctypes
from companion import one_thread
import cv2, numpy
said = [cv2.getNumThreads()]
for library in one_thread._loaded("openblas"):
    names = (name.replace("set", "get") for name in one_thread.SETTERS)
    said += [getattr(library, name)() for name in names if hasattr(library, name)]
print(*said)
"""
"""Says how many threads OpenCV has, then each OpenBLAS that is loaded."""


def said(first: str, **settings: str) -> list[int]:
    """What a program that imports these modules first says."""
    plain = {name: value for name, value in os.environ.items() if name not in one_thread.SETTINGS}
    program = subprocess.run([sys.executable, "-c", first + SAID], env=plain | settings, capture_output=True, text=True,
                             check=True)
    return [int(one) for one in program.stdout.split()]


@pytest.mark.parametrize("first", ["import companion", "import cv2", "import numpy", "import cv2, numpy, companion"])
@pytest.mark.skipif(not Path("/proc/self/maps").exists(), reason="only Linux says what is loaded")
def test_whatever_is_imported_first_there_is_one_thread(first: str) -> None:
    found = said(first)
    assert len(found) > 1, "no OpenBLAS was found: it has another name now"
    assert set(found) == {1}


@pytest.mark.skipif((os.cpu_count() or 1) < 2, reason="no second thread to be had")
def test_who_asks_for_more_threads_gets_them() -> None:
    threads, *_ = said("import cv2", OPENCV_FOR_THREADS_NUM="2")
    assert threads == 2
