"""Streams of sightings of Lu Stù: its times, its exchanges, and what the eyes make of them."""
