"""A browser of Chromium's family that is watched over its debugging pipe, which no other program can reach: when its page has
crashed the browser itself goes on, and shows "Aw, Snap!" until somebody taps *Reload*. At a television nobody does.

The pipe (`--remote-debugging-pipe`): commands on descriptor 3, answers and events on 4, each one JSON and a zero byte, of the
Chrome DevTools Protocol.
"""

from __future__ import annotations

import fcntl
import json
import os
import select
import shutil
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, suppress

BROWSERS = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome")
SWITCH = "--remote-debugging-pipe"
_LOOK_SECONDS = 1.0
"""Seconds after which it is looked whether the browser is there still, when the pipe says nothing."""
_END_SECONDS = 10.0
"""Seconds that a browser has to end when it is asked to."""
_FREE_DESCRIPTOR = 10
"""The first one that cannot be 3 or 4."""
_DISCOVER = json.dumps({"id": 1, "method": "Target.setDiscoverTargets", "params": {"discover": True}}).encode() + b"\0"


def installed_browser(find: Callable[[str], str | None] = shutil.which) -> str | None:
    """The path of this machine's first browser of Chromium's family, None where it has none."""
    return next((found for name in BROWSERS if (found := find(name))), None)


def run(
    command: Sequence[str], ready: Callable[[], None] = lambda: None, *, watch: bool = True,
    environment: Mapping[str, str] | None = None,
) -> bool:  # fmt: skip
    """Run the browser until it ends, or its page has crashed: it is ended then. Whether its pipe has said anything: a browser
    that does not know the pipe may not start with it. Without ``watch`` there is no pipe. ``ready``: called once it is there,
    which its pipe says; at once without one. ``environment``: the browser's; None: this program's own."""
    with ExitStack() as stack:
        if not watch:
            browser = stack.enter_context(subprocess.Popen(command, env=environment))
            stack.callback(_end, browser)
            ready()
            browser.wait()
            return False
        theirs_in, ours_out = _pipe()
        ours_in, theirs_out = _pipe()
        for descriptor in (ours_in, ours_out):
            stack.callback(os.close, descriptor)

        def hand_over() -> None:
            os.dup2(theirs_in, 3)
            os.dup2(theirs_out, 4)

        try:
            browser = stack.enter_context(
                subprocess.Popen([command[0], SWITCH, *command[1:]], preexec_fn=hand_over, close_fds=False, env=environment)
            )
        finally:
            os.close(theirs_in)
            os.close(theirs_out)
        stack.callback(_end, browser)
        with suppress(BrokenPipeError):
            os.write(ours_out, _DISCOVER)
        said = False
        for message in _messages(ours_in, browser):
            if not said:
                ready()
            said = True
            if message.get("method") == "Target.targetCrashed":
                break
        return said


def _end(browser: subprocess.Popen[bytes]) -> None:
    browser.terminate()
    try:
        browser.wait(_END_SECONDS)
    except subprocess.TimeoutExpired:
        browser.kill()


def _pipe() -> tuple[int, int]:
    """A pipe whose ends are neither 3 nor 4: to read from, to write to."""
    ends = os.pipe()
    reader, writer = (fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, _FREE_DESCRIPTOR) for end in ends)
    for end in ends:
        os.close(end)
    return reader, writer


def _messages(descriptor: int, browser: subprocess.Popen[bytes]) -> Iterator[dict[str, object]]:
    """What the browser says, until it ends."""
    buffer = b""
    while True:
        if not select.select([descriptor], [], [], _LOOK_SECONDS)[0]:
            if browser.poll() is not None:  # a helper of it may hold the pipe a little longer
                return
            continue
        if not (said := os.read(descriptor, 1 << 16)):
            browser.wait()
            return
        *whole, buffer = (buffer + said).split(b"\0")
        for one in whole:
            yield json.loads(one)
