"""Groups of cards that cover each other, what of them the truth says can be seen, and recipes that do not ask for them."""

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import cv2
import msgspec
import numpy as np
import pytest

from companion.table.errors import BadRecipe
from workshop.dataset import compose, groups
from workshop.dataset import make as maker
from workshop.dataset.decks import Deck
from workshop.dataset.groups import Dealer
from workshop.dataset.recipe import Recipe, read_recipe
from workshop.stage import cardshape, props, surfaces
from workshop.stage.cards import Textures
from workshop.stage.renderer import Renderer
from workshop.stage.scene import Camera, CardPose, FingersPose, Look, Scene, StackPose, Surface

DATASETS = Path(__file__).parents[3] / "datasets"
FACES = tuple("12345678")
HUES = {face: np.array([(37 * n) % 200 + 40, (91 * n) % 200 + 40, (151 * n) % 200 + 40]) for n, face in enumerate(FACES)}
PLAIN = Look(ambient=1.0, glare=0, vignette=0, blur=0, noise=0, drift=0, shadow=0, falloff=0)
ABOVE = Camera(width=900, height=700, elevation=90, distance=450, focal=1.0)
SIDEWAYS = Camera(width=900, height=700, elevation=40, azimuth=20, distance=600, focal=1.0)


SIZES = {"stu": (50.0, 94.0), "ramino": (58.0, 88.0)}


def textures() -> Textures:
    """Each card in a colour of its own, without round corners."""
    flat = {("stu", face): np.dstack([np.full((94, 50, 3), hue, np.uint8), np.full((94, 50), 255, np.uint8)])
            for face, hue in HUES.items()}
    return Textures({**flat, ("stu", "back"): np.full((94, 50, 4), 255, np.uint8)})


def dealer(seed: int) -> Dealer:
    return Dealer([Deck("stu", FACES, (50.0, 94.0), textures(), False)], np.random.default_rng(seed))


def groups_of(number: int, raised: float = 0.0) -> list[list[CardPose]]:
    return [groups.spread(dealer(seed), "stu", 5.0, -8.0, 33.0, raised) for seed in range(number)]


def test_a_group_is_two_to_five_cards_about_its_place() -> None:
    found = groups_of(200)
    assert {len(cards) for cards in found} == {2, 3, 4, 5}
    for cards in found:
        middle = np.mean([(card.x, card.y) for card in cards], axis=0)
        assert middle == pytest.approx([5.0, -8.0], abs=1e-6)
        assert len({card.id for card in cards}) == len(cards)


def test_most_groups_overlap_and_some_lie_edge_to_edge() -> None:
    kinds = {"covering": 0, "touching": 0}
    for cards in groups_of(200):
        touching = all(not card.contact for card in cards)
        steps = [np.hypot(a.x - b.x, a.y - b.y) for a, b in pairwise(cards)]
        kinds["touching" if touching else "covering"] += 1
        assert (min(steps) > 45) if touching else (max(steps) < 94)
    assert kinds["covering"] > 3 * kinds["touching"] > 30


def test_a_pile_was_laid_face_up_card_by_card_by_people_round_a_table() -> None:
    stray = []
    for seed in range(100):
        cards = groups.pile(dealer(seed), "stu", 5.0, -8.0, 33.0, raised=0.0)
        assert groups.PILE[0] <= len(cards) <= 2 * groups.PILE[1]
        assert all(card.face_up for card in cards)
        heights = [card.z for card in cards]
        assert heights == sorted(set(heights)), "each on those before it"
        stray += [np.hypot(card.x - 5.0, card.y + 8.0) for card in cards]
    assert 5 < np.median(stray) < 30
    assert max(stray) < 120


def test_only_a_recipe_that_asks_for_piles_has_them() -> None:
    crowded = Recipe(count=1, seed=3, overlap=1.0, game=0.0, cards=40)
    most = dict.fromkeys((0.0, 1.0), 0)
    for piles in most:
        recipe = msgspec.structs.replace(crowded, piles=piles)
        for seed in range(6):
            decks = [Deck(name, ("1", "2"), size, Textures({}), False) for name, size in SIZES.items()]
            laid = compose.scattered(recipe, decks, Surface(), np.random.default_rng(seed))
            layers = [round(card.z / groups.THICKNESS) for card in laid.scene.cards if card.z <= 20 * groups.THICKNESS]
            most[piles] = max(most[piles], *layers)
    assert most[0.0] <= 4 < most[1.0]


def test_neighbours_in_a_fan_or_cascade_keep_their_step_and_turn() -> None:
    rng = np.random.default_rng(4)
    for _ in range(100):
        for places in (groups._fan(rng, 5, 50.0, 94.0), groups._cascade(rng, 5, (50.0, 94.0), crossed=True)):
            steps = np.hypot(*np.diff(places[:, :2], axis=0).T)
            assert np.abs(np.diff(places[:, 2])).max() <= groups.TURNS[1] + 1e-9
            # People lay no card to the millimetre: 15 % more or less.
            assert 0.84 * groups.STEPS[0] * 50 < steps.min()
            assert steps.max() < 1.16 * groups.STEPS[1] * 94


