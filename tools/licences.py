"""`make docs`: docs/licences.md, the licence of every package that constraints.txt pins, from what is installed.

A package that is not installed here in its pinned version keeps the row that it has, where that was read from the same version:
training's packages are read where they are installed. Nothing else stands in a row than what a package of that version said.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "licences.md"
HEAD = """# Licences

What the program stands on, and what is needed to test, train and measure it. Written by `make docs` from the packages' own
metadata; each brings its licence's text. The program itself: [AGPL-3.0-or-later](../LICENSE).
"""
UNREAD = "not installed where this was written"
FOR = {
    "run": "Needed to run", "dev": "Needed to test", "train": "Needed to train",
    "heic": "Needed to read an iPhone’s photos as they are, with `pillow`", "hall": "Needed by a hall",
    "bench": "Needed to measure",
}


def pins() -> dict[str, list[tuple[str, str]]]:
    """Section of constraints.txt → name and version of each package in it."""
    found: dict[str, list[tuple[str, str]]] = {}
    section = ""
    for line in (ROOT / "constraints.txt").read_text("utf-8").splitlines():
        if heading := re.fullmatch(r"# (\w+)", line):
            section = heading[1]
        elif pin := re.fullmatch(r"([\w.-]+)==(.+)", line):
            found.setdefault(section, []).append((pin[1], pin[2]))
    return found


def licence(name: str, version: str) -> str | None:
    """What the installed package says of its licence, in a few words; None where it is not installed in this version, or
    something built here stands in for it."""
    try:
        package = importlib.metadata.distribution(name)
    except importlib.metadata.PackageNotFoundError:
        return None
    if package.version.partition("+")[0] != version or "dir_info" in (package.read_text("direct_url.json") or ""):
        return None
    told = package.metadata
    if short := told.get("License-Expression"):
        return str(short)
    classified = [one.rpartition(" :: ")[2] for one in told.get_all("Classifier") or () if one.startswith("License ::")]
    written = str(told.get("License") or "").strip().partition("\n")[0]
    plain = [one for one in classified if one != "OSI Approved"]
    return ", ".join(plain) or (written if 0 < len(written) < 60 else "see its licence file")


def rows(page: str) -> dict[str, tuple[str, str]]:
    """The page's rows: package → version and licence."""
    return {name: (version, said) for name, version, said in re.findall(r"^\| `([^`]+)` \| (\S+) \| (.+) \|$", page, re.M)}


def written(before: str) -> str:
    """The page as it is to be; ``before``: as it is."""
    known = rows(before)
    text = [HEAD]
    for section, packages in pins().items():
        text += [f"## {FOR[section]}\n", "| package | version | licence |", "|---|---|---|"]
        for name, version in packages:
            before_version, said = known.get(name, ("", UNREAD))
            said = licence(name, version) or (said if before_version == version else UNREAD)
            text.append(f"| `{name}` | {version} | {said} |")
        text.append("")
    return "\n".join(text)


if __name__ == "__main__":
    argparse.ArgumentParser(description=__doc__).parse_args()
    PAGE.write_text(written(PAGE.read_text("utf-8") if PAGE.is_file() else ""), "utf-8")
