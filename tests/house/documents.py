"""The pages under `docs/` as tests read them: blocks, anchors, links, tables, and answers compared with what a page says.

A block is tested by its language: ``jsonl`` and ``json`` are read, ``console`` is typed and compared, ``pycon`` is a doctest,
``http`` is sent, and the block after it is the answer. What follows the language on the fence are options: ``file=NAME`` keeps
the block for later ones, ``status=N`` is the exit or HTTP status, ``game`` marks a line of the dict `GAMES`. ``…`` stands for
what a page leaves out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
PAGES = sorted(path for path in [*ROOT.glob("*.md"), *DOCS.rglob("*.md")])

FENCE = re.compile(r"^```(\w+)([^\n]*)\n(.*?)^```$", re.M | re.S)
LINK = re.compile(r"(?<!\\)\[(?:[^\[\]]|\[[^\]]*\])*\]\(([^()\s]+)\)")


@dataclass(frozen=True)
class Block:
    """A fenced block: where it begins, its language, its options, its text."""

    page: Path
    line: int
    language: str
    options: dict[str, str]
    text: str

    @property
    def where(self) -> str:
        return f"{self.page.relative_to(ROOT)}:{self.line}"


def blocks(page: Path) -> Iterator[Block]:
    """The fenced blocks of a page, in order."""
    text = page.read_text("utf-8")
    for found in FENCE.finditer(text):
        options = dict(word.partition("=")[::2] for word in found[2].split())
        yield Block(page, text.count("\n", 0, found.start()) + 1, found[1], options, found[3])


def prose(page: Path) -> str:
    """The page without its fenced blocks and its code between backticks."""
    return re.sub(r"`[^`\n]+`", "", FENCE.sub("", page.read_text("utf-8")))


def anchors(page: Path) -> set[str]:
    """What a link to this page may name after ``#``: its own anchors, and GitHub's for its headings."""
    text = FENCE.sub("", page.read_text("utf-8"))
    own = re.findall(r'<a id="([^"]+)">', text)
    headings = re.findall(r"^#+ (.+)$", text, re.M)
    plain = (re.sub(r"<[^>]+>|[`*]|\]\([^)]*\)|\[", "", heading).strip().lower() for heading in headings)
    return {*own, *(re.sub(r"[^\w\- ]", "", heading).replace(" ", "-") for heading in plain)}


def links(page: Path) -> list[str]:
    """The targets of the page's links and pictures that are in this repository."""
    text = prose(page)
    found = LINK.findall(text) + re.findall(r' (?:src|href)="([^"]+)"', text)
    return [target for target in found if not re.match(r"[a-z]+:", target)]


def dead_links(page: Path) -> list[str]:
    """Those of them that lead nowhere."""
    dead = []
    for target in links(page):
        name, _, anchor = target.partition("#")
        to = (page.parent / name).resolve() if name else page
        if not to.exists() or (anchor and (to.suffix != ".md" or anchor not in anchors(to))):
            dead.append(target)
    return dead


def rows(page: Path, width: int) -> list[list[str]]:
    """All rows of the page's tables that have this many cells, headings included."""
    lines = [line for line in page.read_text("utf-8").splitlines() if line.startswith("| ")]
    cells = ([cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in lines)
    return [row for row in cells if len(row) == width]


def differences(said: Any, got: Any, where: str = "") -> list[str]:
    """Where an answer is not what a page says. ``"…"`` is any value, any further entries of a list, or any other keys."""
    if said == "…":
        return []
    if isinstance(said, dict) and isinstance(got, dict):
        keys = [key for key in said if key != "…"]
        found = [f"{where}.{key} is missing" for key in keys if key not in got]
        if "…" not in said:
            found += [f"{where}.{key} is not on the page" for key in got if key not in said]
        return found + [d for key in keys if key in got for d in differences(said[key], got[key], f"{where}.{key}")]
    if isinstance(said, list) and isinstance(got, list):
        more = said[-1:] == ["…"]
        head = said[:-1] if more else said
        if len(got) < len(head) or (len(got) > len(head) and not more):
            return [f"{where} has {len(got)} entries"]
        return [d for i, (a, b) in enumerate(zip(head, got, strict=False)) for d in differences(a, b, f"{where}[{i}]")]
    return [] if said == got and type(said) is type(got) else [f"{where}: the page says {said!r}, it is {got!r}"]


def pattern(text: str) -> re.Pattern[str]:
    """What matches a text of a page, ``…`` being anything."""
    return re.compile(".*?".join(re.escape(part) for part in text.split("…")), re.S)
