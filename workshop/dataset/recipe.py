"""The recipe of a data set: what its pictures may show, and the seed that makes the same pictures again."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta

from companion.table.errors import BadRecipe
from workshop.dataset.decks import ITALIAN
from workshop.deck.strange.decks import BACKS, FACES, LARGE, TAUGHT_BACKS, TAUGHT_FACES
from workshop.stage.lookalikes import TAUGHT
from workshop.stage.surfaces import ALL as SURFACES
from workshop.stage.surfaces import KINDS as USUAL_SURFACES
from workshop.stage.unseen import PAINTERS
from workshop.yamlfile import read_yaml_or

Share = Annotated[float, Meta(ge=0, le=1)]
Seeds = tuple[Annotated[int, Meta(ge=0)], Annotated[int, Meta(ge=1)]]
"""The first seed, and the first one after the last."""
SCANS = ("napoletane", "piacentine")
"""Scanned decks that are not ours."""


class Recipe(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What `companion dataset make` draws. Ranges are (least, most), both included, and lengths in pixels of the picture.

    ``count`` pictures of ``size`` (width, height). ``length``: card length; in three of four pictures it is in
    ``usual_length``. ``elevation``: degrees above the horizontal. ``hard``: how far dim light, glare, blur and noise go.
    ``game``: share of pictures that are laid out as in the game; in the others cards are scattered. ``cover``: how much hands,
    glasses and other cards cover cards. ``cards``: most cards in a scattered picture. ``styles``, ``surfaces``: seeds of drawn
    decks and of table tops, so that a holdout's are never trained on; ``surface_kinds`` may narrow the kinds. ``rooms``: which
    part of the sorted ``--backgrounds`` pictures is used. ``scans``: share of pictures with scanned decks, where ``--scans`` is
    given. ``photo_surfaces``: share of table tops that are photographed, where ``--surfaces`` is given; a holdout has none.

    ``overlap``: share of the places with cards where two to five of one deck cover each other or lie edge to edge (see
    `groups.spread`), and of the pictures with a fan held in a hand. ``piles``: share of the scattered ones of these that are a
    pile which was laid card by card. ``raised``: share of the cards on others that rest 1 to 4 mm up, a little tilted.
    ``clutter``: share of the pictures with things that are easily mistaken for cards: poker chips, folded
    napkins, labels, boxes, tiles, bank cards (see `props.CLUTTER`). ``hard_from``: where given, how hard each picture is lies
    anywhere between this and ``hard``. ``metered``: the camera exposes less where much of the picture would be white, as cameras
    do, so that white cards on a white table can be seen. Without these five, and with the usual surfaces, a recipe's pictures
    stay what they were.

    ``strange``: share of pictures with one or two decks that are not the game's, which lie about as those do. ``strange_faces``,
    ``strange_backs``: their families; of the faces also scanned decks, as ``piacentine``, where ``--scans`` is given, and
    ``italian``, our drawn Italian deck with its own back. One that is named twice is drawn twice as often. ``black``: share of
    them that are printed on black. ``foreign``: scanned decks whose faces lie about where ``strange`` is 0; a picture that none
    of those left out would have lain in stays the same.

    ``things``: share of the pictures in which things that look like cards, of the kinds ``thing_kinds`` (`unseen.PAINTERS`),
    lie on the table and stand on it and behind it. ``empty``: share of the pictures without any card; ``bare``: share of those
    that show nothing but the room. ``seated``: share of the pictures of a whole table at which people sit. See `furnish`.
    """

    count: Annotated[int, Meta(ge=1, le=1_000_000)]
    seed: Annotated[int, Meta(ge=0)]
    size: tuple[Annotated[int, Meta(ge=64, le=4096)], Annotated[int, Meta(ge=64, le=4096)]] = (640, 384)
    length: tuple[Annotated[float, Meta(ge=8)], Annotated[float, Meta(le=1000)]] = (15.0, 250.0)
    usual_length: tuple[Annotated[float, Meta(ge=8)], Annotated[float, Meta(le=1000)]] = (22.0, 110.0)
    elevation: tuple[Annotated[float, Meta(ge=20, le=90)], Annotated[float, Meta(ge=20, le=90)]] = (30.0, 90.0)
    hard: Share = 0.35
    game: Share = 0.45
    cover: Share = 0.4
    cards: Annotated[int, Meta(ge=1, le=60)] = 22
    styles: Seeds = (0, 400)
    surfaces: Seeds = (0, 400)
    surface_kinds: tuple[str, ...] = USUAL_SURFACES
    rooms: tuple[Share, Share] = (0.0, 1.0)
    scans: Share = 0.5
    photo_surfaces: Share = 0.0
    overlap: Share = 0.0
    piles: Share = 0.0
    raised: Share = 0.0
    clutter: Share = 0.0
    hard_from: Share | None = None
    strange: Share = 0.0
    strange_faces: tuple[str, ...] = TAUGHT_FACES
    strange_backs: tuple[str, ...] = TAUGHT_BACKS
    black: Share = 0.0
    metered: bool = False
    foreign: tuple[str, ...] = SCANS
    things: Share = 0.0
    thing_kinds: tuple[str, ...] = tuple(TAUGHT)
    empty: Share = 0.0
    bare: Share = 0.0
    seated: Share = 0.0
    about: str = ""


def read_recipe(path: Path) -> Recipe:
    """Read and check a recipe file (YAML). Raises `BadRecipe`, which names the file and the field."""
    recipe = read_yaml_or(path, Recipe, BadRecipe, "a recipe is a YAML file such as datasets/train.yaml")
    for name in ("length", "usual_length", "elevation", "rooms"):
        low, high = getattr(recipe, name)
        if low > high:
            raise BadRecipe(f"{path}: {name} is [{low:g}, {high:g}]: expected the lesser number first")
    if recipe.hard_from is not None and recipe.hard_from > recipe.hard:
        raise BadRecipe(f"{path}: hard_from is {recipe.hard_from:g}: expected at most hard, which is {recipe.hard:g}")
    for name in ("styles", "surfaces"):
        low, high = getattr(recipe, name)
        if low >= high:
            raise BadRecipe(f"{path}: {name} is [{low}, {high}]: no seed lies between; expected [first, first after the last]")
    unknown = [kind for kind in recipe.surface_kinds if kind not in SURFACES]
    if unknown or not recipe.surface_kinds:
        raise BadRecipe(f"{path}: surface_kinds: {unknown or 'empty'}: expected some of {', '.join(SURFACES)}")
    for name, there in (("foreign", SCANS), ("strange_faces", (*FACES, *LARGE, *SCANS, ITALIAN)),
                        ("strange_backs", BACKS), ("thing_kinds", tuple(PAINTERS))):
        strange = [family for family in getattr(recipe, name) if family not in there]
        if strange or (name != "foreign" and not getattr(recipe, name)):
            raise BadRecipe(f"{path}: {name}: {strange or 'empty'}: expected some of {', '.join(there)}")
    return recipe
