"""From the description of a scene to a picture of a bar table, with the exact truth of what lies where."""
