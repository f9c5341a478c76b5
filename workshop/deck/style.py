"""How a deck was printed: everything that may differ between two printings of the same cards, as one frozen value."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from random import Random
from typing import Literal

Garland = Literal["swags", "bunting", "laurel", "none"]
Back = Literal["arabesque", "diamonds", "weave", "checks"]
RaminoBack = Literal["lattice", "rosettes", "waves", "chevrons", "plain"]
ItalianBack = Literal["stars", "scales", "tiles"]


@dataclass(frozen=True, slots=True)
class Palette:
    """Flat printing colours, ``#rrggbb``."""

    paper: str = "#fffefb"
    ink: str = "#17161a"
    red: str = "#d3202e"
    blue: str = "#1c62b0"
    green: str = "#17793f"
    yellow: str = "#f9d31c"
    flesh: str = "#f7c6b7"
    pale: str = "#cfd9e6"
    brown: str = "#9a6a35"
    sand: str = "#f0c069"
    night: str = "#20406f"


@dataclass(frozen=True, slots=True)
class Letterform:
    """An alphabet of one skeleton; lengths in hundredths of the cap height.

    ``thick`` and ``thin`` are the widths of the stems and of the hairlines, ``serif`` how far a serif sticks out, ``slab`` how
    thick it is, ``width`` stretches the skeleton, ``spacing`` is the gap between two letters.
    """

    thick: float
    thin: float
    serif: float
    slab: float
    width: float
    spacing: float = 12.0


DIDONE = Letterform(thick=14.5, thin=6.2, serif=7.5, slab=4.5, width=1.12, spacing=9)
SLAB = Letterform(thick=22, thin=11, serif=9, slab=11, width=0.86, spacing=9)
NUMERAL = Letterform(thick=17, thin=5.5, serif=4.6, slab=3.4, width=0.58, spacing=4.6)
INDEX = Letterform(thick=15, thin=12, serif=0, slab=0, width=0.8, spacing=10)


