"""A small folder of "photos": drawn cards lying flat and apart, labelled with upright boxes as the real ones are."""

import json
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np

from workshop.deck.raster import drawn

GREEN, WOOD = "20220316_120000", "20220316_121500"
TABLE = """
surfaces:
  - name: green cloth
    part: test
    times: [["20220316_115900", "20220316_120100"]]
  - name: wood
    part: train
    times: [["20220316_121000", "20220316_122000"]]
"""
COLOURS = {GREEN: (60, 110, 40), WOOD: (60, 90, 130)}
CARDS = [("A Spades", "As", 0.0, (130, 160)), ("10 Hearts", "10h", 25.0, (400, 180)), ("K Clubs", "Kc", 70.0, (280, 360))]


@lru_cache
def draw(stamp: str, scale: int) -> tuple[bytes, tuple[tuple[float, ...], ...]]:
    """The photo as JPEG, 560 x 480 times ``scale`` pixels, and the boxes x1, y1, x2, y2 around its cards."""
    width, height = 560 * scale, 480 * scale
    image = np.full((height, width, 3), COLOURS.get(stamp, (90, 90, 90)), dtype=np.uint8)
    boxes = []
    for _, key, turn, at in CARDS:
        card = drawn(keys=(("ramino", key),))["ramino", key]
        tall, wide = card.shape[:2]
        matrix = cv2.getRotationMatrix2D((wide / 2, tall / 2), turn, 150.0 * scale / tall)
        matrix[:, 2] += np.array(at) * scale - [wide / 2, tall / 2]
        laid = cv2.warpAffine(card, matrix, (width, height), flags=cv2.INTER_AREA)
        alpha = laid[..., 3:] / 255
        image = np.uint8(image * (1 - alpha) + laid[..., :3] * alpha)
        corners = np.array([[0, 0], [wide, 0], [wide, tall], [0, tall]]) @ matrix[:, :2].T + matrix[:, 2]
        boxes.append((*corners.min(0).tolist(), *corners.max(0).tolist()))
    return cv2.imencode(".jpg", image)[1].tobytes(), tuple(boxes)


def take(folder: Path, stamp: str, scale: int = 1) -> None:
    """Adds one photo to ``folder``, and its line to `labels.json`."""
    (folder / "images").mkdir(parents=True, exist_ok=True)
    content, boxes = draw(stamp, scale)
    name = f"images/IMG_{stamp}.jpg"
    (folder / name).write_bytes(content)
    known = json.loads((folder / "labels.json").read_text()) if (folder / "labels.json").exists() else []
    rows = [{"xyxy": [round(v, 1) for v in box], "label": card[0]} for box, card in zip(boxes, CARDS, strict=True)]
    known.append({"image": name, "width": 560 * scale, "height": 480 * scale, "split": "train", "boxes": rows})
    (folder / "labels.json").write_text(json.dumps(known))
