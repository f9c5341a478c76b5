"""In `make test` a property is tried on the same examples each time, whatever is tested beside it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from inputs import ROOT

pytestmark = pytest.mark.house

TRIED = """
from hypothesis import given, settings, strategies as st
tried = []

@settings(max_examples=200)
@given(st.integers(0, 10**6), st.text(max_size=9))
def test_property(number, text): tried.append((number, text))

def test_told():
    assert tried
    open("tried", "w").write(repr(tried))
"""
CONSTANTS = "{" + ", ".join(f"{number}: 'word{number}'" for number in range(1000, 1200)) + "}\n"


def tried(folder: Path, *files: str) -> str:
    (folder / "conftest.py").write_text('pytest_plugins = ["exploring"]\n')
    (folder / "test_tried.py").write_text(TRIED)
    (folder / "module.py").write_text(f"WORDS = {CONSTANTS}")
    (folder / "test_beside.py").write_text("import module\ndef test_beside(): assert module.WORDS\n")
    environment = {"PYTHONPATH": f"{ROOT / 'tests'}:{folder}", "PATH": "/usr/bin:/bin", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "_hypothesis_pytestplugin", *files]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, env=environment)
    assert done.returncode == 0, done.stdout + done.stderr
    return (folder / "tried").read_text()


def test_the_examples_are_the_same_alone_and_beside_a_module_with_constants_of_its_own(tmp_path: Path) -> None:
    assert tried(tmp_path, "test_tried.py") == tried(tmp_path, "test_beside.py", "test_tried.py")
