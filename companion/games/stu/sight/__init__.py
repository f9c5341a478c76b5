"""Cards found → sightings, at a table at which Lu Stù is played."""

from companion.games.stu.sight import watcher

__all__ = ["watcher"]
