"""Where models/, web/ and datasets/demo/ are: inside the wheel, or beside the package in a checkout."""

from pathlib import Path

from companion.table.errors import AssetMissing

_PACKAGE = Path(__file__).resolve().parent


def root() -> Path:
    """The folder that holds `models/`, `web/` and `datasets/`.

    A checkout (or an editable install of one) wins over the wheel's copy, so that an edit is seen at once.

    Raises:
        AssetMissing: there is neither; the installation is broken.
    """
    checkout = _PACKAGE.parent
    if (checkout / "pyproject.toml").is_file() and (checkout / "models").is_dir():
        return checkout
    wheel = _PACKAGE / "_assets"
    if wheel.is_dir():
        return wheel
    raise AssetMissing(
        f"companion's models and web files are neither in {wheel} nor beside {_PACKAGE}: install it again (pip install .)"
    )


def asset(relative: str) -> Path:
    """The file or folder `relative`, for example `models/detector.onnx` or `web`.

    Raises:
        AssetMissing: it is not there; the message names the whole path.
    """
    path = root() / relative
    if not path.exists():
        raise AssetMissing(f"{path} is missing, and comes with companion: install it again")
    return path
