"""The renderer: a description of a scene → a picture of a bar table, with the exact truth of what lies where."""
