"""Stands in for torchvision where only a CPU build of torch is at hand: ultralytics asks for ``ops.nms`` and nothing else."""

from . import ops

__version__ = "0.28.0"
__all__ = ["ops"]
