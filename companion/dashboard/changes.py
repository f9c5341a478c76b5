"""What the last versions of the program have changed, from the changelog, for somebody who has just updated the program."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from companion.assets import asset
from companion.table.errors import AssetMissing
from companion.table.language import N_

HEADINGS = (N_("Added"), N_("Changed"), N_("Deprecated"), N_("Removed"), N_("Fixed"), N_("Security"))
"""Those of a changelog's parts, which a page translates; what stands below them is in English."""
_LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")


class Version(NamedTuple):
    """A version's changes. ``name``: its heading; ``parts``: heading of each part (Added, Fixed, …), and its entries, plain
    text."""

    name: str
    parts: tuple[tuple[str, tuple[str, ...]], ...]


def changes(since: str = "", text: str | None = None) -> tuple[Version, ...]:
    """The versions that are newer than ``since``, the newest first; the newest alone where the changelog does not name ``since``.
    ``text``: the changelog's, by default of the file that comes with the program; no version where that is missing."""
    if text is None:
        try:
            text = asset("CHANGELOG.md").read_text("utf-8")
        except AssetMissing:
            return ()
    found = tuple(_versions(text))
    known = [place for place, version in enumerate(found) if since and version.name.split()[:1] == [since]]
    return found[: known[0]] if known else found[:1]


def _versions(text: str) -> Iterator[Version]:
    for section in re.split(r"^## ", text, flags=re.M)[1:]:
        name, _, body = section.partition("\n")
        parts = []
        for part in re.split(r"^### ", body, flags=re.M)[1:]:
            heading, _, entries = part.partition("\n")
            items = re.split(r"^- ", entries, flags=re.M)[1:]
            parts.append((heading.strip(), tuple(_plain(item) for item in items)))
        yield Version(_plain(name).replace("[", "").replace("]", ""), tuple(parts))


def _plain(text: str) -> str:
    return " ".join(re.sub(r"[`*]", "", _LINK.sub(r"\1", text)).split())
