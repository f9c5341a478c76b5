"""A hall of tables: many tables' games in one PostgreSQL, one big screen, one organiser.

Each table is whole on its own; what it records is sent by its own program (`companion.hall.table`), and taken in here in order,
once. `companion serve` without a hall imports nothing of this room.
"""
