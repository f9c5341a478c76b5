"""What the networks found in the demo clips, as tests play it: it is what they find, it is not stale, it is small."""

from __future__ import annotations

import lzma
from collections.abc import Iterator

import cv2
import inputs
import numpy as np
import pytest
import record_looks
import recorded_looks
from recorded_looks import CLIPS, DemoClip, RecordedLook, StaleRecord

from companion.eyes.source import Picture, pictures
from companion.line.defaults import LOOKS_PER_SECOND

EVERY_CLIP = pytest.mark.parametrize("game", CLIPS)
FAR_SHARE = 0.02
"""Share of the cards that another processor, which rounds otherwise, may lead the networks far from the record: found in one of
the two alone, of another side or kind, or farther off than `record_looks.OFF_PIXELS` and `OFF_SCORE` say."""


@pytest.mark.networks
@EVERY_CLIP
def test_the_networks_find_what_is_kept(game: str) -> None:
    found = record_looks.distance(recorded_looks.seen(game), DemoClip(game).looked())
    print(f"{game}: {found}")
    assert found.cards > 1000
    assert found.other + found.off <= FAR_SHARE * found.cards, f"{game}: {found}; if that is meant: {recorded_looks.MEND}"


@EVERY_CLIP
def test_a_record_is_small_and_has_every_picture(game: str) -> None:
    times = [moment.t for moment in recorded_looks.record(game).moments]
    assert DemoClip(game).kept.stat().st_size < record_looks.LARGEST
    assert times == sorted(times)
    assert len(times) > 500


@pytest.fixture
def fresh() -> Iterator[None]:
    """Records are read again, before and after."""
    recorded_looks.record.cache_clear()
    yield
    recorded_looks.record.cache_clear()


@pytest.mark.parametrize(("what", "name"), [("networks", "_networks"), ("code", "_code"), ("libraries", "_libraries")])
def test_a_stale_record_is_refused_with_the_command_that_mends_it(
    fresh: None, monkeypatch: pytest.MonkeyPatch, what: str, name: str
) -> None:
    monkeypatch.setattr(recorded_looks, name, lambda: "other")
    with pytest.raises(StaleRecord, match=rf"stoper\.looks: stale, .*: {what}; make it again with: make looks"):
        recorded_looks.record("stoper")


def test_a_record_that_is_gone_or_damaged_is_refused_in_the_same_way(
    fresh: None, monkeypatch: pytest.MonkeyPatch, tmp_path: object
) -> None:
    monkeypatch.setattr(recorded_looks, "FOLDER", tmp_path)
    with pytest.raises(StaleRecord, match=r"no record that can be read .*make looks"):
        recorded_looks.record("stu")


def test_what_is_kept_is_what_was_seen_to_a_hundredth_of_a_pixel() -> None:
    before = list(recorded_looks.seen("stoper"))
    again = record_looks.encoded(before)
    kept = recorded_looks.msgspec.msgpack.decode(lzma.decompress(again), type=recorded_looks.Record)
    assert kept.cards == recorded_looks.record("stoper").cards
    assert [one.cards for one in kept.moments] == [one.cards for one in recorded_looks.record("stoper").moments]


def test_a_picture_is_known_again_through_another_camera_and_what_is_none_shows_nothing() -> None:
    clip, look = DemoClip("stoper"), RecordedLook(["stoper"])
    picture = next(pictures(str(clip.path), LOOKS_PER_SECOND, 33.0))
    small = np.asarray(np.clip(cv2.resize(picture.image, (640, 360)) * 0.8 + 20, 0, 255), np.uint8)
    found, through = look(picture), look(Picture(0.0, small))
    assert len(found) > 5
    assert [(card.side, card.card) for card in through] == [(card.side, card.card) for card in found]
    assert np.allclose([card.quad for card in through], np.divide([card.quad for card in found], 2), atol=20)
    for nothing in (np.zeros_like(small), np.random.default_rng(1).integers(0, 255, small.shape, np.uint8)):
        assert look(Picture(0.0, nothing)) == ()


CODE = '''"""What it is."""

x = f"a{1:>{2}}b"  # a comment
def f(a, b="# no comment"):
    """Does it.

    At length."""
    return """kept"""
'''


def test_comments_and_docstrings_are_no_code() -> None:
    assert inputs.code_of(CODE) == 'x = f"a{1:>{2}}b"\ndef f(a, b="# no comment"):\n    return """kept"""'
    other = CODE.replace("What it is", "Something else").replace("# a comment", "")
    assert inputs.code_of(other) == inputs.code_of(CODE)
    assert inputs.code_of(CODE.replace("kept", "changed")) != inputs.code_of(CODE)
