"""The benchmark of the whole line: clips frozen by recipe, what the line rules on each, and how that compares with the truth."""
