"""Streams of sightings of Stoper, with what the phone tells of words and money in between."""
