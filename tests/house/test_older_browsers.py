"""The pages for spectators run in browsers as old as Chromium 63: what those do not know is found in scripts and sheets."""

from __future__ import annotations

import older_browsers
import pytest
from inputs import ROOT

KNOWN = frozenset({"at", "flatMap"})


@pytest.mark.parametrize("source", [
    "const a = b?.c;", "b?.[0];", "b?.();", "const a = b ?? c;", "a ??= 1;", "a ||= 1;", "try { a(); } catch { b(); }",
    "wait(120_000);",
    "const n = 1n;", "[].findLast(holds);", "box.replaceChildren();", "text.checkVisibility();", "class A { b = 1; }",
    "class A { #b() {} }",
    "/(?<year>\\d+)/.exec(text);", 'import { a } from "./b.js";', "new ResizeObserver(look);", "structuredClone(a);",
    "Object.fromEntries(a);",
])  # fmt: skip
def test_what_is_too_new_in_a_script_is_found(source: str) -> None:
    assert [line for line, _ in older_browsers.in_script(f"const b = 0;\n{source}".encode(), KNOWN)][:1] == [2]


@pytest.mark.parametrize("source", ["a(b));", "a(b;", "const = 1;", "import { a from './b.js';", "if (a) { b();"])
def test_what_no_browser_can_read_is_found(source: str) -> None:
    assert [line for line, _ in older_browsers.unreadable(f"const b = 0;\n{source}".encode())]


@pytest.mark.parametrize("source", [
    "async () => { for (const [a, b] of Object.entries({ ...c, d })) await a(`${b}`); };",
    "try { a(); } catch (error) { b(error); }",
    "all.at(-1); all.flatMap(of);", "const told = a && a.b ? a.b : 0.5;", "/^#(\\d{6})/.exec(text);",
    "const at = (x = 1, ...more) => x ** 2;",
])  # fmt: skip
def test_what_those_browsers_know_is_let_be(source: str) -> None:
    assert list(older_browsers.in_script(source.encode(), KNOWN)) == []


@pytest.mark.parametrize("sheet", [
    "a { inset: 0; }", "a { padding-inline: 1em; }", "a :is(b, i) { color: red; }", "a:has(b) { color: red; }",
    "a { color: rgb(0 0 0 / .5); }", "a { box-shadow: 0 0 1px rgb(0 0 0 / .4); }",
    "a { background: color-mix(in srgb, red, blue); }",
    "a { background: repeating-linear-gradient(-45deg, var(--x) 0 calc(2 * var(--u)), red 3px); }", "a { gap: 1em; }",
    "a { aspect-ratio: 1; }", "a { width: max(1px, 2em); }", ":root { --u: min(1vh, 1vw); }",
    "@media (min-width: 1px) { a { font-size: clamp(1px, 1vw, 2px); } }",
    "a { gap: 1em; } @supports not (inset: 0) { b { gap: 0; } }",
    "a { width: max(1px, 2em); } @supports not (width: max(1px, 2px)) { a { height: 2em; } }",
])  # fmt: skip
def test_what_is_too_new_in_a_sheet_is_found(sheet: str) -> None:
    assert [line for line, _ in older_browsers.in_sheet(f"\n{sheet}")] == [2]


@pytest.mark.parametrize("sheet", [
    "a { gap: 1em; } @supports not (inset: 0) { a { gap: 0; } a > * + * { margin-left: 1em; } }",
    "a { aspect-ratio: 1; } @supports not (aspect-ratio: 1) { a { width: 2em; } }",
    "b, a { width: max(1px, 2em); } @supports not (width: max(1px, 2px)) { a { width: 2em; } b { width: 2em; } }",
    "a { color: rgba(0, 0, 0, .5); grid-template-columns: repeat(2, minmax(0, 1fr)); }",
    "@media print { section:has(b) { display: none; } }",
])  # fmt: skip
def test_what_has_another_way_for_them_is_let_be(sheet: str) -> None:
    assert list(older_browsers.in_sheet(sheet)) == []


def test_the_pages_of_spectators_are_looked_at() -> None:
    scripts, sheets = older_browsers.files()
    named = {path.relative_to(older_browsers.STATIC).as_posix() for path in (*scripts, *sheets)}
    assert {"tv.js", "overlay.js", "charts.js", "came-up.js", "older.js", "games/stu/tv.js", "games/stoppa/tv.js",
    "games/stoper/tv.js",
            "tv.css", "overlay.css", "charts.css", "betting.css", "season.css", "sheet.css",
            "games/stoper/tv.css"} <= named  # fmt: skip
    assert all(path.is_file() for path in (*scripts, *sheets))
    assert older_browsers.put_in_place((older_browsers.STATIC / "older.js").read_text()) >= {"at", "findLast", "replaceChildren"}


def test_make_check_looks() -> None:
    assert "tools/older_browsers.py" in (ROOT / "Makefile").read_text()
