"""Cards found → sightings, at a table at which Stoper is played."""

from companion.games.stoper.sight.watcher import Watcher

__all__ = ["Watcher"]
