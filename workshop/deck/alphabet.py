"""Letters and digits drawn from one table of pen strokes, so that no font is needed anywhere.

Each glyph is a skeleton in a box 100 high (cap line 0, base line 100); a `Letterform` says how thick its stems and
hairlines are, so the same table gives a fine Didone, a heavy slab, condensed numerals and a plain sans serif.
"""

from __future__ import annotations

import math

from workshop.deck.style import Letterform
from workshop.deck.svg import Point, number, subdivide

# Strokes, x and y in skeleton units; a capital is the thick stroke, a small letter the thin one:
#   V/v x [y0 y1] stem · D/d x0 y0 x1 y1 diagonal · S/s x y serif of a stem (y 0 or 100) · F x y its outward half
#   H y x0 x1 bar · T x y height side beak at a bar's end · B x y0 y1 x1 bowl to the right of a stem · O x0 x1 y0 y1 ring
#   W x0 x1 x2 thick and thin diagonal from the cap line to a point at x2 · C x y … pen curve, thick where it runs up or down
GLYPHS: dict[str, tuple[float, str]] = {
    "A": (76, "d 38 0 10 100;D 38 0 66 100;H 66 18 58;s 10 100;S 66 100"),
    "B": (62, "V 12;B 12 0 48 56;B 12 46 100 60;F 12 0;F 12 100"),
    "C": (68, "C 64 20 52 4 36 0 14 16 6 50 14 84 36 100 54 95 65 76;T 64 6 20 1"),
    "D": (72, "V 12;B 12 0 100 70;F 12 0;F 12 100"),
    "E": (60, "V 12;H 0 12 56;H 49 12 44;H 100 12 58;F 12 0;F 12 100;T 56 0 24 1;T 58 100 -26 1;T 44 40 20 1"),
    "F": (56, "V 12;H 0 12 54;H 50 12 42;S 12 100;F 12 0;T 54 0 24 1;T 42 40 20 1"),
    "G": (74, "C 64 20 52 4 36 0 14 16 6 50 14 84 36 100 54 97 62 88;T 64 6 20 1;V 62 58 96;S 62 58"),
    "H": (76, "V 12;V 64;H 49 12 64;S 12 0;S 12 100;S 64 0;S 64 100"),
    "I": (24, "V 12;S 12 0;S 12 100"),
    "J": (44, "V 32 0 74;C 32 70 28 92 16 100 6 94 4 82;S 32 0"),
    "K": (74, "V 12;d 62 0 16 58;D 30 42 66 100;S 12 0;S 12 100;s 62 0;S 66 100"),
    "L": (58, "V 12;H 100 12 56;S 12 0;F 12 100;T 56 100 -28 1"),
    "M": (92, "v 12;D 12 0 46 96;d 80 0 46 96;V 80;s 10 0;s 12 100;S 80 0;S 80 100"),
    "N": (78, "v 12;D 12 0 66 100;v 66;s 10 0;s 12 100;s 66 0"),
    "O": (76, "O 2 74 0 100"),
    "P": (62, "V 12;B 12 0 54 60;S 12 100;F 12 0"),
    "Q": (76, "O 2 74 0 100;D 44 74 70 118"),
    "R": (72, "V 12;B 12 0 52 60;D 36 50 64 100;S 12 100;F 12 0;S 64 100"),
    "S": (58, "C 51 20 44 5 28 0 11 8 8 25 16 40 30 48 46 60 51 77 44 93 28 100 13 96 5 78;T 51 5 20 1;T 5 95 -19 -1"),
    "T": (68, "V 34;H 0 4 64;S 34 100;T 64 0 26 1;T 4 0 26 -1"),
    "U": (74, "V 12 0 68;C 12 64 17 90 37 100 57 90 62 64;v 62 0 66;S 12 0;s 62 0"),
    "V": (74, "W 10 66 39;S 10 0;s 66 0"),
    "W": (106, "D 10 0 32 100;d 54 0 32 100;D 54 0 76 100;d 98 0 76 100;S 10 0;s 98 0"),
    "X": (74, "D 10 0 64 100;d 62 0 12 100;S 10 0;S 64 100;s 62 0;s 12 100"),
    "Y": (72, "D 10 0 36 54;d 62 0 36 54;V 36 50 100;S 10 0;s 62 0;S 36 100"),
    "Z": (64, "H 0 8 58;D 56 0 8 100;H 100 8 60;T 8 0 24 -1;T 60 100 -26 1"),
    "0": (60, "O 2 58 0 100"),
    "1": (40, "V 24;d 24 0 8 18;S 24 100"),
    "2": (58, "C 8 24 14 6 30 0 47 8 51 26 42 50 24 72 7 98;H 100 6 52;T 52 100 -26 1"),
    "3": (58, "C 8 17 16 4 30 0 45 8 48 24 42 41 24 47;C 24 47 46 53 52 72 44 93 28 100 12 96 5 80"),
    "4": (62, "V 44;d 44 0 4 70;H 70 4 58;S 44 100"),
    "5": (58, "H 0 13 50;v 13 0 50;C 13 46 30 38 47 48 52 68 44 92 26 100 11 95 5 80"),
    "6": (60, "C 50 12 38 1 22 14 9 42 8 70 14 91 30 100 46 90 52 68 45 47 30 40 15 50 9 68"),
    "7": (56, "H 0 6 50;D 50 0 22 100;T 6 0 24 -1"),
    "8": (60, "O 7 53 0 50;O 3 57 44 100"),
    "9": (60, "C 10 88 22 99 38 86 51 58 52 30 46 9 30 0 14 10 8 32 15 53 30 60 45 50 51 32"),
}


