"""The second renderer: scenes of the data sets seen by Blender's path tracer Cycles, which runs in an environment of its own.

`bpy` wants one Python and an older numpy than the program: so it is no dependency, not even an extra.
"""

from pathlib import Path

WORKER = Path(__file__).with_name("worker.py")
"""The script that runs in the environment with `bpy`."""
