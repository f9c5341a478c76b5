"""Whether another program is installed than runs: what the installer wrote down, and a checkout's code."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from companion.line.installed import stamp


@pytest.fixture
def package(tmp_path: Path) -> Path:
    folder = tmp_path / "site-packages" / "companion"
    (folder / "line").mkdir(parents=True)
    for path in (folder / "__init__.py", folder / "line" / "__init__.py"):
        path.write_text("")
    return folder


def record(package: Path, *lines: str) -> None:
    info = package.parent / "companion-0.1.0.dist-info"
    info.mkdir(exist_ok=True)
    (info / "RECORD").write_text("\n".join(lines))


INSTALLED = ("companion/__init__.py,sha256=a,1", "companion/_assets/web/tv.html,sha256=b,1", "direct_url.json,sha256=c,1")


@pytest.mark.parametrize(
    ("change", "another"),
    [
        (lambda package: record(package, *INSTALLED), False),
        (lambda package: record(package, *INSTALLED[:2], "direct_url.json,sha256=d,1"), False),
        (lambda package: record(package, *reversed(INSTALLED)), False),
        (lambda package: record(package, INSTALLED[0], "companion/_assets/web/tv.html,sha256=d,1"), True),
        (lambda package: record(package, "companion/__init__.py,sha256=d,1", *INSTALLED[1:]), True),
    ],
)
def test_another_build_of_the_same_version_is_another_program(
    package: Path, change: Callable[[Path], None], another: bool
) -> None:
    record(package, *INSTALLED)
    before = stamp(package)
    change(package)
    assert (stamp(package) != before) is another


def test_in_a_checkout_the_code_says_so(package: Path) -> None:
    record(package, "_companion.pth,sha256=a,1", "companion/_assets/LICENSE,sha256=b,1")
    before = stamp(package)
    (package / "line" / "__init__.py").touch()
    assert stamp(package) == before
    (package / "line" / "__init__.py").write_text("1\n")
    assert stamp(package) != before


def test_where_no_package_is_nothing_is_said(tmp_path: Path) -> None:
    assert stamp(tmp_path / "companion") == ""
