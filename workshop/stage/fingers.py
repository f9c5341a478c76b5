"""Hands and bodies: fingers, palm, sleeve and head as tapered capsules, drawn as a height field towards the camera and shaded."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from workshop.stage import camera as cam
from workshop.stage import light
from workshop.stage.scene import BodyPose, Camera, FingersPose, Look
from workshop.stage.sprites import Rect, Sprite, bounds, sprite

Floats = NDArray[np.float64]
Field = NDArray[np.float32]
_THUMB_TIPS = {
    "rest": (-58.0, -72.0, 9.0),
    "slide": (-50.0, -62.0, 9.0),
    "pinch": (-18.0, -14.0, 12.0),
    "hold": (-14.0, -20.0, 16.0),
    "point": (-34.0, -66.0, 12.0),
}
SKINS: tuple[tuple[int, int, int], ...] = (
    (160, 190, 235), (140, 172, 222), (120, 152, 205), (98, 130, 185), (75, 105, 160), (55, 78, 125), (40, 56, 92),
)  # fmt: skip
"""Skin tones, BGR."""


@dataclass(frozen=True, slots=True)
class Bone:
    """A tapered capsule between the points ``a`` and ``b`` (mm) with the radii ``ra`` and ``rb``; ``cloth``: else skin.

    ``behind``: it is behind a card that the hand holds. ``paint``: of somebody who sits there, see `workshop.stage.sitters`.
    """

    a: tuple[float, float, float]
    b: tuple[float, float, float]
    ra: float
    rb: float
    cloth: bool = False
    behind: bool = False
    paint: int = 0


def skeleton(fingers: FingersPose) -> list[Bone]:
    """The hand's bones in its own coordinates, mm: the middle finger's tip at the origin, fingers towards +y, z up."""
    rng = np.random.default_rng([fingers.seed, 41])
    size = float(rng.uniform(0.9, 1.12))
    thick = float(rng.uniform(0.9, 1.15))
    curl = {"rest": 8.0, "slide": 22.0, "pinch": 38.0, "hold": 26.0, "point": 18.0}[fingers.grip]
    bones: list[Bone] = []
    wrist_z = {"rest": 16.0, "slide": 38.0, "pinch": 52.0, "hold": 48.0, "point": 34.0}[fingers.grip]
    spread = {"rest": 1.25, "slide": 1.0, "pinch": 0.6, "hold": 0.75, "point": 1.0}[fingers.grip]
    knuckles = [(-26.0, -78.0), (-8.5, -82.0), (9.5, -79.0), (26.0, -70.0)]  # index, middle, ring, little
    lengths = [72.0, 80.0, 74.0, 58.0]
    radii = [8.6, 9.0, 8.4, 7.2]
    for n, ((kx, ky), length, radius) in enumerate(zip(knuckles, lengths, radii, strict=True)):
        fan = np.radians((-9, -2, 5, 13)[n] * spread * (0.55 if fingers.grip == "pinch" else 1))
        bent = curl if not (fingers.grip == "point" and n > 0) else 75.0
        z0 = wrist_z * 0.75
        parts = np.array([0.46, 0.31, 0.23]) * length
        pitch = np.radians(-4 - 0.2 * bent)
        at = np.array([kx * (0.55 if fingers.grip == "pinch" else 1), ky, z0])
        for k, part in enumerate(parts):
            step = part * np.array([np.sin(-fan) * -1, np.cos(fan), 0]) * np.cos(pitch)
            to = at + step + np.array([0, 0, part * np.sin(pitch)])
            to[2] = max(to[2], radius * 0.75)
            taper = 1 - 0.09 * k
            bones.append(Bone(tuple(at), tuple(to), radius * taper, radius * (taper - 0.09), behind=True))
            at, pitch = to, pitch - np.radians(bent * 0.55)
    palm_z = wrist_z * 0.8
    for x, y in ((-22, -80), (-8, -83), (9, -80), (23, -73)):
        bones.append(Bone((x, y, palm_z * 0.94), (x * 0.55, -150, wrist_z), 12.5, 15.5))
    bones.append(Bone((-12, -105, palm_z * 0.8), (-8, -150, wrist_z), 17, 19))
    thumb_tip = _THUMB_TIPS[fingers.grip]
    middle = (thumb_tip[0] * 0.75 - 18, -92 + 0.35 * (thumb_tip[1] + 70), palm_z * 0.75)
    bones.append(Bone((-18, -134, wrist_z * 0.85), middle, 15, 11.5))
    bones.append(Bone(middle, thumb_tip, 11, 8.4))
    elbow = np.radians(-fingers.elbow)
    arm = np.array([np.sin(elbow), -np.cos(elbow)])
    wrist = np.array([0.0, -152.0])
    cuff = wrist + arm * float(rng.uniform(12, 60) if rng.random() < 0.75 else rng.uniform(90, 200))
    mirror = 1.0 if not fingers.left else -1.0
    loose = float(rng.uniform(6, 16))
    if fingers.limb is None:
        end = wrist + arm * fingers.arm
        rise = wrist_z + 0.12 * fingers.arm
        share = float(np.linalg.norm(cuff - wrist) / fingers.arm)
        bones.append(Bone((*wrist, wrist_z), (*cuff, wrist_z + share * (rise - wrist_z)), 23, 26))
        bones.append(Bone((*cuff, wrist_z + share * (rise - wrist_z)), (*end, rise), 27 + loose, 44 + loose, cloth=True))
    else:
        bones += _limb(fingers, np.array([*wrist, wrist_z]), float(np.linalg.norm(cuff - wrist)), loose, size, mirror)
    scaled = []
    for bone in bones:
        a, b = (tuple(float(v) for v in np.array(p) * size * [mirror, 1, 1]) for p in (bone.a, bone.b))
        r = 1.0 if bone.cloth else thick
        scaled.append(Bone(a, b, bone.ra * size * r, bone.rb * size * r, bone.cloth, bone.behind))  # type: ignore[arg-type]
    return scaled


def _limb(fingers: FingersPose, wrist: Floats, bare: float, loose: float, size: float, mirror: float) -> list[Bone]:
    """Forearm, the first ``bare`` mm of it without a sleeve, and upper arm, in the hand's own coordinates before it is sized."""
    angle = np.radians(fingers.angle)
    c, s = np.cos(angle), np.sin(angle)
    off = np.array(fingers.limb) - [fingers.x, fingers.y, fingers.z]
    turned = np.column_stack([off[:, 0] * c + off[:, 1] * s, off[:, 1] * c - off[:, 0] * s, off[:, 2]])
    elbow, shoulder = turned / size * [mirror, 1, 1]
    cuff = wrist + (elbow - wrist) * min(bare / max(float(np.linalg.norm(elbow - wrist)), 1.0), 0.9)
    points = [tuple(float(value) for value in point) for point in (wrist, cuff, elbow, shoulder)]
    return [Bone(points[0], points[1], 23, 27), Bone(points[1], points[2], 27 + loose, 36 + loose, cloth=True),  # type: ignore[arg-type]
            Bone(points[2], points[3], 36 + loose, 48 + loose, cloth=True)]  # type: ignore[arg-type]  # fmt: skip


