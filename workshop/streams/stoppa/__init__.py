"""Streams of sightings of Stoppa, with what the phone tells of the money in between."""