def measure(text: str, form: Letterform, cap: float) -> float:
    """Width of ``text`` in user units, set with capitals ``cap`` units high."""
    return sum(_advance(c, form) for c in text) * cap / 100 - form.spacing * cap / 100


def lettering(text: str, form: Letterform, cap: float, x: float, y: float, anchor: float = 0.5) -> str:
    """Path data (fill rule nonzero) of ``text``, its base line at ``y`` and its ``anchor`` (0 left, 1 right) at ``x``.

    Raises `KeyError` naming the character when the alphabet lacks it.
    """
    left = x - anchor * measure(text, form, cap)
    out: list[str] = []
    for character in text:
        if character != " ":
            out.append(_Glyph(form, cap / 100, left, y - cap).draw(GLYPHS[character][1]))
        left += _advance(character, form) * cap / 100
    return "".join(out)


def _advance(character: str, form: Letterform) -> float:
    if character == " ":
        return 34 * form.width + form.spacing
    return GLYPHS[character][0] * form.width + form.thick * (1 - form.width * 0.5) + form.spacing


class _Glyph:
    """Turns a skeleton into outlines; solids run one way round and holes the other, as the nonzero rule needs."""

    def __init__(self, form: Letterform, scale: float, left: float, top: float) -> None:
        self.form, self.scale, self.left, self.top = form, scale, left, top
        self.out: list[str] = []

    def draw(self, strokes: str) -> str:
        for stroke in strokes.split(";"):
            name, *rest = stroke.split()
            getattr(self, f"_{'thick' if name.isupper() else 'thin'}_{name.lower()}")(*map(float, rest))
        return "".join(self.out)

    def _x(self, x: float) -> float:
        """Skeleton x (0..100) to glyph x: stretched, with room for half a stem on the left."""
        return x * self.form.width + self.form.thick * (0.5 - self.form.width * 0.25)

    def _at(self, x: float, y: float) -> str:
        return f"{number(self.left + x * self.scale)},{number(self.top + y * self.scale)}"

    def _polygon(self, *corners: Point) -> None:
        area = sum(x0 * y1 - x1 * y0 for (x0, y0), (x1, y1) in zip(corners, corners[1:] + corners[:1], strict=True))
        ordered = corners if area > 0 else corners[::-1]
        self.out.append("M" + "L".join(self._at(x, y) for x, y in ordered) + "Z")

    def _stem(self, x: float, y0: float, y1: float, width: float) -> None:
        x = self._x(x)
        self._polygon((x - width / 2, y0), (x + width / 2, y0), (x + width / 2, y1), (x - width / 2, y1))

    def _thick_v(self, x: float, y0: float = 0, y1: float = 100) -> None:
        self._stem(x, y0, y1, self.form.thick)

    def _thin_v(self, x: float, y0: float = 0, y1: float = 100) -> None:
        self._stem(x, y0, y1, self.form.thin * 1.15)

    def _diagonal(self, x0: float, y0: float, x1: float, y1: float, width: float) -> None:
        x0, x1 = self._x(x0), self._x(x1)
        half = width / 2 * math.hypot(x1 - x0, y1 - y0) / abs(y1 - y0)
        self._polygon((x0 - half, y0), (x0 + half, y0), (x1 + half, y1), (x1 - half, y1))

    def _thick_d(self, x0: float, y0: float, x1: float, y1: float) -> None:
        self._diagonal(x0, y0, x1, y1, self.form.thick)

    def _thin_d(self, x0: float, y0: float, x1: float, y1: float) -> None:
        self._diagonal(x0, y0, x1, y1, self.form.thin * 1.1)

    def _thick_w(self, x0: float, x1: float, x2: float) -> None:
        big, small = self.form.thick * 1.06, self.form.thin * 1.1
        tip = small * 0.8
        a, b, left, right = self._x(x0) - big / 2, self._x(x1) + small / 2, self._x(x2) - tip / 2, self._x(x2) + tip / 2
        down, up = (left - a) / 100, (right - b) / 100
        y = (b - small - a - big) / (down - up)
        self._polygon((a, 0), (a + big, 0), (a + big + down * y, y), (b - small, 0), (b, 0), (right, 100), (left, 100))

    def _thick_h(self, y: float, x0: float, x1: float) -> None:
        t = self.form.thin
        top = y * (100 - t) / 100
        a, b = self._x(x0), self._x(x1)
        self._polygon((a, top), (b, top), (b, top + t), (a, top + t))

    def _serif(self, x: float, y: float, stem: float, left: float) -> None:
        f = self.form
        if f.serif == 0:
            return
        x = self._x(x)
        inward = 1 if y < 50 else -1
        half, reach, edge, root = stem / 2, f.serif, y + inward * f.slab, y + inward * (f.slab + f.serif * 0.55)
        a, b = x - half - reach * left, x + half + reach
        corners = [
            (a, y),
            (b, y),
            (b, edge),
            (x + half + reach * 0.25, (edge * 3 + root) / 4),
            (x + half, root),
            (x - half, root),
        ]
        corners += [(x - half - reach * 0.25 * left, (edge * 3 + root) / 4), (a, edge)]
        self._polygon(*corners)

    def _thick_s(self, x: float, y: float) -> None:
        self._serif(x, y, self.form.thick, 1)

    def _thin_s(self, x: float, y: float) -> None:
        self._serif(x, y, self.form.thin, 1.1)

    def _thick_f(self, x: float, y: float) -> None:
        """The outward half of a serif, where the inner side runs into a bowl or a bar."""
        f = self.form
        x = self._x(x)
        inward = 1 if y < 50 else -1
        if f.serif:
            self._polygon(
                (x - f.thick / 2 - f.serif, y), (x, y), (x, y + inward * f.slab), (x - f.thick / 2 - f.serif, y + inward * f.slab)
            )

    def _thick_t(self, x: float, y: float, height: float, side: float) -> None:
        f = self.form
        if f.serif == 0:
            return
        x = self._x(x)
        root = side * (f.slab * 0.9 + f.serif * 0.55)
        self._polygon((x, y), (x, y + height), (x - side * f.slab * 0.45, y + height), (x - root, y))

    def _thick_o(self, x0: float, x1: float, y0: float, y1: float) -> None:
        f = self.form
        a, b = self._x(x0) - f.thick * 0.2, self._x(x1) + f.thick * 0.2
        self._loop(a, b, y0, y1, 1)
        self._loop(a + f.thick, b - f.thick, y0 + f.thin, y1 - f.thin, -1)

    def _loop(self, x0: float, x1: float, y0: float, y1: float, way: int) -> None:
        mx, my, kx, ky = (x0 + x1) / 2, (y0 + y1) / 2, (x1 - x0) * 0.285, (y1 - y0) * 0.285
        if way < 0:
            x0, x1, kx = x1, x0, -kx
        p = self._at
        self.out.append(
            f"M{p(mx, y0)}C{p(mx + kx, y0)} {p(x1, my - ky)} {p(x1, my)}C{p(x1, my + ky)} {p(mx + kx, y1)} {p(mx, y1)}"
            f"C{p(mx - kx, y1)} {p(x0, my + ky)} {p(x0, my)}C{p(x0, my - ky)} {p(mx - kx, y0)} {p(mx, y0)}Z"
        )

    def _thick_b(self, x: float, y0: float, y1: float, x1: float) -> None:
        f = self.form
        left, right = self._x(x), self._x(x1) + f.thick * 0.3
        p, my = self._at, (y0 + y1) / 2
        for inset, way in ((0.0, 1), (1.0, -1)):
            r, t, b = right - inset * f.thick, y0 + inset * f.thin, y1 - inset * f.thin
            m = left + (r - left) * 0.42
            k, ky = (m + 2 * r) / 3, (b - t) * 0.27
            if way < 0:
                t, b, ky = b, t, -ky
            self.out.append(
                f"M{p(left, t)}L{p(m, t)}C{p(k, t)} {p(r, my - ky)} {p(r, my)}C{p(r, my + ky)} {p(k, b)} {p(m, b)}L{p(left, b)}Z"
            )

    def _thick_c(self, *numbers: float) -> None:
        """A pen curve through points: thick where it runs up or down, thin where it runs across."""
        f = self.form
        t = f.thin
        knots = [(self._x(x), t / 2 + y * (100 - t) / 100) for x, y in zip(numbers[::2], numbers[1::2], strict=True)]
        line = subdivide(knots, 5)
        left: list[Point] = []
        right: list[Point] = []
        for i, (x, y) in enumerate(line):
            (ax, ay), (bx, by) = line[max(i - 1, 0)], line[min(i + 1, len(line) - 1)]
            length = math.hypot(bx - ax, by - ay)
            tx, ty = (bx - ax) / length, (by - ay) / length
            half = (t + (f.thick - t) * abs(ty) ** 1.6) / 2
            left.append((x - ty * half, y + tx * half))
            right.append((x + ty * half, y - tx * half))
        self._polygon(*left, *right[::-1])
