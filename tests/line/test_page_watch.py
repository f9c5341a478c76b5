"""A browser at the television that is ended when its page has crashed."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from companion.line import page_watch


def script(folder: Path, text: str) -> list[str]:
    """A program that stands for a browser."""
    program = folder / "browser"
    program.write_text(f"#!/bin/sh\n{text}\n")
    program.chmod(0o755)
    return [str(program), "http://127.0.0.1:8000/?kiosk"]


@pytest.mark.browser
def test_a_crashed_page_ends_its_browser(tmp_path: Path) -> None:
    program = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    if program is None:
        pytest.skip("needs Chromium: apt-get install chromium-headless-shell, or chromium")
    browser = [program, "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={tmp_path}"]
    assert page_watch.run([*browser, "chrome://crash"]), "it returns, as the page has crashed"


def test_what_the_browser_says_else_ends_nothing(tmp_path: Path) -> None:
    says = """printf '{"id":1,"result":{}}\\000{"method":"Target.targetCr' >&4
printf 'eated"}\\000' >&4
head -c 20 <&3 >"$0.heard"
"""
    assert page_watch.run(script(tmp_path, says))
    assert (tmp_path / "browser.heard").read_text() == '{"id": 1, "method": '


@pytest.mark.parametrize("watch", [True, False])
def test_what_is_to_be_done_once_it_is_there_is_done_while_it_runs(tmp_path: Path, watch: bool) -> None:
    says = r"printf '{}\000' >&4" if watch else ":"
    waits = f"for i in $(seq 1000); do [ -e {tmp_path}/ready ] && touch {tmp_path}/seen && exit; sleep 0.02; done"
    assert page_watch.run(script(tmp_path, f"{says}\n{waits}"), (tmp_path / "ready").touch, watch=watch) is watch
    assert (tmp_path / "seen").exists()


def test_one_that_says_nothing_is_told_from_one_that_does(tmp_path: Path) -> None:
    assert not page_watch.run(script(tmp_path, f'echo "$1" > {tmp_path}/ran; exit 1'))
    assert (tmp_path / "ran").read_text() == f"{page_watch.SWITCH}\n"
    assert not page_watch.run(script(tmp_path, f'echo "$1" > {tmp_path}/ran; exit 1'), watch=False)
    assert (tmp_path / "ran").read_text() == "http://127.0.0.1:8000/?kiosk\n"
