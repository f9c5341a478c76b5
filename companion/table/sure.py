"""The threshold between sure and not sure, which everything uses."""

from typing import Final

SURE_FROM: Final = 0.95
"""Probability from which on a ruling or a line is taken for sure: nobody is asked about it, and it is shown without a mark."""
