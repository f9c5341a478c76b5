"""A lesson is kept only when the face is read right with it, and nothing that was read right is read worse."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from companion.eyes.enrol.lessons import NAMED_PROBABILITY, SURE_PROBABILITY, Example, learnt
from companion.eyes.reader import Prototypes
from companion.eyes.reading import Reading

CARDS = ("gnao", "salta", "matto", "1", "2")
LENGTH = 8


def unit(rng: np.random.Generator, *shape: int) -> np.ndarray:
    made = rng.normal(size=(*shape, LENGTH))
    return np.asarray(made / np.linalg.norm(made, axis=-1, keepdims=True), np.float32)


def near(point: np.ndarray, rng: np.random.Generator, far: float) -> np.ndarray:
    moved = point + far * unit(rng)
    return np.asarray(moved / np.linalg.norm(moved), np.float32)


def prototypes(rng: np.random.Generator) -> Prototypes:
    names = tuple(f"stu/{card}" for card in CARDS)
    return Prototypes(names, unit(rng, len(CARDS)), ("stu",), 25.0, 0.6)


def surely(known: Prototypes, one: Example) -> float:
    [reading] = known.readings(one.point[None])
    return _named(reading, one.card)


def _named(reading: Reading, card: str) -> float:
    return min(reading.known, reading.probability) if (reading.deck, reading.card) == ("stu", card) else 0.0


@given(st.integers(0, 10_000), st.floats(0.1, 1.5), st.integers(0, 30))
def test_whatever_is_learnt_harms_nothing_and_helps(seed: int, far: float, crops: int) -> None:
    rng = np.random.default_rng(seed)
    known = prototypes(rng)
    evening = [Example(card, near(known.points[CARDS.index(card)], rng, far)) for card in rng.choice(CARDS, crops).tolist()]
    wrong, right = rng.choice(len(CARDS), 2, replace=False)
    corrected = Example(CARDS[right], near(known.points[wrong], rng, far))
    points = np.stack([near(corrected.point, rng, 0.2) for _ in range(2)])
    verdict = learnt(known, "stu", corrected, points, evening)
    if verdict.outcome != "kept":
        assert verdict.prototypes is known
        return
    assert surely(known, corrected) < NAMED_PROBABILITY <= surely(verdict.prototypes, corrected)
    for one in evening:
        before, after = surely(known, one), surely(verdict.prototypes, one)
        assert after >= SURE_PROBABILITY or before < SURE_PROBABILITY
        assert after >= NAMED_PROBABILITY or before < NAMED_PROBABILITY


def test_each_outcome_comes_about() -> None:
    rng = np.random.default_rng(3)
    known = prototypes(rng)
    gnao, salta = known.points[:2]
    misread = Example("gnao", near(salta, rng, 0.9))
    points = np.stack([misread.point, near(misread.point, rng, 0.1)])
    assert learnt(known, "stu", Example("gnao", gnao), points, []).outcome == "known"
    assert learnt(known, "stu", misread, np.stack([gnao, gnao]), []).outcome == "not_learnt"
    assert learnt(known, "stu", misread, points, [Example("gnao", gnao), Example("salta", salta)]).outcome == "kept"
    torn = Example("salta", near(misread.point, rng, 0.05))  # of the two that look the same one was read right
    known = known.taught(["stu/salta"], torn.point[None] * 0.999, 25.0, 0.6)
    assert learnt(known, "stu", misread, points, [torn]).outcome in ("harms", "not_learnt")

