"""Streams of sightings without pictures: what perfect eyes report, an adversary, and what the referee makes of it."""
