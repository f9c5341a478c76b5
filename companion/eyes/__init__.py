"""Pictures → sightings: sources, the detector, the reader, places, what moves."""
