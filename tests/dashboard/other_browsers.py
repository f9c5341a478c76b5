"""Firefox and WebKit as Debian has them, driven over their own protocols: playwright drives Chromium alone here.

Firefox by Marionette, JSON over TCP with its length before it; WebKit's MiniBrowser by W3C WebDriver over HTTP. Both in a screen
that nobody sees. What is run in a page is the body of a function, and gives what JSON can hold.
"""

from __future__ import annotations

import contextlib
import glob
import json
import os
import shutil
import socket
import subprocess
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar

STARTS_S = 60.0
"""Seconds in which a browser must have come up."""
ANSWERS_S = 60.0
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
"""The key of an element's id, by W3C WebDriver."""


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        return int(taken.getsockname()[1])


def _until(what: str, of: subprocess.Popen[bytes], said: Path) -> Iterator[None]:
    """Tries until ``what`` is so; raises RuntimeError with what the program ``said`` once it has ended, or taken too long."""
    begun = time.monotonic()
    while of.poll() is None and time.monotonic() - begun < STARTS_S:
        yield
        time.sleep(0.1)
    raise RuntimeError(f"{what}: not within {STARTS_S:.0f} s; the program said: {said.read_text('utf-8', 'replace')[-2000:]}")


class Driven:
    """A browser with one window, whose user likes pages ``dark``, or light. ``name`` is what people call it; ``needs``: the
    programs that it takes, of Debian's ``packages``."""

    name: ClassVar[str]
    needs: ClassVar[tuple[str, ...]]
    packages: ClassVar[str]

    def __init__(self, folder: Path, dark: bool = True) -> None:
        self.dark = dark
        self.said = folder / "said"
        self.said.touch()
        self.parts = contextlib.ExitStack()

    @classmethod
    def missing(cls) -> str:
        """What is not installed here that it needs, and how it is had; "" where all is there."""
        gone = [program for program in cls.needs if not shutil.which(program) and not glob.glob(program)]
        return f"needs {', '.join(gone)}: apt-get install {cls.packages}" if gone else ""

    def begin(self, *command: str, **more: str) -> subprocess.Popen[bytes]:
        """A program that ends with the browser, what it says going to ``said``; ``more``: of its environment."""
        heard, output = os.openpty()  # into a file it would write what it says when it ends, or never
        started = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=output, stderr=output, env={**os.environ, **more},
                                   start_new_session=True)  # fmt: skip
        os.close(output)
        threading.Thread(target=self._note, args=(heard,), daemon=True).start()

        def end() -> None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(started.pid, 15)
            try:
                started.wait(10)
            except subprocess.TimeoutExpired:
                os.killpg(started.pid, 9)
                started.wait()

        self.parts.callback(end)
        return started

    def _note(self, heard: int) -> None:
        with self.said.open("ab") as noted, contextlib.suppress(OSError):  # the last of them has ended
            while said := os.read(heard, 65536):
                noted.write(said)
                noted.flush()
        os.close(heard)

    def ask(self, what: str, told: dict[str, Any]) -> Any:
        """One command of W3C WebDriver, such as ``url`` or ``execute/sync``."""
        raise NotImplementedError

    def messages(self) -> list[str]:
        """What the console has said of our pages since the last time it was asked."""
        raise NotImplementedError

    def close(self) -> None:
        self.parts.close()

    def go(self, url: str) -> None:
        self.ask("url", {"url": url})

    def back(self) -> None:
        self.ask("back", {})

    def run(self, script: str, *given: Any) -> Any:
        return self.ask("execute/sync", {"script": script, "args": list(given)})

    def until(self, what: str, script: str) -> Any:
        """What the script gives once that is true; fails with ``what``."""
        begun = time.monotonic()
        while time.monotonic() - begun < ANSWERS_S:
            if found := self.run(script):
                return found
            time.sleep(0.1)
        raise AssertionError(f"{self.name}: {what}: not within {ANSWERS_S:.0f} s")

    def size(self, width: int, height: int) -> None:
        """How large the page is, in pixels; the window is larger by its frame."""
        frame = 0, 0
        for _ in range(3):
            self.ask("window/rect", {"x": 0, "y": 0, "width": width + frame[0], "height": height + frame[1]})
            time.sleep(0.3)  # the window's manager, if any, and the page each hear of it in their own time
            inner = self.run("return [innerWidth, innerHeight]")
            if inner == [width, height]:
                return
            frame = frame[0] + width - inner[0], frame[1] + height - inner[1]
        raise AssertionError(f"{self.name}: the page is {inner}, not {[width, height]}")

    def element(self, selector: str) -> str:
        return str(self.ask("element", {"using": "css selector", "value": selector})[ELEMENT])

    def click(self, selector: str) -> None:
        self.ask(f"element/{self.element(selector)}/click", {})

    def write(self, selector: str, text: str) -> None:
        self.ask(f"element/{self.element(selector)}/value", {"text": text})



