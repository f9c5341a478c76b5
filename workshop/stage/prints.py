"""What is printed on flat things: lines of a receipt, a beer mat, a phone's screen, a napkin, a coin."""

from __future__ import annotations

import cv2
import numpy as np

from workshop.stage.scene import Image

Rng = np.random.Generator


def _colour(rng: Rng, low: float = 0, high: float = 255) -> list[float]:
    return [float(v) for v in rng.uniform(low, high, 3)]


def paper(rng: Rng) -> Image:
    """A receipt or note: lines of print."""
    picture = np.full((300, 170, 3), 0, np.uint8)
    picture[:] = rng.uniform(225, 250, 3)
    y = 14
    while y < 285:
        x, ink = int(rng.integers(8, 30)), int(rng.integers(40, 130))
        end = int(rng.integers(60, 160))
        while x < end:
            word = int(rng.integers(5, 26))
            cv2.rectangle(picture, (x, y), (min(end, x + word), y + 5), (ink, ink, ink), -1)
            x += word + 5
        y += int(rng.integers(9, 16))
    return picture


def printed(rng: Rng) -> Image:
    """A beer mat, coaster, packet: rings, bands and blocks of colour, sometimes a frame like a card's."""
    picture = np.zeros((200, 200, 3), np.uint8)
    picture[:] = _colour(rng, 60) if rng.random() < 0.7 else (235, 238, 240)
    if rng.random() < 0.5:
        cv2.rectangle(picture, (12, 12), (187, 187), _colour(rng), int(rng.integers(2, 8)), cv2.LINE_AA)
    for _ in range(int(rng.integers(1, 5))):
        x, y = (int(v) for v in rng.integers(50, 150, 2))
        shape = int(rng.integers(4))
        if shape == 0:
            cv2.circle(picture, (x, y), int(rng.integers(15, 85)), _colour(rng), int(rng.choice([-1, 4, 8])), cv2.LINE_AA)
        elif shape == 1:
            cv2.rectangle(picture, (20, y), (180, y + int(rng.integers(8, 40))), _colour(rng), -1)
        elif shape == 2:
            axes, turn = (80, int(rng.integers(10, 50))), float(rng.uniform(-20, 20))
            cv2.ellipse(picture, (100, y), axes, turn, 0, 360, _colour(rng), -1, cv2.LINE_AA)
        else:
            word = "".join(rng.choice(list("BIRASPQLME"), 5))
            cv2.putText(picture, word, (22, y), cv2.FONT_HERSHEY_DUPLEX, 1.4, _colour(rng), 3, cv2.LINE_AA)
    return picture


def screen(rng: Rng) -> Image:
    """A phone: dark glass, sometimes lit."""
    picture = np.full((320, 155, 3), 0, np.uint8)
    picture[:] = rng.uniform(8, 40)
    if rng.random() < 0.35:
        picture[14:306, 7:148] = _colour(rng, 80)
        for n in range(int(rng.integers(2, 9))):
            y = 30 + n * 32
            cv2.rectangle(picture, (16, y), (int(rng.integers(60, 140)), y + int(rng.integers(6, 24))), _colour(rng), -1)
    elif rng.random() < 0.5:
        picture[:] = _colour(rng, 10, 230)
        cv2.rectangle(picture, (12, 12), (60, 78), (25, 25, 25), -1)
        for y in (30, 58):
            cv2.circle(picture, (36, y), 12, (60, 60, 60), -1, cv2.LINE_AA)
    return picture


def plain(rng: Rng) -> Image:
    """A thing of one colour, or with a band of another."""
    picture = np.zeros((120, 120, 3), np.uint8)
    picture[:] = _colour(rng, 20)
    if rng.random() < 0.5:
        cv2.rectangle(picture, (0, 40), (120, int(rng.integers(60, 110))), _colour(rng), -1)
    return picture


def napkin(rng: Rng) -> Image:
    """A folded napkin with an edge."""
    picture = np.zeros((160, 160, 3), np.uint8)
    picture[:] = rng.uniform(215, 252, 3) if rng.random() < 0.7 else _colour(rng, 60)
    cv2.line(picture, (80, 0), (80 + int(rng.integers(-6, 6)), 160), (picture[0, 0] * 0.85).tolist(), 3, cv2.LINE_AA)
    cv2.rectangle(picture, (6, 6), (153, 153), (picture[0, 0] * 0.93).tolist(), 2)
    return picture


def metal(rng: Rng) -> Image:
    """A coin or a key ring."""
    picture = np.zeros((100, 100, 3), np.uint8)
    gold = rng.random() < 0.6
    picture[:] = (95, 165, 200) if gold else (175, 180, 182)
    cv2.circle(picture, (50, 50), 34, (185, 190, 192) if gold else (95, 165, 200), -1, cv2.LINE_AA)
    cv2.circle(picture, (50, 50), 47, (70, 110, 130), 3, cv2.LINE_AA)
    for _ in range(6):
        a, b = (tuple(int(v) for v in rng.integers(25, 75, 2)) for _ in range(2))
        cv2.line(picture, a, b, (120, 140, 150), 3, cv2.LINE_AA)
    return picture
