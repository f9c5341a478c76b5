"""Cards found → sightings, at a table at which Stoppa is played."""

from companion.games.stoppa.sight.watcher import Watcher

__all__ = ["Watcher"]
