"""Defaults of the commands' options. This module imports nothing: `companion serve --help` and its like show them."""

from __future__ import annotations

from typing import Final

LOOKS_PER_SECOND: Final = 15.0
"""Pictures looked at per second of the source: a card that is slid to a neighbour is seen several times on its way.

Looking costs little where nothing happens: see `companion.eyes.incremental`.
"""

FOOTAGE_SECONDS: Final = 240.0
"""Seconds of video that are kept: a question about a hand is answered by the end of the next one, or never."""

FURTHER_NICE: Final = 5
"""By how much the looks at further cameras step back behind those at the first one, and behind the pages. They look as often, as
time allows: looking less often saves little (a third of the looks takes 80 to 86 % of the time, since a look costs what
changes), and exchanges are missed."""

MAX_VIEWS: Final = 3
"""Greatest number of cameras at one table."""