def body_bones(body: BodyPose) -> list[Bone]:
    """The bones of somebody who leans on the table, in their own coordinates, mm: the origin below the head, looking to +y."""
    size = float(np.random.default_rng([body.seed, 43]).uniform(0.9, 1.15))
    bones = [
        Bone((0, -560, 60), (0, -220, 290), 190, 175, cloth=True),
        Bone((-185, -170, 310), (185, -170, 310), 92, 92, cloth=True),
        Bone((0, -120, 350), (0, -50, 400), 60, 62),
        Bone((0, -10, 420), (0, 25, 425), 88, 78),
        Bone((0, -60, 465), (0, 5, 480), 92, 84, cloth=True),
    ]
    for side in (-1, 1):
        elbow, wrist = (side * 290, -90, 110), (side * 190, 130, 45)
        bones += [Bone((side * 215, -180, 300), elbow, 66, 52, cloth=True), Bone(elbow, wrist, 50, 34, cloth=True)]
        bones.append(Bone(wrist, (side * 150, 215, 22), 30, 22))
    return [
        Bone(tuple(v * size for v in bone.a), tuple(v * size for v in bone.b), bone.ra * size, bone.rb * size, bone.cloth)  # type: ignore[arg-type]
        for bone in bones
    ]


def _placed(at: tuple[float, float, float], turned: float, bones: list[Bone]) -> Floats:
    """Bone ends in table mm, N x 2 x 3."""
    ends = np.array([[bone.a, bone.b] for bone in bones])
    angle = np.radians(turned)
    c, s = np.cos(angle), np.sin(angle)
    x, y = ends[..., 0] * c - ends[..., 1] * s, ends[..., 0] * s + ends[..., 1] * c
    return np.stack([x + at[0], y + at[1], ends[..., 2] + at[2]], -1)


