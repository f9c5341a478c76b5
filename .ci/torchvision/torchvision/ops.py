"""The one operator that ultralytics' validator and ONNX warm-up import from torchvision."""

from torch import Tensor


def nms(boxes: Tensor, scores: Tensor, iou_threshold: float) -> Tensor:
    """Greedy suppression of ``boxes`` (n, 4: x1, y1, x2, y2 in pixels): indices kept, best score first."""
    from ultralytics.utils.nms import TorchNMS

    return TorchNMS.nms(boxes, scores, iou_threshold)
