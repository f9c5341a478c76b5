"""Which cards lie in a picture: python examples/read_a_photo.py [PICTURE]"""

import sys
from pathlib import Path

from companion.assets import asset
from companion.eyes.image import read_picture
from companion.eyes.look import Eyes
from companion.eyes.source import pictures


def main(path: Path | None) -> None:
    if path is None:  # a moment of the bundled clip in which cards lie open
        image = next(pictures(str(asset("datasets/demo/demo.mp4")), per_second=1, start=33)).image
    else:
        image = read_picture(path)
    for seen in Eyes.load(asset("models")).look_closely(image):
        x, y = (sum(corner[axis] for corner in seen.quad) / 4 for axis in (0, 1))
        print(f"{seen.card or seen.side:12} {seen.score:4.0%}  at {x:.0f}, {y:.0f}")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if sys.argv[1:] else None)
