"""`companion kiosk`: the TV's page over the whole screen of this machine, for as long as the machine is on."""

from __future__ import annotations

import fcntl
import os
import re
import shutil
import time
from contextlib import suppress
from pathlib import Path
from urllib.parse import urlsplit

import click

from companion.cli.stopping import until_stopped
from companion.line.autostart import RUNNING, kiosk_folder
from companion.table.errors import CompanionError

SWITCHES = (
    "--no-first-run", "--no-default-browser-check", "--noerrdialogs", "--disable-session-crashed-bubble",
    "--hide-crash-restore-bubble", "--disable-infobars", "--disable-features=Translate", "--password-store=basic",
    "--autoplay-policy=no-user-gesture-required", "--overscroll-history-navigation=0", "--disable-pinch", "--force-dark-mode",
)  # fmt: skip
"""The browser's switches: no question and no other window before the page, also after a power cut; sounds and voice without a
tap; no white between window and page, whose own colours do not ask for the browser's."""
DARK = {"GTK_THEME": "Adwaita:dark"}
"""The environment in which Chromium's own window, which stands there before its first page, is dark: else it is white."""
CRASHES = "BREAKPAD_DUMP_LOCATION"
"""Where Chromium keeps what it notes of crashes: else in the user's own folder of Chromium, whatever its profile is."""
PAUSES_SECONDS = (1.0, 2.0, 5.0, 10.0)
"""Pauses before a browser that ended is started again, the last one from then on."""
STEADY_SECONDS = 60.0
"""Seconds after which a browser counts as running well: the next pause is the first one again."""
_LOCKS = ("SingletonLock", "SingletonCookie", "SingletonSocket")


@click.command("kiosk")
@click.option("--url", default="http://127.0.0.1:8000", show_default=True, metavar="ADDRESS",
              help="Where the evening's program answers; on another machine, too.")
@click.option("--browser", metavar="PROGRAM", help="The browser, one of Chromium's family. [default: the one that is installed]")
def command(url: str, browser: str | None) -> None:
    """Show the TV's page over the whole screen, without pointer and screen saver, until Ctrl-C.

    It waits for the evening's program, and starts a browser that ended again. With companion autostart --kiosk it comes back
    after a power cut.
    """
    from companion.line.page_watch import installed_browser

    program = browser or installed_browser()
    if program is None or shutil.which(program) is None:
        name = browser or "Chromium"
        raise CompanionError(f"{name} is not installed: sudo apt install chromium, or name another one with --browser")
    profile = kiosk_folder()
    profile.mkdir(parents=True, exist_ok=True)
    with (profile / RUNNING).open("w") as lock, until_stopped():
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise CompanionError("the TV's page is shown on this machine already: end that companion kiosk first") from None
        _show(program, url.rstrip("/"), profile)


def line(program: str, url: str, profile: Path) -> list[str]:
    """The command line that starts the browser."""
    return [program, *SWITCHES, *may_stay_on(url), *whole_screen(os.environ), f"--user-data-dir={profile}", "--kiosk",
            f"{url}/?kiosk"]  # fmt: skip


def may_stay_on(url: str) -> list[str]:
    """The switch that lets a page of another machine keep the screen on: browsers let one that came without encryption do that
    from this very machine alone."""
    there = urlsplit(url)
    near = there.hostname == "localhost" or (there.hostname or "").startswith("127.")
    return [] if near or there.scheme != "http" else [f"--unsafely-treat-insecure-origin-as-secure=http://{there.netloc}"]


def whole_screen(environment: os._Environ[str]) -> list[str]:
    """The size of an X screen as switches of the browser: without a window manager the window would not fill the screen."""
    import subprocess

    if not environment.get("DISPLAY") or not shutil.which("xrandr"):
        return []
    told = subprocess.run(["xrandr", "--current"], check=False, capture_output=True, text=True)  # nosec B607 # the desktop's own
    size = re.search(r"\bcurrent (\d+) x (\d+)", told.stdout)
    return ["--window-position=0,0", f"--window-size={size[1]},{size[2]}"] if size else []


def stay_on(environment: os._Environ[str]) -> None:
    """Keep an X screen from going dark. Under Wayland the page itself does that.

    A server without a desktop begins afresh when its last program has left, so this counts only once the browser is there.
    """
    import subprocess

    if environment.get("DISPLAY") and shutil.which("xset"):
        for words in (("s", "off"), ("s", "noblank"), ("-dpms",)):
            subprocess.run(["xset", *words], check=False, capture_output=True)  # nosec B607 # the desktop's own


def _show(program: str, url: str, profile: Path) -> None:
    from companion.cli.start import runs
    from companion.line import page_watch

    failed, watch = 0, True
    while True:
        while not runs(url):
            time.sleep(PAUSES_SECONDS[0])
        for name in _LOCKS:  # left by a power cut, of a browser that runs no more: this folder is ours alone
            with suppress(OSError):
                (profile / name).unlink()
        begun = time.monotonic()
        environment = {**DARK, CRASHES: str(profile / "Crash Reports"), **os.environ}
        told = page_watch.run(line(program, url, profile), lambda: stay_on(os.environ), watch=watch, environment=environment)
        watch = told or not watch
        failed = 0 if time.monotonic() - begun > STEADY_SECONDS else failed + 1
        time.sleep(PAUSES_SECONDS[min(failed, len(PAUSES_SECONDS) - 1)])
