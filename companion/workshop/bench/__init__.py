"""The proving ground: clips that are frozen by recipe, the whole line over them, and what it ruled beside what happened."""
