"""A camera watches a card table; a page on the TV says who pays and why."""

import os

__version__ = "0.1.0"

MOST_PIXELS = 64_000_000
"""Of a picture, or of each of a video's. A larger one is refused before it is decoded, which would take gigabytes."""

# OpenCV reads these once, when it is first imported: what it decodes, and that neither it nor libav writes on standard error.
os.environ.setdefault("OPENCV_IO_MAX_IMAGE_PIXELS", str(MOST_PIXELS))
os.environ.setdefault("OPENCV_LOG_LEVEL", "SILENT")
os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")

# Nothing leaves the machine, whatever these were set to. ONNX Runtime, when it is imported, would keep an id of the machine under
# `~/.cache/Microsoft` and look for who collects it; ultralytics, where the workshop has it, would look for its own and install.
os.environ.update(ORT_DISABLE_TELEMETRY="1", YOLO_OFFLINE="1", YOLO_AUTOINSTALL="false")

# NumPy's linear algebra reads this once, too. What is solved here is small, thousands of times a second: more threads only wait
# for each other, in a loop, which took up to half of the eyes' processor time.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
