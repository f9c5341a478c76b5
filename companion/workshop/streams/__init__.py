"""Streams of sightings without pictures: what perfect eyes would report, an adversary that spoils it, what the referee makes of it."""
