"""A timeline as a film: H.264 frames, TABLE.json for the camera side, and the truth of every frame."""
