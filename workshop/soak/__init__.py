"""Evenings on end against the real program, with faults of every kind at random: `companion soak`."""
