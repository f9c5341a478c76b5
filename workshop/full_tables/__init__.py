"""Benches of full tables, by game."""
