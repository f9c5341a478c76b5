"""Where the program finds what it brings."""

from pathlib import Path

import pytest

from companion import assets
from companion.table.errors import AssetMissing


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty installation: PACKAGE/companion, whose files a test puts where it likes."""
    package = tmp_path / "somewhere" / "companion"
    package.mkdir(parents=True)
    monkeypatch.setattr(assets, "_PACKAGE", package)
    return package


def test_a_checkout_has_them_beside_the_package(package: Path) -> None:
    (package.parent / "models").mkdir()
    (package.parent / "pyproject.toml").touch()
    assert assets.asset("models") == package.parent / "models"


def test_a_wheel_has_them_inside(package: Path) -> None:
    (package / "_assets" / "web").mkdir(parents=True)
    assert assets.asset("web") == package / "_assets" / "web"


def test_a_stranger_called_models_beside_an_installed_wheel_is_not_ours(package: Path) -> None:
    (package / "_assets" / "models").mkdir(parents=True)
    (package.parent / "models").mkdir()
    assert assets.asset("models") == package / "_assets" / "models"


def test_a_checkout_wins_over_a_copy_inside(package: Path) -> None:
    (package / "_assets" / "web").mkdir(parents=True)
    for name in ("models", "web"):
        (package.parent / name).mkdir()
    (package.parent / "pyproject.toml").touch()
    assert assets.asset("web") == package.parent / "web"


def test_a_broken_installation_says_what_to_do(package: Path) -> None:
    with pytest.raises(AssetMissing, match="install it again"):
        assets.root()


def test_a_missing_file_is_named_whole(package: Path) -> None:
    (package / "_assets").mkdir()
    with pytest.raises(AssetMissing, match=r"_assets/models/detector\.onnx is missing"):
        assets.asset("models/detector.onnx")