def fingers_sprite(camera: Camera, look: Look, fingers: FingersPose, part: str = "all") -> Sprite | None:
    """A hand with its arm; None outside the picture. ``part``: ``all``, ``behind`` (the fingers behind a card that the hand
    holds) or ``front`` (all else)."""
    bones = skeleton(fingers)
    ends = _placed((fingers.x, fingers.y, fingers.z), fingers.angle, bones)
    chosen = [n for n, bone in enumerate(bones) if part == "all" or bone.behind == (part == "behind")]
    colours = _Colours((fingers.x, fingers.y), fingers.skin, fingers.sleeve, fingers.seed)
    return _drawn(camera, look, colours, [bones[n] for n in chosen], ends[chosen], shaded=part != "behind")


def body_sprite(camera: Camera, look: Look, body: BodyPose) -> Sprite | None:
    """Somebody who leans over the table; None outside the picture."""
    bones = body_bones(body)
    ends = _placed((body.x, body.y, 0.0), body.angle, bones)
    return _drawn(camera, look, _Colours((body.x, body.y), body.skin, body.clothes, body.seed), bones, ends, shaded=True)


@dataclass(frozen=True, slots=True)
class _Colours:
    """Where somebody is on the table (mm), the colours of their skin and cloth (BGR), and the seed of the cloth's folds."""

    at: tuple[float, float]
    skin: tuple[int, int, int]
    cloth: tuple[int, int, int]
    seed: int


def _drawn(camera: Camera, look: Look, colours: _Colours, bones: list[Bone], ends: Floats, *, shaded: bool) -> Sprite | None:
    near = cam.depth(camera, ends.reshape(-1, 3)).reshape(-1, 2)
    ends, bones, near = in_front(camera, ends, bones, near)
    if not bones:
        return None
    focal = camera.focal * camera.width
    seen = cam.project(camera, ends.reshape(-1, 3)).reshape(-1, 2, 2)
    scale = focal / near
    radii = np.array([[bone.ra, bone.rb] for bone in bones]) * scale
    shadow, sigma = cast_shadows(camera, look, ends, bones)
    body = np.concatenate([(seen + radii[..., None]).reshape(-1, 2), (seen - radii[..., None]).reshape(-1, 2)])
    cast = np.concatenate(shadow) if shadow else body[:1]
    rect = bounds(np.concatenate([body, cast]), 2 * sigma + 2, camera.width, camera.height)
    if rect is None:
        return None
    nearest = float(scale.mean())
    height = -(near - near.mean()) * nearest
    field, material = _heights(rect, seen, height, radii, bones)
    patch, alpha = _shade(look, colours, field, material, nearest, camera)
    shade = None
    if shaded:
        mask = np.zeros(alpha.shape, np.uint8)
        dark = int(255 * min(0.8, look.shadow * 0.95))
        for polygon in shadow:
            cv2.fillConvexPoly(mask, np.round((polygon - rect[:2]) * 16).astype(np.int32), dark, cv2.LINE_AA, 4)
        shade = quick_blur(mask, sigma)
    return sprite(rect, patch, alpha, shade)