def test_raised_cards_stand_one_to_four_millimetres_off_with_a_darker_rim() -> None:
    covering = [cards for cards in groups_of(150, raised=1.0) if any(card.contact for card in cards)]
    for cards in covering:
        assert cards[0].z == cards[0].tilt == cards[0].contact == 0
        for n, card in enumerate(cards[1:], start=1):
            high = np.ptp(cardshape.rows(replace(card, bend=0.0))[..., 2]) if card.tilt else card.z - groups.THICKNESS * n
            assert 0.99 <= high <= 4.01
            assert card.contact >= 0.25
    flat = [card for cards in groups_of(150) for card in cards]
    assert all(card.tilt == 0 and card.z < 2 for card in flat)


@pytest.mark.parametrize("camera", [ABOVE, SIDEWAYS], ids=["from above", "from the side"])
def test_the_truth_s_visible_share_is_what_is_drawn(camera: Camera) -> None:
    """Each card of a group in a colour of its own: its pixels in the group beside those that it has alone."""
    renderer = Renderer(camera, Surface("laminate", 3, width=9000, depth=9000), textures(), PLAIN, 1)
    compared = 0
    for cards in groups_of(15, raised=0.5):
        coloured = tuple(replace(card, key=("stu", FACES[n]), face_up=True, bend=0.0, contact=0.0)
                         for n, card in enumerate(cards))  # fmt: skip
        frame = renderer.frame(Scene(cards=coloured))
        table = frame.image[5, 5]
        far = [np.abs(frame.image.astype(int) - hue).sum(2) for hue in (*(HUES[card.key[1]] for card in coloured), table)]
        shown = np.argmin(far, axis=0)
        for n, truth in enumerate(frame.truth):
            whole = np.zeros(shown.shape, np.uint8)
            cv2.fillConvexPoly(whole, np.round(truth.quad).astype(np.int32), 1)
            share = np.count_nonzero((shown == n) & (whole > 0)) / cv2.contourArea(truth.quad.astype(np.float32))
            assert truth.visible == pytest.approx(share, abs=0.025)
            compared += truth.visible < 0.9
    assert compared > 12


def test_a_fan_in_a_hand_lies_between_its_fingers_and_its_thumb() -> None:
    sides = set()
    for seed in range(30):
        hand = FingersPose("h0", 0, 0, float(seed * 24))
        cards, held = groups.in_hand(dealer(seed), SIDEWAYS, "stu", hand, (10.0, 20.0))
        assert min(cardshape.corners3(card)[:, 2].min() for card in cards) >= -1e-6
        axes = [np.radians(card.angle + card.tilt_axis) for card in cards]
        assert np.ptp(np.unwrap(axes)) == pytest.approx(0, abs=1e-6)  # one plane
        shown = {cardshape.shows_face(SIDEWAYS, card) for card in cards}
        sides |= shown
        assert len(shown) == 1
        assert (held.holds == cards[0].id) == shown.pop()
        assert held.fan == (tuple(card.id for card in cards[1:]) if held.holds else ())
        order = [thing.id for thing, _ in _drawn(Scene(cards=tuple(cards), fingers=(held,)))]
        expected = [card.id for card in cards]
        assert order == (["h0", *expected, "h0"] if held.holds else [*expected, "h0"])
    assert sides == {True, False}


def _drawn(scene: Scene) -> list[tuple[CardPose | FingersPose, str]]:
    from workshop.stage.renderer import _layers

    return _layers(scene, Camera(width=480, height=300, elevation=50, distance=900))  # type: ignore[return-value]


def test_a_card_at_a_stack_lies_on_it_or_half_under_it() -> None:
    stack = StackPose("k1", ("stu", "1"), 3, 4, 20, size=(50.0, 94.0))
    heights = set()
    for seed in range(30):
        card = groups.at_stack(dealer(seed), "stu", stack)
        off = np.hypot((card.x - stack.x) / 50, (card.y - stack.y) / 94)
        assert off < 1.5
        heights.add((card.layer, card.z))
    assert heights == {(0, stack.count * stack.thickness), (-1, 0.0)}


def test_a_dark_rim_lies_around_a_card_with_contact_and_not_on_it() -> None:
    card = CardPose("a", ("stu", "1"), 0, 0)
    renderer = Renderer(ABOVE, Surface("laminate", 3, width=9000, depth=9000), textures(), PLAIN, 1)
    without, rimmed = (renderer.frame(Scene(cards=(replace(card, contact=c),))).image.astype(int) for c in (0.0, 0.7))
    darker = (without - rimmed).max(2)
    left, top = (int(v) for v in cardshape.quad(ABOVE, card)[0])
    inside = darker[top + 2 : top + 94 * 2 - 2, left + 2 : left + 50 * 2 - 2]
    assert inside.max() == 0
    assert darker[350, left - 1] > 15
    assert darker[350, left - 8] <= 1


PINNED = [
    ("scattered", 1, (22, 4, 3, 1), -40.455),
    ("scattered", 2, (12, 1, 2, 0), 2597.982),
    ("game", 1, (1, 4, 0, 1), -273.32),
    ("game", 2, (17, 2, 0, 1), 3044.51),
]


