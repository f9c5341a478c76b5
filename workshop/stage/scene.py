"""What can be on the rendered table, as frozen values: all that is needed to describe a scene to the renderer.

Table coordinates: millimetres on the table plane, origin in the table's middle, x right, y away from the viewer, z up. Angles are
degrees, counter-clockwise seen from above. Pixels: x right, y down; a pixel's centre has whole coordinates.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
"""uint8, height x width x 3 (BGR) or x 4 (BGRA)."""

Key = tuple[str, str]
"""(deck, card): ``("stu", "gnao")``, ``("ramino", "7h")``, ``("stu", "back")``."""

CARD_SIZES: Mapping[str, tuple[float, float]] = MappingProxyType(
    {"stu": (50.0, 94.0), "ramino": (58.0, 88.0), "napoletane": (51.0, 83.0), "piacentine": (52.0, 93.0),
     "italian": (50.0, 89.5)}
)
"""Width and length in mm by deck (docs/camera.md: Stù 50 x 94, ramino 58 x 88)."""
DEFAULT_CARD_SIZE = (58.0, 88.0)


def card_size(key: Key) -> tuple[float, float]:
    """Width and length of a card in mm."""
    return CARD_SIZES.get(key[0], DEFAULT_CARD_SIZE)


Grip = Literal["rest", "slide", "pinch", "hold", "point"]
"""``rest``: flat on the table; ``slide``: fingertips press on a card; ``pinch``: thumb and fingers lift a card's edge; ``hold``:
a card is held, upright or flat, in front of the fingers; ``point``: the index finger is stretched out."""

PropKind = Literal[
    "glass", "wine", "beer", "cup", "bottle", "ashtray", "coin", "phone", "coaster", "beermat", "receipt", "napkin",
    "pack", "notepad", "pen", "keys", "lighter",
    "chip", "serviette", "label", "cardbox", "matchbox", "tile", "domino", "bankcard", "ticket", "banknote", "plate",
    "cap", "menu",
    "page", "screen", "book", "carton", "framed", "poster", "cloth", "board", "shelf",
    "laptop", "record", "crate", "certificate", "calendar", "placemat", "leaflet", "denim", "cabinet",
]  # fmt: skip

Shape = Literal["rect", "round"]
Point = tuple[float, float, float]
"""(x, y, z), mm."""


@dataclass(frozen=True, slots=True)
class Camera:
    """A pinhole camera that looks at a point of the table plane. No lens distortion: from plane to picture is a homography.

    ``width``, ``height``: of the picture, pixels. ``elevation``: degrees above the horizontal (90 looks straight down).
    ``azimuth``: degrees, 0 on the viewer's side (negative y). ``distance``: mm from ``target``, the table point in the picture's
    middle (mm). ``roll``: degrees about the line of sight. ``focal``: focal length in picture widths; phones and webcams have
    about 0.7 to 1.1.
    """

    width: int = 1280
    height: int = 720
    elevation: float = 50.0
    azimuth: float = 0.0
    distance: float = 1500.0
    roll: float = 0.0
    focal: float = 0.85
    target: tuple[float, float] = (0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Surface:
    """The table's top and outline, and the floor under it. ``kind``: one of `surfaces.ALL`, or the path of a picture of a bare
    surface; ``seed``: of colours, pattern and wear. ``width`` x ``depth`` in mm; of a round table ``width`` is the diameter.
    ``floor``: one of `surfaces.ALL`; ``auto`` draws one."""

    kind: str = "wood"
    seed: int = 0
    shape: Shape = "rect"
    width: float = 1400.0
    depth: float = 900.0
    floor: str = "auto"


@dataclass(frozen=True, slots=True)
class Look:
    """Light and sensor. `looks.LOOKS` names ready ones; `looks.random_look` draws one.

    ``exposure``: gain of the whole picture, 1 is well exposed. ``warmth``: -1 cold to 1 warm. ``ambient``: share of the light
    that comes from everywhere, 0..1; the rest comes from a lamp at ``lamp`` (table coordinates, mm) with ``falloff`` 0 (even)
    to 1 (a cone). ``shadow``: darkness of shadows, 0..1; ``softness``: size of the lamp, mm. ``glare``: strength of the lamp's
    reflection in lacquer, 0..1. ``vignette``: loss of light in the corners, 0..1. ``blur``: lens blur, Gaussian sigma in px of
    a picture 1280 px wide. ``noise``: standard deviation in grey levels. ``drift``: how far exposure and white balance wander
    over time, 0..1. ``contrast``, ``saturation``: 1 is neutral. ``jpeg``: quality 1..100 of a JPEG round trip, 0 for none.
    ``sharpen``: how much the camera sharpens edges, 0..1.
    """

    exposure: float = 1.0
    warmth: float = 0.0
    ambient: float = 0.6
    lamp: tuple[float, float, float] = (-500.0, 600.0, 1200.0)
    falloff: float = 0.3
    shadow: float = 0.5
    softness: float = 120.0
    glare: float = 0.3
    vignette: float = 0.2
    blur: float = 0.6
    noise: float = 3.0
    drift: float = 0.2
    contrast: float = 1.0
    saturation: float = 1.0
    jpeg: int = 0
    sharpen: float = 0.0


@dataclass(frozen=True, slots=True)
class CardPose:
    """One card. ``angle`` 0: its printed top points to +y (away from the viewer).

    ``tilt``: degrees about an axis through the card's middle: 0 lies flat, 180 shows the other side. ``tilt_axis``: that axis'
    direction, degrees counter-clockwise from the card's long axis (0: the long axis, 90: the short one). ``z``: height in mm of
    the card's lowest point, so that a tilted card never sinks into the table. ``bend``: mm by which the short edges stand above
    (+) or below (-) the middle. ``size``: width and length in mm, by default the deck's. ``layer``: negative lies under stacks (a
    card going under the deck), positive above them; cards of a layer are drawn in the order in which the scene lists them.
    ``gloss``: 0 paper to 1 new lacquer. ``contact``: darkness, 0..1, of a thin shadow all around it on what it lies on, such as
    a card has that rests on others; 0 is none.
    """

    id: str
    key: Key
    x: float
    y: float
    angle: float = 0.0
    z: float = 0.0
    face_up: bool = True
    tilt: float = 0.0
    tilt_axis: float = 0.0
    bend: float = 0.0
    size: tuple[float, float] | None = None
    layer: int = 0
    gloss: float = 0.5
    contact: float = 0.0

    @property
    def mm(self) -> tuple[float, float]:
        """Width and length in mm."""
        return self.size or card_size(self.key)


@dataclass(frozen=True, slots=True)
class StackPose:
    """The deck or a pile, squared up by hand: ``count`` cards of ``thickness`` mm, with ``key`` on top.

    ``untidy``: 0 is squared up exactly; 1 shifts the layers that are drawn by about half a millimetre against each other.
    """

    id: str
    key: Key
    x: float
    y: float
    angle: float = 0.0
    count: int = 40
    face_up: bool = False
    thickness: float = 0.32
    untidy: float = 0.5
    size: tuple[float, float] | None = None
    layer: int = 0
    gloss: float = 0.5

    @property
    def mm(self) -> tuple[float, float]:
        """Width and length in mm."""
        return self.size or card_size(self.key)


@dataclass(frozen=True, slots=True)
class FingersPose:
    """The fingers of a hand, with palm, arm and sleeve. (x, y, z): the tip of the middle finger, mm. ``angle``: where the fingers
    point, 0 is +y; the arm comes from ``angle`` + 180 + ``elbow``. ``skin``, ``sleeve``: BGR 0..255. ``arm``: mm of arm that are
    drawn behind the wrist. ``holds``: id of a card between the fingers and the thumb; ``fan``: ids of those that lie on it in
    the same hand, the lowest first. ``seed``: the person (size of the hand, sleeve), the same in every frame. ``limb``: elbow and
    shoulder, mm on the table, of the arm that it belongs to; None: ``arm`` mm of a straight one."""

    id: str
    x: float
    y: float
    angle: float = 0.0
    z: float = 4.0
    grip: Grip = "slide"
    left: bool = False
    skin: tuple[int, int, int] = (128, 160, 208)
    sleeve: tuple[int, int, int] = (90, 60, 40)
    elbow: float = 0.0
    arm: float = 700.0
    holds: str | None = None
    seed: int = 0
    layer: int = 0
    fan: tuple[str, ...] = ()
    limb: tuple[Point, Point] | None = None


@dataclass(frozen=True, slots=True)
class BodyPose:
    """Head, shoulders and arms of somebody who leans over the table. (x, y): the point below the head, mm. ``angle``: where they
    look, 0 is +y. ``skin``, ``clothes``: BGR 0..255. ``seed``: of the cloth's folds and the person's size."""

    id: str
    x: float
    y: float
    angle: float = 0.0
    skin: tuple[int, int, int] = (128, 160, 208)
    clothes: tuple[int, int, int] = (90, 60, 40)
    seed: int = 0
    layer: int = 0


@dataclass(frozen=True, slots=True)
class SitterPose:
    """Somebody who sits at the table: head, trunk, the arms that hang, a chair. All points are (x, y, z), mm.

    ``hips``: between the hips; ``chest``: between the shoulders; ``head``: the middle of the head. ``angle``: where the trunk is
    turned, ``gaze``: where they look, degrees, 0 is +y; ``nod``: degrees by which they look down. ``hangs``: whether the left and
    the right arm hang; the others belong to hands (`FingersPose.limb`). ``skin``, ``clothes``, ``hair``: BGR 0..255. ``seed``: of
    build, hairdo and what is worn.
    """

    id: str
    hips: Point
    chest: Point
    head: Point
    angle: float = 0.0
    gaze: float = 0.0
    nod: float = 25.0
    hangs: tuple[bool, bool] = (True, True)
    skin: tuple[int, int, int] = (128, 160, 208)
    clothes: tuple[int, int, int] = (90, 60, 40)
    hair: tuple[int, int, int] = (30, 35, 45)
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Prop:
    """A thing of bar life. ``size``: factor, 1 is the usual size; ``seed``: of colour, print and filling."""

    id: str
    kind: PropKind
    x: float
    y: float
    angle: float = 0.0
    size: float = 1.0
    seed: int = 0
    layer: int = 0


@dataclass(frozen=True, slots=True)
class LiftedProp(Prop):
    """A thing that somebody holds ``z`` mm above the table; only those that `turned.profile` knows."""

    z: float = 0.0


@dataclass(frozen=True, slots=True)
class Lookalike(Prop):
    """A printed thing that looks like a card, of a kind of `lookalikes.PAINTERS`. ``mm``: its width and length, ``thick``: how
    thick it is, ``rounded``: radius of its corners, mm. ``stands``: height of its lower edge, mm, where it stands upright with
    its front to ``angle``; None where it lies. ``soft``: Gaussian sigma in px by which it is out of focus."""

    mm: tuple[float, float] = (60.0, 90.0)
    thick: float = 1.0
    rounded: float = 0.0
    stands: float | None = None
    soft: float = 0.0


@dataclass(frozen=True, slots=True)
class Scene:
    """All that is on the table at one moment, and who sits at it. Ids are unique over all tuples: motion is followed by id.

    ``t``: seconds, on which the slow drift of exposure and white balance and the noise depend. ``gain``: of the camera's
    automatic exposure when it hunts, 1 is none. ``defocus``: additional lens blur in px of a picture 1280 px wide.
    ``places``: where cards are to lie; they are not drawn: the truth says how much of each is in view.
    """

    cards: tuple[CardPose, ...] = ()
    fingers: tuple[FingersPose, ...] = ()
    props: tuple[Prop, ...] = ()
    stacks: tuple[StackPose, ...] = ()
    t: float = 0.0
    gain: float = 1.0
    defocus: float = 0.0
    bodies: tuple[BodyPose, ...] = ()
    sitters: tuple[SitterPose, ...] = ()
    places: tuple[CardPose, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class CardTruth:
    """Where a card or stack is in the picture. ``quad``: float64 4x2, pixels, of the whole card, also where it is hidden or out
    of the picture, clockwise as seen, beginning with the printed top left corner of the side that shows. ``side``: ``stack``
    has the quad of its top card, ``place`` that of a card that would lie there. ``visible``: share 0..1 of the quad's area that
    the picture shows; of a place, what people, hands and tall things leave in view."""

    id: str
    key: Key
    side: Literal["face", "back", "stack", "place"]
    quad: NDArray[np.float64]
    visible: float


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """One rendered picture and what lies where in it, in drawing order, also out of the picture, where ``visible`` is 0.
    ``image``: uint8 HxWx3 BGR. A card that almost touches the camera is neither drawn nor in ``truth``."""

    image: Image
    truth: tuple[CardTruth, ...]
