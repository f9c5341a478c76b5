"""A command that comes too late."""

from __future__ import annotations


class StaleVersion(ValueError):
    """What the command speaks of is no more, or something else has happened in its place: it is to be looked at again."""
