"""The eyes of Stoppa: cards found, picture after picture → sightings."""

from companion.games.stoppa.sight import watcher

__all__ = ["watcher"]
