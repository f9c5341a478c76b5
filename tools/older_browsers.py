"""Holds what spectators see to browsers as old as Chromium 63: televisions are not kept up to date.

    python tools/older_browsers.py     says what the pages' scripts and sheets use that those do not know; part of `make check`

Every script: what no browser can read. Scripts of spectators' pages: no syntax newer than that, nor methods, but for those
that `web/static/older.js` puts in their place. Sheets: what such a browser does not know and cannot do without stands in a
block of the same sheet, too, for the same selector: `gap` in `@supports not (inset: 0)`, `aspect-ratio` in `@supports not
(aspect-ratio: 1)`, and `min()`, `max()`, `clamp()` in `@supports not (width: max(1px, 2px))`.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import tinycss2
import tree_sitter_javascript
from inputs import ROOT
from tree_sitter import Language, Node, Parser

STATIC = ROOT / "web" / "static"
OURS = ("base", "tv", "overlay", "charts", "sheet", "accounts", "season/*", "games/*/charts", "hall/screen", "hall/draw")
"""The templates of spectators' pages: their scripts and sheets are looked at, and those of each game's TV."""

SYNTAX = {
    "optional_chain": "?.", "field_definition": "a field of a class", "private_property_identifier": "a private name",
    "class_static_block": "a static block", "import_statement": "a module", "export_statement": "a module",
}  # fmt: skip
"""Kinds of node that Chromium 63 does not parse, or does not load as our pages load scripts."""
OPERATORS = ("??", "??=", "||=", "&&=")
METHODS = frozenset((
    "at", "checkVisibility", "flat", "flatMap", "findLast", "findLastIndex", "replaceChildren", "replaceAll", "matchAll",
    "fromEntries", "hasOwn", "toggleAttribute", "allSettled", "any", "trimStart", "trimEnd", "toSorted", "toReversed",
    "toSpliced", "requestSubmit", "randomUUID", "getAnimations", "groupBy",
    "structuredClone", "queueMicrotask", "showPopover", "withResolvers", "description",
))  # fmt: skip
NAMES = frozenset((
    "AbortController", "AbortSignal", "ResizeObserver", "BigInt", "globalThis", "structuredClone", "queueMicrotask", "WeakRef",
    "CSSStyleSheet", "Intl.ListFormat", "OffscreenCanvas",
))  # fmt: skip

GAPS, RATIO, SMALLER = "@supports not (inset: 0)", "@supports not (aspect-ratio: 1)", "@supports not (width: max(1px, 2px))"
IN_BLOCK = {"gap": GAPS, "row-gap": GAPS, "column-gap": GAPS, "aspect-ratio": RATIO}
INSTEAD = {
    "inset": "top, right, bottom and left",
    "padding-inline": "padding-left and padding-right", "padding-block": "padding-top and padding-bottom",
    "margin-inline": "margin-left and margin-right", "margin-block": "margin-top and margin-bottom", "translate": "transform",
    "scale": "transform", "rotate": "transform", "backdrop-filter": "background",
}  # fmt: skip
SELECTORS = {"is": "one selector each", "where": "one selector each", "has": "a class that a script sets"}
FUNCTIONS = {"color-mix": "a colour", "light-dark": "a colour for each theme", "env": "a length"}


def files() -> tuple[list[Path], list[Path]]:
    """Scripts and sheets of the pages for spectators."""
    templates = [path for one in OURS for path in sorted((ROOT / "web" / "templates").glob(f"{one}.html"))]
    asked = "\n".join(path.read_text("utf-8") for path in templates)
    named = {STATIC / name for name in re.findall(r"filename='([\w./-]+)'", asked)} | set(STATIC.glob("games/*/tv.*"))
    for sheet in [path for path in named if path.suffix == ".css"]:
        named |= {(sheet.parent / other).resolve() for other in re.findall(r'@import url\("([^"]+)"\)', sheet.read_text("utf-8"))}
    return sorted(path for path in named if path.suffix == ".js"), sorted(path for path in named if path.suffix == ".css")


def unreadable(source: bytes) -> Iterator[tuple[int, str]]:
    """Line and text of what no browser can read in a script: there the whole page does not come up."""
    for node in _nodes(source):
        if node.type == "ERROR" or node.is_missing:
            yield node.start_point.row + 1, (node.text or node.type.encode()).decode("utf-8")[:40]


def _nodes(source: bytes) -> Iterator[Node]:
    nodes = [Parser(Language(tree_sitter_javascript.language())).parse(source).root_node]
    while nodes:
        yield (node := nodes.pop())
        nodes.extend(node.children)


def in_script(source: bytes, known: frozenset[str]) -> Iterator[tuple[int, str]]:
    """Line and what is wrong there. ``known``: methods that are put in place of those that are missing."""
    for node in _nodes(source):
        if said := _wrong(node, known):
            yield node.start_point.row + 1, said


def _wrong(node: Node, known: frozenset[str]) -> str:
    text = (node.text or b"").decode("utf-8")
    parent = node.parent.type if node.parent else ""
    if node.type in SYNTAX:
        return SYNTAX[node.type]
    if node.type in OPERATORS:
        return node.type
    if node.type == "catch_clause" and node.child_by_field_name("parameter") is None:
        return "catch without a name"
    if node.type == "number" and ("_" in text or text.endswith("n")):
        return f"{text}: a number with _ or n"
    if node.type == "regex" and re.search(r"\(\?<\w|/\w*[dv]\w*$", text):
        return f"{text}: groups with names, or flags d and v"
    if node.type == "property_identifier" and parent == "member_expression" and text in METHODS - known:
        return f".{text}(), which older.js does not have"
    if node.type == "identifier" and text in NAMES:
        return text
    return ""


def put_in_place(source: str) -> frozenset[str]:
    """The methods that `older.js` defines."""
    return frozenset(re.findall(r"^    (\w+)\(.*\) \{", source, re.MULTILINE))


def rules(sheet: str) -> Iterator[tuple[str, int, str, list[tuple[str, int, str]]]]:
    """For each rule: the `@supports not` that it stands in, its line, a selector, and declarations as name, line and value."""

    def inside(found: list[tinycss2.ast.Node], block: str) -> Iterator[tuple[str, int, str, list[tuple[str, int, str]]]]:
        for rule in found:
            if rule.type == "at-rule" and rule.content is not None and rule.lower_at_keyword in ("media", "supports"):
                prelude = f"@{rule.lower_at_keyword} {tinycss2.serialize(rule.prelude).strip()}"
                if prelude == "@media print":
                    continue  # no television prints
                within = prelude if prelude.startswith("@supports") else block
                yield from inside(tinycss2.parse_rule_list(rule.content, skip_comments=True, skip_whitespace=True), within)
            elif rule.type == "qualified-rule":
                parts = tinycss2.parse_blocks_contents(rule.content, skip_comments=True, skip_whitespace=True)
                own = [one for one in parts if one.type == "declaration"]
                told = [(one.lower_name, one.source_line, tinycss2.serialize(one.value)) for one in own]
                for selector in re.split(r",(?![^(]*\))", tinycss2.serialize(rule.prelude)):
                    yield block, rule.source_line, " ".join(selector.split()), told

    yield from inside(tinycss2.parse_stylesheet(sheet, skip_comments=True, skip_whitespace=True), "")


def in_sheet(sheet: str) -> Iterator[tuple[int, str]]:
    """Line and what is wrong there."""
    found = list(rules(sheet))
    held = {(block, selector, GAPS if name.endswith("gap") else name)
            for block, _, selector, told in found if block for name, _, _ in told}  # fmt: skip
    ratios = {selector for block, _, selector, _ in found if block == RATIO}
    for block, line, selector, told in found:
        if block:
            continue
        for kind, instead in SELECTORS.items():
            if f":{kind}(" in selector:
                yield line, f":{kind}() in {selector}: write {instead}"
        for name, at, value in told:
            if name in INSTEAD:
                yield at, f"{name}: write {INSTEAD[name]}"
            for function, instead in FUNCTIONS.items():
                if f"{function}(" in value:
                    yield at, f"{function}(): write {instead}"
            if re.search(r"\b(rgb|hsl)a?\([^,()]* [^,()]*\)", value):
                yield at, f"{value.strip()}: write commas"
            if re.search(r"gradient\(", value) and re.search(r"(\)|#[0-9a-f]+)\s+[\d.]+[a-z%]*\s+(calc|[\d.])", value):
                yield at, "a colour with two places in a gradient: write it twice"
            if name in ("gap", "row-gap", "column-gap") and (GAPS, selector, GAPS) not in held:
                yield at, f"{name} of {selector}: write {name} for it in {GAPS}, too, and margins"
            if name == "aspect-ratio" and value.strip() != "auto" and selector not in ratios:
                yield at, f"aspect-ratio of {selector}: write its width in {RATIO}, too"
            if re.search(r"(?<![\w-])(min|max|clamp)\(", value) and (SMALLER, selector, name) not in held:
                yield at, f"{name} of {selector}: write one without min(), max() and clamp() in {SMALLER}, too"


def main() -> None:
    argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter).parse_args()
    broken = [(path, *one) for path in sorted(STATIC.rglob("*.js")) for one in unreadable(path.read_bytes())]
    for path, line, said in broken:
        print(f"{path.relative_to(ROOT)}:{line}: no browser can read this: {said}")
    if broken:
        sys.exit(f"{len(broken)} mistakes of syntax: the pages with these scripts do not come up")
    scripts, sheets = files()
    known = put_in_place((STATIC / "older.js").read_text("utf-8"))
    wrong = [(path, *one) for path in scripts if path.name != "older.js" for one in in_script(path.read_bytes(), known)]
    wrong += [(path, *one) for path in scripts if path.name == "older.js" for one in in_script(path.read_bytes(), METHODS)]
    wrong += [(path, *one) for path in sheets for one in in_sheet(path.read_text("utf-8"))]
    for path, line, said in sorted(wrong):
        print(f"{path.relative_to(ROOT)}:{line}: Chromium 63 does not know {said}")
    if wrong:
        sys.exit(f"{len(wrong)} things that old televisions do not know; the oldest browsers stand in docs/settings.md")


if __name__ == "__main__":
    main()
