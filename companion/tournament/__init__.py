"""A tournament of tables: rounds, the draw, who goes on, the final, points, who has paid. Pure: no clock, no file, no chance but
that of a printed seed.

The rule book knows only one table, and lets eliminated players return (rules 10 and 21). So no table is broken up or balanced
while it plays; it sends people on to the next round when its game is over.
"""
