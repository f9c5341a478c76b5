"""The eyes of Stoppa: cards found, picture after picture → sightings."""