@pytest.mark.parametrize(("how", "seed", "numbers", "total"), PINNED)
def test_recipes_that_ask_for_none_of_it_lay_what_they_always_laid(
    how: str, seed: int, numbers: tuple[int, ...], total: float
) -> None:
    """The frozen holdouts are made by seed: these numbers are older than groups and clutter."""
    decks = [Deck(name, ("1", "2", "3"), size, Textures({}), False) for name, size in SIZES.items()]
    scene = getattr(compose, how)(Recipe(count=1, seed=1), decks, Surface(), np.random.default_rng(seed)).scene
    assert (len(scene.cards), len(scene.props), len(scene.fingers), len(scene.stacks)) == numbers
    assert sum(c.x + c.y + c.angle + c.z + c.tilt for c in scene.cards) == pytest.approx(total, abs=0.01)
    assert {prop.kind for prop in scene.props} <= set(props.USUAL)
    assert all(card.contact == 0 for card in scene.cards)


def test_what_recipes_draw_from_by_default_is_frozen() -> None:
    assert surfaces.KINDS == (
        "wood", "felt", "checks", "stripes", "flowers", "print", "marble", "laminate", "terrazzo", "linen", "upholstery", "stone",
    )  # fmt: skip
    assert surfaces.ALL[: len(surfaces.KINDS)] == surfaces.KINDS
    assert Recipe(count=1, seed=1).surface_kinds == surfaces.KINDS
    assert props.USUAL == (
        "glass", "wine", "beer", "cup", "bottle", "ashtray", "coin", "phone", "coaster", "beermat", "receipt", "napkin",
        "pack", "notepad", "pen", "keys", "lighter",
    )  # fmt: skip


@pytest.mark.parametrize("how", ["scattered", "game"])
def test_a_recipe_that_asks_gets_groups_and_clutter(how: str) -> None:
    asked = Recipe(count=1, seed=1, overlap=0.6, raised=0.5, clutter=1.0)
    decks = [Deck(name, ("1", "2"), size, Textures({}), False) for name, size in SIZES.items()]
    contact, kinds = 0, set()
    for seed in range(20):
        scene = getattr(compose, how)(asked, decks, Surface(), np.random.default_rng(seed)).scene
        contact += sum(card.contact > 0 for card in scene.cards)
        kinds |= {prop.kind for prop in scene.props}
        ids = [thing.id for thing in (*scene.cards, *scene.props, *scene.stacks, *scene.fingers)]
        assert len(set(ids)) == len(ids)
    assert contact > 40
    assert len(kinds & set(props.CLUTTER)) > 6


def test_hard_from_draws_the_hardness_of_each_picture(tmp_path: Path) -> None:
    path = tmp_path / "recipe.yaml"
    path.write_text("count: 5\nseed: 1\nhard: 0.3\nhard_from: 0.5")
    with pytest.raises(BadRecipe, match=r"hard_from is 0\.5: expected at most hard, which is 0\.3"):
        read_recipe(path)


def test_a_metered_picture_of_a_white_table_shows_more_than_white() -> None:
    asked = Recipe(count=40, seed=6, size=(160, 96), game=0)
    flat = textures()
    decks = {name: [Deck(name, FACES, size, _AnyDeck(flat), False)] for name, size in SIZES.items()}
    blown = []
    for recipe in (asked, msgspec.structs.replace(asked, metered=True)):
        pictures = [maker._drawn(maker._composed(recipe, n, decks, [], [("damask", 1)], [])) for n in range(40)]
        blown.append([float((picture.image.min(2) > maker.WHITE).mean()) for picture in pictures])
    before, after = np.array(blown)
    assert np.count_nonzero(before > 0.3) >= 2
    assert np.count_nonzero(after > 0.3) == 0
    kept = before <= maker.BLOWN
    assert 0 < np.count_nonzero(kept) < len(kept)
    assert np.array_equal(before[kept], after[kept])


class _AnyDeck(Textures):
    """The same flat cards whatever the deck is called."""

    def __init__(self, flat: Textures) -> None:
        super().__init__({})
        self._flat = flat

    def level(self, key: tuple[str, str], length: float) -> np.ndarray:
        return self._flat.level(("stu", key[1]), length)


@pytest.mark.parametrize(("name", "model"), [("overlap", "train"), ("val-overlap", "train"), ("overlap", "val-overlap")])
def test_the_overlap_holdout_shares_nothing_with_what_is_learnt(name: str, model: str) -> None:
    """Nor with any other recipe's seed: pictures of one seed would be alike."""
    held, learnt = read_recipe(DATASETS / f"{name}.yaml"), read_recipe(DATASETS / f"{model}.yaml")
    for field in ("styles", "surfaces", "rooms"):
        (low, high), (first, last) = getattr(held, field), getattr(learnt, field)
        assert low >= last or high <= first
    recipes = [msgspec.yaml.decode(path.read_bytes()) for path in DATASETS.glob("*.yaml")]
    seeds = [recipe["seed"] for recipe in recipes if "count" in recipe]
    assert len(set(seeds)) == len(seeds)