def quick_blur(mask: NDArray[np.uint8], sigma: float) -> NDArray[np.uint8]:
    """Gaussian-like blur at a quarter of the size: shadows have no detail."""
    if sigma < 4:
        return np.asarray(cv2.GaussianBlur(mask, (0, 0), max(0.5, sigma)), np.uint8)
    small = cv2.resize(mask, (max(1, mask.shape[1] // 4), max(1, mask.shape[0] // 4)), interpolation=cv2.INTER_AREA)
    small = cv2.GaussianBlur(small, (0, 0), sigma / 4)
    return np.asarray(cv2.resize(small, (mask.shape[1], mask.shape[0]), interpolation=cv2.INTER_LINEAR), np.uint8)


def in_front(camera: Camera, ends: Floats, bones: list[Bone], near: Floats) -> tuple[Floats, list[Bone], Floats]:
    """The bones, clipped where they come nearer to the camera than 150 mm: their ends, themselves, and the ends' depths."""
    limit, kept_ends, kept = 150.0, [], []
    for pair, bone, depth in zip(ends, bones, near, strict=True):
        if depth.max() <= limit:
            continue
        a, b = pair
        if depth[1] < limit:
            b = a + (b - a) * (depth[0] - limit) / (depth[0] - depth[1])
        elif depth[0] < limit:
            a = b + (a - b) * (depth[1] - limit) / (depth[1] - depth[0])
        kept_ends.append([a, b])
        kept.append(bone)
    placed = np.array(kept_ends).reshape(-1, 2, 3)
    return placed, kept, cam.depth(camera, placed.reshape(-1, 3)).reshape(-1, 2) if kept else near[:0]


def cast_shadows(camera: Camera, look: Look, ends: Floats, bones: list[Bone]) -> tuple[list[Floats], float]:
    """Outlines in px of the bones' shadows on the table, and their blur in px."""
    circle = np.column_stack([np.cos(np.linspace(0, 6.283, 9)[:-1]), np.sin(np.linspace(0, 6.283, 9)[:-1])])
    outlines = []
    for pair, bone in zip(ends, bones, strict=True):
        rims = []
        for end, radius in zip(pair, (bone.ra, bone.rb), strict=True):
            dx, dy = light.shadow_offset(look, end[0], end[1], min(end[2], 160.0))
            rims.append(np.array([end[0] + dx, end[1] + dy]) + circle * radius)
        ground = np.concatenate(rims)
        if cam.depth(camera, np.column_stack([ground, np.zeros(len(ground))])).min() < 100:
            continue
        hull = cv2.convexHull(cam.project(camera, ground).astype(np.float32))[:, 0]
        outlines.append(np.clip(hull.astype(np.float64), -4000, 8000))
    pixels = cam.scale(camera, *ends[0, 0].tolist())
    return outlines, float(max(0.8, pixels * (3 + 14 * min(1.0, look.softness / 250))))


def _heights(rect: Rect, seen: Floats, height: Floats, radii: Floats, bones: list[Bone]) -> tuple[Field, NDArray[np.uint8]]:
    """For each pixel of the patch, the height towards the camera in px (-1e4: nothing) and the material (0 skin, 1 cloth)."""
    wide, tall = rect[2] - rect[0], rect[3] - rect[1]
    field = np.full((tall, wide), -1e4, np.float32)
    material = np.zeros((tall, wide), np.uint8)
    for (a, b), (za, zb), (ra, rb), bone in zip(seen, height, radii, bones, strict=True):
        reach = max(ra, rb) + 1
        low = np.maximum(np.floor(np.minimum(a, b) - reach).astype(int) - rect[:2], 0)
        high = np.minimum(np.ceil(np.maximum(a, b) + reach).astype(int) + 1 - rect[:2], (wide, tall))
        if np.any(low >= high):
            continue
        xs = np.arange(low[0], high[0], dtype=np.float32) + np.float32(rect[0] - a[0])
        ys = (np.arange(low[1], high[1], dtype=np.float32) + np.float32(rect[1] - a[1]))[:, None]
        along = b - a
        length = float(along @ along)
        if length < 1e-3:
            share = np.zeros((ys.shape[0], xs.shape[0]), np.float32)
        else:
            share = np.clip(xs * np.float32(along[0] / length) + ys * np.float32(along[1] / length), 0, 1)
        off = (xs - share * np.float32(along[0])) ** 2 + (ys - share * np.float32(along[1])) ** 2
        radius = np.float32(ra) + share * np.float32(rb - ra)
        inside = radius * radius - off
        axis = np.float32(za) + share * np.float32(zb - za)
        top = np.where(inside > 0, np.sqrt(np.maximum(inside, 0)) + axis, np.float32(-1e4))
        part = (slice(low[1], high[1]), slice(low[0], high[0]))
        if bone.cloth:
            material[part][top > field[part]] = 1
        np.maximum(field[part], top, out=field[part])
    return field, material


def _shade(
    look: Look, colours: _Colours, field: Field, material: NDArray[np.uint8], pixels: float, camera: Camera
) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """Premultiplied BGR and alpha of a hand or body from its height field. ``pixels``: px per mm."""
    solid = field > -9e3
    alpha = np.asarray(cv2.blur(solid.astype(np.uint8) * 255, (3, 3)), np.uint8)
    floor = float(field[solid].min()) if solid.any() else 0.0
    filled = np.where(solid, field, np.float32(floor))
    smooth = cv2.GaussianBlur(filled, (0, 0), max(0.6, 1.7 * pixels))  # flesh between the bones
    dx = cv2.Sobel(smooth, cv2.CV_32F, 1, 0, ksize=3, scale=0.125)
    dy = cv2.Sobel(smooth, cv2.CV_32F, 0, 1, ksize=3, scale=0.125)
    norm = 1 / np.sqrt(dx * dx + dy * dy + 1)
    towards = np.array(look.lamp) - np.array([*colours.at, 40.0])
    right, down, forward = cam.pose(camera)[0] @ (towards / np.linalg.norm(towards))
    facing = (-dx * np.float32(right) - dy * np.float32(down) - np.float32(forward)) * norm
    wrap = np.clip((facing + 0.35) / 1.35, 0, 1)  # light goes a little round flesh
    wide = cv2.boxFilter(filled, -1, (2 * int(4 * pixels) + 3,) * 2)
    hollow = np.clip(1 - (wide - smooth) / np.float32(max(2.0, 14 * pixels)), 0.55, 1.05)
    level = (np.float32(0.5 * look.ambient) * (0.6 + 0.4 * norm) + np.float32(1.15 - 0.5 * look.ambient) * wrap) * hollow
    level = np.clip(level, 0.1, 1.2)
    skin = np.array(colours.skin, np.float32)
    picture = np.empty((*field.shape, 3), np.float32)
    for channel in range(3):
        glow = (1.25, 1.1, 0.82)[channel]  # shaded skin turns red before it turns dark
        picture[..., channel] = skin[channel] * level**glow
    cloth = material == 1
    if cloth.any():
        rng = np.random.default_rng([colours.seed, 42])
        cells = [max(2, side // max(2, int(mm * pixels))) for side, mm in zip(field.shape, (14, 9), strict=True)]
        coarse = rng.normal(0, 1, cells).astype(np.float32)
        folds = cv2.resize(coarse, (field.shape[1], field.shape[0]), interpolation=cv2.INTER_CUBIC)
        weave = level * (1 + 0.09 * folds)
        for channel in range(3):
            picture[..., channel][cloth] = (colours.cloth[channel] * weave)[cloth]
    picture *= (alpha.astype(np.float32) / 255)[..., None]
    return np.clip(picture, 0, 255).astype(np.uint8), alpha
