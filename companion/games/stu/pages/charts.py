"""The evening's charts: `companion.pages.protocol.Charts`, as a module."""

from companion.games.stu.pages.charts_svg import drawing
from companion.games.stu.pages.figures import figures

__all__ = ["drawing", "figures"]
