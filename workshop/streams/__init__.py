"""Streams of sightings without pictures: what perfect eyes report, how an adversary spoils it, and how the referee rules on
it."""
