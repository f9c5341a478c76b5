"""Where clips and what was made of them are kept, and how a long run says what it does."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

import click

Say = Callable[[str, float], None]
"""Called with what is being done ("filming", "watching") and the share 0..1 that is done of it."""


def default_cache() -> Path:
    """The user's cache folder for clips."""
    base = os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA")
    return (Path(base) if base else Path.home() / ".cache") / "companion" / "bench"


class Progress:
    """Shows what is being done, in one line of a terminal."""

    def __init__(self) -> None:
        self._last = ("", -1)

    def __call__(self, what: str, share: float) -> None:
        now = (what, int(100 * share))
        if now != self._last and sys.stderr.isatty():
            click.echo(f"\r{what} {now[1]:3d} %\r", nl=False, err=True)
            self._last = now
