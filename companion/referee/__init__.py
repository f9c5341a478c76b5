"""Sightings → what happened: the rules as a second pair of eyes. Pure: no pictures, files or clocks."""

from companion.referee.evening import Evening, observe, over_unseen, replay, report

__all__ = ["Evening", "observe", "over_unseen", "replay", "report"]
