"""Classes, methods and modules that a page names between backticks are in the code: a rename that forgets the page fails."""

from __future__ import annotations

import re
from functools import cache

import pytest
from documents import DOCS, FENCE, ROOT

NAME = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*")
CLASS = re.compile(r"^class (\w+)(?:\(([^:]*)\))?:\n((?:(?:[ )].*)?\n)*)", re.M)
FILES = frozenset({"css", "csv", "html", "js", "json", "jsonl", "md", "mo", "mp4", "po", "pt", "py", "sh", "toml", "txt", "yaml"})
"""How names of files end, which other tests look up."""
PAGES = {"architecture.md": ("companion",), "contributing.md": ("companion", "workshop", "tests"), "prompt.md": ("companion",)}
"""Pages that lead through the code, and where the classes are that they name without a module."""
OF_A_STATE = frozenset({"state.dealer", "state.hand", "state.hand.dealer", "table.names"})
"""What a game's own state has, as `contributing.md` names it."""


@cache
def sources() -> dict[str, str]:
    """Module → its text; a package is its `__init__.py`."""
    paths = (path for folder in ("companion", "workshop", "tests") for path in (ROOT / folder).rglob("*.py"))
    dotted = ((".".join(path.relative_to(ROOT).with_suffix("").parts), path) for path in paths)
    return {module.removesuffix(".__init__"): path.read_text("utf-8") for module, path in dotted}


@cache
def classes() -> dict[str, list[tuple[str, tuple[str, ...], str]]]:
    """Name → module, bases and body of each class that is called so."""
    found: dict[str, list[tuple[str, tuple[str, ...], str]]] = {}
    for module, text in sources().items():
        for name, bases, body in CLASS.findall(text):
            found.setdefault(name, []).append((module, tuple(re.findall(r"\w+(?=\[|,|$)", bases)), body))
    return found


def has_member(name: str, member: str) -> bool:
    """Whether a class of this name, or a base of one, has the member."""
    return any(
        re.search(rf"^    (?:async )?(?:def )?{member}\b", body, re.M) or any(has_member(base, member) for base in bases)
        for _, bases, body in classes().get(name, ())
    )


def is_there(name: str, rooms: tuple[str, ...] = ("companion",)) -> bool:
    """Whether a module, a name in one, or a member of a class is called so, or in one of the packages ``rooms`` a class."""
    before, _, last = name.rpartition(".")
    if not before:
        assigned = (re.search(rf"^{last}\b.* = ", text, re.M) for module, text in sources().items() if module.startswith(rooms))
        return any(module.startswith(rooms) for module, _, _ in classes().get(last, ())) or any(assigned)
    if any(f".{module}".endswith(f".{name}") for module in sources()) or has_member(before.rpartition(".")[2], last):
        return True
    found = re.compile(rf"^(?:def |class |from .* import .*|)\b{last}\b", re.M)
    return any(found.search(text) for module, text in sources().items() if f".{module}".endswith(f".{before}"))


def names_of(page: str) -> set[str]:
    """The names between backticks that have a dot, or look like a class."""
    codes = re.findall(r"`([^`\n]+)`", FENCE.sub("", (DOCS / page).read_text("utf-8")))
    names = {code for code in codes if NAME.fullmatch(code) and code.rpartition(".")[2] not in {*FILES, "ID"}}
    return {name for name in names if "." in name or re.fullmatch(r"[A-Z][a-z]\w*", name)}


@pytest.mark.parametrize("page", PAGES)
def test_what_the_page_names_is_in_the_code(page: str) -> None:
    missing = {name for name in names_of(page) - OF_A_STATE if not is_there(name, PAGES[page])}
    assert not missing, f"docs/{page} names what is not there"


def test_a_name_that_is_gone_is_seen() -> None:
    assert len(names_of("architecture.md")) > 100, "the search finds too little to be a test"
    there = ["EveningRecorder.saw", "ProcessWorker", "editing.rebase.rebased", "line.worker.base.Queries", "dashboard.front"]
    gone = [
        "EveningRecorder.heard",
        "ThreadedWorker",
        "editing.rebase.moved",
        "line.worker.base.Answers",
        "dashboard.back",
        "Together",
    ]
    assert [name for name in (*there, *gone) if not is_there(name)] == gone
