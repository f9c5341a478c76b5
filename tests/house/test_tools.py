"""A tool does nothing that it was not asked to: it says how it is called, and refuses what it does not know."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.house

FOLDER = Path(__file__).parents[2] / "tools"
TOOLS = sorted(path for path in FOLDER.glob("*.py") if '__name__ == "__main__"' in path.read_text("utf-8"))


@pytest.mark.parametrize("tool", TOOLS, ids=lambda path: path.stem)
def test_a_tool_refuses_an_option_that_it_does_not_know(tool: Path) -> None:
    """Nothing is downloaded or written for somebody who only wanted to know what it does."""
    refused = subprocess.run([sys.executable, str(tool), "--no-such-option"], capture_output=True, text=True, check=False)
    assert (refused.returncode, refused.stdout) == (2, "")
    assert re.search("usage: |--no-such-option", refused.stderr)
