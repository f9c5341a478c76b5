"""Sightings → what happened: the rules as a second pair of eyes. Pure, and of any game: no pictures, files or clocks."""

from companion.referee.evening import Evening, at_the_end, observe, replay, reported

__all__ = ["Evening", "at_the_end", "observe", "replay", "reported"]
