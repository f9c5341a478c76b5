"""From when on something is taken for sure."""

SURE_FROM = 0.95
"""A ruling, or a line of a log, that is at least this probable is taken for sure: nobody is asked about it, no page marks it."""
