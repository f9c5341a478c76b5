"""Setting up an evening on the organiser's phone: camera, table, players, stake, first dealer; and what the camera sees."""

from companion.dashboard.setup.pages import install

__all__ = ["install"]
