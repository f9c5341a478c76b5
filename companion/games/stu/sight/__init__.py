"""What the eyes make of a table at which Lu Stù is played: cards found → sightings."""

from companion.games.stu.sight import watcher

__all__ = ["watcher"]
