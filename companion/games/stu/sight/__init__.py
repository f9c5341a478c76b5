"""Cards found → sightings, at a table at which Lu Stù is played."""

from companion.games.stu.sight.watcher import Watcher

__all__ = ["Watcher"]