@dataclass(frozen=True, slots=True)
class Style:
    """One printing of the decks.

    Lengths are in tenths of a millimetre. ``line`` multiplies the width of every outline, ``hatch`` the density of the
    shading (0 = none), ``register`` is how far the colours are printed beside the outlines (x, y), ``wear`` (0..1) the
    rubbed-off specks and the dirt of the rim. ``seed`` decides the small accidents, so equal styles draw equal cards.
    ``italian_pips`` are the figures of coins, cups, swords and batons, ``italian_crossed`` the suits whose long pips cross each
    other, ``italian_dress`` says which inks the figures' clothes change among themselves (`courts.SWAPS`).
    """

    palette: Palette = field(default_factory=Palette)
    line: float = 1.0
    hatch: float = 1.0
    register: tuple[float, float] = (0.0, 0.0)
    wear: float = 0.0
    seed: int = 0
    corner: float = 44.0
    border: float = 3.4
    border_inset: float = 46.0
    border_radius: float = 38.0
    garland: Garland = "swags"
    garland_width: float = 1.0
    landscape_mirrored: bool = False
    caption: Letterform = DIDONE
    caption_heavy: Letterform = SLAB
    caption_scale: float = 1.0
    numeral: Letterform = NUMERAL
    numeral_scale: float = 1.0
    figure_scale: float = 1.0
    back: Back = "arabesque"
    back_ink: str = "#17161a"
    ramino_red: str = "#d3202e"
    ramino_black: str = "#17161a"
    ramino_pip: float = 1.0
    ramino_index: float = 1.0
    ramino_index_form: Letterform = INDEX
    ramino_corner: float = 36.0
    ramino_back: RaminoBack = "lattice"
    ramino_back_ink: str = "#b3202c"
    ramino_back_margin: float = 36.0
    italian_pips: tuple[str, str, str, str] = ("coin", "cup", "sword", "baton")
    italian_pip: float = 1.0
    italian_crossed: tuple[str, ...] = ("bastoni",)
    italian_dress: int = 0
    italian_inset: float = 30.0
    italian_back: ItalianBack = "stars"
    italian_back_ink: str = "#1f6a4a"

    @staticmethod
    def standard() -> Style:
        """The committed deck, which the dashboard shows and the bundled clip is played with."""
        return Style()

    @staticmethod
    def random(rng: Random) -> Style:
        """A plausible other printing: inks, paper, letters, weights, borders, garland, wear. Equal rng state, equal style."""
        u, pick = rng.uniform, rng.choice
        old = rng.random() < 0.25
        paper = _mix("#fefdf8", pick(["#f0e3c2", "#e9e2d0", "#ffffff", "#f4f4f0"]), u(0, 1.0 if old else 0.6))
        standard = Palette()
        faded = u(0.0, 0.35 if old else 0.12)

        def ink(*choices: str) -> str:
            return _mix(_shift(pick(choices), rng), paper, faded)

        palette = Palette(
            paper=paper,
            ink=_mix(pick(["#17161a", "#000000", "#241c18", "#1a1c2c"]), paper, faded * 0.6),
            red=ink(standard.red, "#c4122f", "#e03c28", "#b3282d"),
            blue=ink(standard.blue, "#2a4f9e", "#0f7cc4", "#274b7d"),
            green=ink(standard.green, "#0e6b3a", "#3f8f3a", "#2d6a4f"),
            yellow=ink(standard.yellow, "#ffe11a", "#e0ab2b", "#f2d15c"),
            flesh=ink(standard.flesh, "#f5b7a5", "#f6d3bd", "#efc0b8"),
            pale=ink(standard.pale, "#dfe3e8", "#bccbe0"),
            brown=ink(standard.brown, "#7d5527", "#b98645"),
            sand=ink(standard.sand, "#f3cf9a", "#e3a94f", "#f2c7a0"),
            night=ink(standard.night, "#1a2c4e", "#28548f", "#222433"),
        )
        letters = Style._letters(rng)
        return replace(
            Style(),
            palette=palette,
            line=u(0.7, 1.5),
            hatch=pick([0.0, u(0.4, 1.0), u(0.8, 1.5)]),
            register=(u(-3, 3), u(-3, 3)) if rng.random() < 0.4 else (0.0, 0.0),
            wear=0.0 if rng.random() < 0.3 else rng.random() ** 2,
            seed=rng.randrange(2**31),
            corner=u(25, 52),
            border=pick([0.0, u(1.5, 4.5), u(2, 3.5), u(2, 3.5)]),
            border_inset=u(14, 52),
            border_radius=u(10, 44),
            garland=pick(["swags", "swags", "swags", "bunting", "laurel", "none"]),
            garland_width=u(0.88, 1.06),
            landscape_mirrored=rng.random() < 0.15,
            caption=letters[0],
            caption_heavy=letters[1],
            caption_scale=u(0.88, 1.1),
            numeral=letters[2],
            numeral_scale=u(0.85, 1.12),
            figure_scale=u(0.93, 1.04),
            back=pick(["arabesque", "arabesque", "diamonds", "weave", "checks"]),
            back_ink=_shift(pick(["#17161a", "#17161a", "#17161a", "#1c3f8f", "#a3202c", "#1e5b36"]), rng),
            ramino_red=_shift(pick(["#d3202e", "#e00000", "#b9182b"]), rng),
            ramino_black=pick(["#17161a", "#000000", "#22252c"]),
            ramino_pip=u(0.85, 1.12),
            ramino_index=u(0.8, 1.35),
            ramino_index_form=letters[3],
            ramino_corner=u(24, 46),
            ramino_back=pick(["lattice", "rosettes", "waves", "chevrons", "plain"]),
            ramino_back_ink=_shift(pick(["#b3202c", "#1c3f8f", "#17161a", "#1e6b46", "#5b2a6e", "#c2571a"]), rng),
            ramino_back_margin=pick([0.0, u(15, 55), u(15, 55)]),
            # Newer draws come last, so that what older pictures were made of stays the same.
            italian_pips=(
                pick(["coin", "coin", "coin-sun"]),
                pick(["cup", "cup", "cup-covered"]),
                pick(["sword", "sword", "sword-curved"]),
                pick(["baton", "baton", "baton-leafy"]),
            ),
            italian_pip=u(0.88, 1.06),
            italian_crossed=pick([("bastoni",), ("bastoni",), (), ("spade",), ("spade", "bastoni")]),
            italian_dress=pick([0, 0, 1, 2, 3]),
            italian_inset=u(12, 36),
            italian_back=pick(["stars", "scales", "tiles"]),
            italian_back_ink=_shift(pick(["#1f6a4a", "#1c3f8f", "#a3202c", "#7a4a1e", "#17161a"]), rng),
        )

    @staticmethod
    def _letters(rng: Random) -> tuple[Letterform, Letterform, Letterform, Letterform]:
        u = rng.uniform
        caption = Letterform(u(9, 18), u(4, 8), u(5, 10), u(3.5, 7), u(0.85, 1.1), u(6, 14))
        heavy = Letterform(u(17, 24), u(7, 13), u(6, 10), u(7, 12), u(0.76, 0.95), u(5, 12))
        numeral = Letterform(u(13, 24), u(5, 9), u(4, 9), u(3, 6), u(0.5, 0.75), u(1, 6))
        if rng.random() < 0.5:
            index = Letterform(u(12, 19), u(9, 14), 0, 0, u(0.65, 0.95), u(6, 12))
        else:
            index = Letterform(u(13, 18), u(5, 7), u(5, 9), u(4, 6), u(0.7, 0.95), u(6, 12))
        return caption, heavy, numeral, index


def _channels(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def _mix(colour: str, other: str, share: float) -> str:
    """``colour`` with ``share`` (0..1) of ``other`` in it."""
    pairs = zip(_channels(colour), _channels(other), strict=True)
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in pairs)


def _shift(colour: str, rng: Random, most: int = 14) -> str:
    """``colour`` with each channel moved by up to ``most``."""
    return "#" + "".join(f"{min(255, max(0, c + rng.randint(-most, most))):02x}" for c in _channels(colour))