class WebKit(Driven):
    """WebKitGTK's MiniBrowser: the engine of Safari."""

    name = "WebKit"
    BROWSER = "/usr/lib/*/webkit2gtk-4.*/MiniBrowser"
    needs = "WebKitWebDriver", "Xvfb", BROWSER
    packages = "webkit2gtk-driver xvfb"

    def __init__(self, folder: Path, dark: bool = True) -> None:
        super().__init__(folder, dark)
        shown = folder / "display"
        with self.parts.enter_context(shown.open("w")) as number:
            command = ["Xvfb", "-displayfd", str(number.fileno()), "-screen", "0", "2000x2600x24", "-nolisten", "tcp"]
            screen = subprocess.Popen(command, pass_fds=[number.fileno()], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.parts.callback(screen.wait)
        self.parts.callback(screen.terminate)
        for _ in _until("Xvfb names its display", screen, shown):
            if shown.read_text().endswith("\n"):
                break
        port = _free_port()
        own = {"DISPLAY": f":{shown.read_text().strip()}", "GDK_BACKEND": "x11", "HOME": str(folder),
               "XDG_CACHE_HOME": str(folder), "XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder),
               "NO_AT_BRIDGE": "1", "GTK_A11Y": "none", "GTK_THEME": "Adwaita:dark" if dark else "Adwaita",
               "LIBGL_ALWAYS_SOFTWARE": "1", "WEBKIT_DISABLE_DMABUF_RENDERER": "1", "WEBKIT_DISABLE_COMPOSITING_MODE": "1",
               "WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS": "1"}  # fmt: skip  # root, in CI, may make no sandbox
        driver = self.begin("WebKitWebDriver", f"--port={port}", **own)
        self._base = f"http://127.0.0.1:{port}/session"
        wish = {"browserName": "MiniBrowser", "webkitgtk:browserOptions": {
            "binary": sorted(glob.glob(self.BROWSER))[-1],
            "args": ["--automation"]}}  # fmt: skip
        for _ in _until("WebKitWebDriver answers", driver, self.said):
            with contextlib.suppress(urllib.error.URLError, ConnectionError):
                session = self._send("POST", self._base, {"capabilities": {"alwaysMatch": wish}})
                break
        self._base += f"/{session['sessionId']}"
        self.parts.callback(lambda: self._send("DELETE", self._base, None))

    def _send(self, method: str, url: str, told: Any) -> Any:
        data = None if told is None else json.dumps(told).encode()
        request = urllib.request.Request(url, data, {"Content-Type": "application/json"}, method=method)
        try:
            with urllib.request.urlopen(request, timeout=ANSWERS_S) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise RuntimeError(f"{url}: {error.read().decode('utf-8', 'replace')}") from error

    def ask(self, what: str, told: dict[str, Any]) -> Any:
        return self._send("POST", f"{self._base}/{what}", told)

    def go(self, url: str) -> None:
        super().go(url)
        self.run("""
          window.heard = [...document.querySelectorAll("#not-up")].map((one) => one.textContent);
          addEventListener("error", (event) => heard.push(`${event.filename}:${event.lineno}: ${event.message}`), true);
          addEventListener("unhandledrejection", (event) => heard.push(String(event.reason)));
          addEventListener("securitypolicyviolation", (event) =>
            heard.push(`${event.blockedURI}: ${event.violatedDirective}`));""")

    def messages(self) -> list[str]:
        """Its console cannot be had: what failed, and what came-up.js says of a page that did not come up."""
        return list(self.run("return window.heard ? heard.splice(0) : []"))


class Firefox(Driven):
    """Firefox without a screen."""

    name = "Firefox"
    needs = ("firefox-esr",)
    packages = "firefox-esr"
    COMMANDS: ClassVar = {"url": "Navigate", "back": "Back", "execute/sync": "ExecuteScript", "window/rect": "SetWindowRect",
                          "element": "FindElement"}  # fmt: skip

    def __init__(self, folder: Path, dark: bool = True) -> None:
        super().__init__(folder, dark)
        port = _free_port()
        profile = folder / "profile"
        profile.mkdir()
        (profile / "user.js").write_text(
            f'user_pref("marionette.port", {port});\n'
            f'user_pref("layout.css.prefers-color-scheme.content-override", {0 if dark else 1});\n'
            'user_pref("app.update.enabled", false);\n'
            'user_pref("datareporting.policy.dataSubmissionEnabled", false);\n'
            'user_pref("network.captive-portal-service.enabled", false);\n'
            'user_pref("network.connectivity-service.enabled", false);\n'
            'user_pref("services.settings.server", "data:,#remote-settings-dummy/v1");\n'
        )
        firefox = self.begin("firefox-esr", "--headless", "--marionette", "--remote-allow-system-access", "--no-remote",
                             "--profile", str(profile), HOME=str(folder))  # fmt: skip
        for _ in _until("Firefox opens its port", firefox, self.said):
            with contextlib.suppress(OSError):
                self._line = self.parts.enter_context(socket.create_connection(("127.0.0.1", port), ANSWERS_S))
                break
        self._read = self.parts.enter_context(self._line.makefile("rb"))
        self._hear()  # it greets
        self._asked = 0
        self._marionette("WebDriver:NewSession", {})
        self.parts.callback(self._quit)
        self._in_frame("document.documentElement.style.setProperty('min-width', '1px', 'important')")  # else none is as a phone's

    def _in_frame(self, script: str) -> Any:
        """Runs it in the browser's own window, which the page is in."""
        self._marionette("Marionette:SetContext", {"value": "chrome"})
        found = self.run(script)
        self._marionette("Marionette:SetContext", {"value": "content"})
        return found

    def _quit(self) -> None:
        with contextlib.suppress(Exception):
            self._marionette("Marionette:Quit", {"flags": ["eForceQuit"]})

    def _hear(self) -> Any:
        digits = b""
        while (byte := self._read.read(1)) != b":":
            if not byte:
                raise RuntimeError(f"Firefox has gone; it said: {self.said.read_text('utf-8', 'replace')[-2000:]}")
            digits += byte
        return json.loads(self._read.read(int(digits)))

    def _marionette(self, command: str, told: dict[str, Any]) -> Any:
        self._asked += 1
        sent = json.dumps([0, self._asked, command, told]).encode()
        self._line.sendall(b"%d:%s" % (len(sent), sent))
        _, number, error, result = self._hear()
        if error or number != self._asked:
            raise RuntimeError(f"{command}: {error}")
        return result["value"] if isinstance(result, dict) and "value" in result else result

    def ask(self, what: str, told: dict[str, Any]) -> Any:
        if what.startswith("element/"):
            _, id, act = what.split("/")
            command = {"click": "WebDriver:ElementClick", "value": "WebDriver:ElementSendKeys"}[act]
            return self._marionette(command, {"id": id, **told})
        return self._marionette(f"WebDriver:{self.COMMANDS[what]}", told)

    def messages(self) -> list[str]:
        found = self._in_frame("""
          const found = Services.console.getMessageArray()
            .filter((one) => one instanceof Ci.nsIScriptError && /^https?:/.test(one.sourceName));
          Services.console.reset();
          return found.map((one) => `${one.sourceName}:${one.lineNumber}: ${one.errorMessage}`);""")
        return list(found)


BROWSERS: tuple[type[Driven], ...] = (Firefox, WebKit)
