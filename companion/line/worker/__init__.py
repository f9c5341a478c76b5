"""The camera side: what reads a camera and looks at its pictures. It tells of them in small messages (`messages`), from a thread
(`reading`) or from a process of its own that is supervised (`apart`, `process`).
"""
