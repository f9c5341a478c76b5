"""What every room's tests may ask for."""

import os
from pathlib import Path

import pytest
from hypothesis import settings

# No timed assertions; in CI the same examples every time, at a desk new ones.
settings.register_profile("companion", deadline=None, derandomize=bool(os.environ.get("CI")))
settings.load_profile("companion")


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder beside the checkout with scans, photos and the rules made exact; never part of the product.

    It is `../shared`, or what COMPANION_SHARED says. Where it is missing the test is skipped, and says so.
    """
    folder = Path(os.environ.get("COMPANION_SHARED") or Path(__file__).resolve().parents[2] / "shared")
    if not folder.is_dir():
        pytest.skip(f"needs {folder} (or COMPANION_SHARED), which is not there")
    return folder
