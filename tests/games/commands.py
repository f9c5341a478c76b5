"""A command as somebody types it."""

from __future__ import annotations

from click.testing import CliRunner, Result

from companion.cli import main


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, list(arguments), prog_name="companion")
