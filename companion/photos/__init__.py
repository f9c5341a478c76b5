"""Reads pictures that strangers send: finds out the format, checks the head, and decodes the picture in a process that may
fail."""
