"""Whether the program was updated while it runs: an update replaces the installed files, and takes effect only when the program
is started again. The version does not say so, as builds between two releases share it; what the files hold does."""

from __future__ import annotations

import functools
import hashlib
import importlib
from contextlib import suppress
from pathlib import Path

import companion

_OTHERS = ("cli", "hall", "__main__")
"""What pages of a table's own evening never need."""
_PACKAGE = Path(companion.__file__).resolve().parent


def stamp(package: Path = _PACKAGE) -> str:
    """What is installed now in this folder of the package, as a digest: of the hashes that the installer wrote down or, in a
    checkout, of the code itself. "" where no package is, as in the middle of an update."""
    digest = hashlib.sha256()
    if not (package / "__init__.py").is_file():
        return ""
    if lines := _recorded(package):
        digest.update("\n".join(lines).encode())
    else:
        for path in sorted(package.rglob("*.py")):
            with suppress(OSError):  # gone meanwhile
                digest.update(f"{path.relative_to(package)}\0".encode() + path.read_bytes())
    return digest.hexdigest()


def modules(package: Path = _PACKAGE) -> list[str]:
    """The names of this package's modules that the pages of an evening may need."""
    found = [path.relative_to(package).with_suffix("").parts for path in sorted(package.rglob("*.py"))]
    return [".".join((package.name, *parts)).removesuffix(".__init__") for parts in found if parts[0] not in _OTHERS]


def import_all() -> None:
    """Import all of `modules`: what is imported when a page is first asked for would be the update's, and would not fit what
    runs."""
    for name in modules():
        importlib.import_module(name)


def _recorded(package: Path) -> list[str]:
    """The lines of the installer's RECORD about the package's own files; none where its code is not among them."""
    lines: list[str] = []
    for record in package.parent.glob(f"{package.name}-*.dist-info/RECORD"):
        with suppress(OSError, UnicodeDecodeError):
            lines += [line for line in record.read_text("utf-8").splitlines() if line.startswith(f"{package.name}/")]
    return sorted(lines) if any(line.startswith(f"{package.name}/__init__.py,") for line in lines) else []


@functools.cache
def at_start() -> str:
    """What was installed when this was first asked, which is to be where the program begins."""
    return stamp()


def is_outdated() -> bool:
    """Whether something else is installed by now than at the start."""
    now = stamp()
    return bool(now) and now != at_start()
