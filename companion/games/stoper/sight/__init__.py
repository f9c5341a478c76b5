"""The eyes of Stoper: cards found, picture after picture → sightings."""

from companion.games.stoper.sight import watcher

__all__ = ["watcher"]
