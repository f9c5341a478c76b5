"""A camera watches a card table; a page on the TV says who pays and why."""

import os

from companion.one_thread import to_one_thread

__version__ = "0.1.0"

MOST_PIXELS = 64_000_000
"""Pixels of a picture, or of a frame of a video, at most. A larger one is refused before it is decoded: it takes gigabytes."""

# OpenCV reads these once, when it is first imported. They limit what it decodes, and keep it and libav from writing to stderr.
os.environ.setdefault("OPENCV_IO_MAX_IMAGE_PIXELS", str(MOST_PIXELS))
os.environ.setdefault("OPENCV_LOG_LEVEL", "SILENT")
os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")

# Nothing leaves the machine, whatever these were set to. ONNX Runtime, when it is imported, would keep an id of the machine under
# `~/.cache/Microsoft` and look up the server that collects it; ultralytics, which the workshop may use, would look for updates of
# itself and install packages.
os.environ.update(ORT_DISABLE_TELEMETRY="1", YOLO_OFFLINE="1", YOLO_AUTOINSTALL="false")

to_one_thread()
