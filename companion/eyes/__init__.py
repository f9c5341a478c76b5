"""From a camera's pictures to the cards in them, what moves, and where the table is: all that any card game needs of a camera."""
