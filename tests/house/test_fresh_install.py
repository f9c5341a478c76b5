"""From nothing to a ruling, as a stranger gets there: the wheel in a new environment of each Python that the machine has, with
pipx's and uv's own commands where they are there."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from fresh import PYTHONS, ROOT, built, demo, installed, megabytes, ruled, stranger, unless_offline

pytestmark = pytest.mark.wheel

PAGE = ROOT / "docs" / "install.md"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built(tmp_path_factory.mktemp("wheel"))


def told(what: str) -> float:
    """The megabytes that the page tells of ``what``."""
    found = re.search(rf"^\| {re.escape(what)} \| (\d+(?:\.\d+)?) MB \|$", PAGE.read_text("utf-8"), re.M)
    assert found, f"{PAGE.name} has no row for {what}"
    return float(found[1])


@pytest.mark.parametrize("version", PYTHONS)
def test_the_wheel_comes_to_a_ruling_in_a_new_environment(wheel: Path, version: str, tmp_path: Path) -> None:
    own = installed(wheel, version, tmp_path)
    packages = own.parent / "lib" / f"python{version}" / "site-packages"
    names = {path.name for path in packages.iterdir()}
    assert not names & {"workshop", "torch", "scipy", "matplotlib"}
    assert not list(packages.rglob("*.pt"))
    size = sum(megabytes(path) for path in packages.iterdir() if path.name.split("-")[0] not in ("pip", "setuptools"))
    assert size == pytest.approx(told("installed"), rel=0.08), f"{PAGE.name} tells another size"
    with demo(own / "companion", stranger(tmp_path, own), tmp_path) as url:
        assert ruled(url)["payments"]
    assert not [path for path in (tmp_path / "home").rglob("*") if path.is_file() and "pip" not in path.parts]


def test_the_page_tells_how_large_the_wheel_is(wheel: Path) -> None:
    assert wheel.stat().st_size / 1e6 == pytest.approx(told("the wheel"), rel=0.05)


@pytest.mark.parametrize(
    ("installer", "command"), [("uv", ("tool", "install")), ("pipx", ("install",))], ids=["uv tool install", "pipx install"]
)
def test_what_the_page_says_to_type_installs_the_command_and_takes_it_away(
    wheel: Path, installer: str, command: tuple[str, ...], tmp_path: Path
) -> None:
    if (program := shutil.which(installer)) is None:
        pytest.skip(f"this machine has no {installer}")
    home = tmp_path / "home"
    environment = stranger(tmp_path, home / ".local" / "bin", *map(Path, ("/usr/local/bin", "/usr/bin", "/bin")))
    unless_offline([program, *command, str(wheel)], environment, tmp_path)
    companion = home / ".local" / "bin" / "companion"
    with demo(companion, environment, tmp_path) as url:
        assert ruled(url)["payments"]
    uninstall = [program, *command[:-1], "uninstall", "companion"]
    unless_offline(uninstall, environment, tmp_path)
    assert not companion.is_symlink()
