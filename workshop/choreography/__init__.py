"""Table log → timeline: where each card, hand and glass is at every moment of a clip. Pure; `stage` renders it."""
