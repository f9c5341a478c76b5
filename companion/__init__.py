"""A camera watches a table of Lu Stù; a page on the TV says who pays and why."""

__version__ = "0.1.0"
