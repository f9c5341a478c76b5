"""A tournament of tables: rounds, the draw, who goes on, the final, points, who has paid. Pure: no clock, no file, no chance but
that of a printed seed.

The rule book knows one table, and lets the eliminated return (rules 10 and 21): so no table is broken up or balanced in play. A
table sends people on when its game is over.
"""
