"""Pictures from files, as a viewer shows them."""

import struct
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.eyes.image import decode_jpeg, encode_jpeg, read_picture
from companion.table.errors import UnreadablePicture


def jpeg_with_orientation(value: int) -> bytes:
    """A 40 x 20 JPEG, white on its left half, with an EXIF orientation."""
    image = np.zeros((20, 40, 3), dtype=np.uint8)
    image[:, :20] = 255
    coded = cv2.imencode(".jpg", image)[1].tobytes()
    tiff = b"II*\x00\x08\x00\x00\x00" + struct.pack("<HHHIHHI", 1, 0x0112, 3, 1, value, 0, 0)
    exif = b"Exif\x00\x00" + tiff
    return coded[:2] + b"\xff\xe1" + struct.pack(">H", len(exif) + 2) + exif + coded[2:]


@pytest.mark.parametrize(
    ("orientation", "shape", "white"),
    [(1, (20, 40), "left"), (3, (20, 40), "right"), (6, (40, 20), "top"), (8, (40, 20), "bottom")],
)
def test_a_photo_is_turned_as_its_exif_says(tmp_path: Path, orientation: int, shape: tuple[int, int], white: str) -> None:
    (tmp_path / "a.jpg").write_bytes(jpeg_with_orientation(orientation))
    image = read_picture(tmp_path / "a.jpg")
    height, width = shape
    assert image.shape == (height, width, 3)
    half = {
        "left": image[:, : width // 2],
        "right": image[:, width // 2 :],
        "top": image[: height // 2],
        "bottom": image[height // 2 :],
    }
    assert half[white].mean() > 240
    assert image.mean() == pytest.approx(127, abs=10)


def test_a_grey_picture_and_one_with_alpha_are_read_as_three_channels(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "grey.png"), np.full((8, 9), 77, dtype=np.uint8))
    cv2.imwrite(str(tmp_path / "alpha.png"), np.full((8, 9, 4), 77, dtype=np.uint8))
    assert read_picture(tmp_path / "grey.png").shape == (8, 9, 3)
    assert read_picture(tmp_path / "alpha.png").shape == (8, 9, 3)


@pytest.mark.parametrize("content", [b"", b"not a picture", b"\xff\xd8\xff\xe0 cut"])
def test_what_is_no_picture_is_refused_by_name(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "broken.jpg").write_bytes(content)
    with pytest.raises(UnreadablePicture, match=r"broken\.jpg"):
        read_picture(tmp_path / "broken.jpg")


def test_a_missing_file_and_a_folder_are_refused_by_name(tmp_path: Path) -> None:
    for path in (tmp_path / "nowhere.png", tmp_path):
        with pytest.raises(UnreadablePicture, match=path.name):
            read_picture(path)


@pytest.mark.parametrize(
    ("width", "shape"), [(None, (100, 201)), (640, (100, 201)), (201, (100, 201)), (50, (25, 50)), (1, (1, 1))]
)
def test_a_jpeg_is_shrunk_to_its_width_and_never_enlarged(width: int | None, shape: tuple[int, int]) -> None:
    image = np.full((100, 201, 3), (30, 120, 210), np.uint8)
    seen = decode_jpeg(encode_jpeg(image, width))
    assert seen.shape == (*shape, 3)
    assert np.abs(seen.astype(int) - (30, 120, 210)).max() <= 3


def test_a_jpeg_of_higher_quality_is_larger_and_truer() -> None:
    image = np.random.default_rng(3).integers(0, 256, (64, 64, 3)).astype(np.uint8)
    coarse, fine = (encode_jpeg(image, quality=quality) for quality in (20, 95))
    assert len(coarse) < len(fine)
    lost = [np.abs(decode_jpeg(data).astype(float) - image).mean() for data in (coarse, fine)]
    assert lost[1] < lost[0]


def test_a_picture_that_no_jpeg_can_hold_is_refused_with_its_shape() -> None:
    with pytest.raises(ValueError, match=r"\(2, 70000, 3\)"):
        encode_jpeg(np.zeros((2, 70_000, 3), np.uint8))
