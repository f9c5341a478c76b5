"""Table log → timeline: for every moment of a clip, where each card, hand and glass is. Pure; the renderer is `stage`."""
