"""What a film of a hand can be said to show of its ruling."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from stories import ANNA, BRUNO, CARLA, DINO, dealt, evening, plain, shown, told

from companion.games.stu.rules.log import End, Event, Reveal, Void
from companion.games.stu.sightings import Cleared, Sighting
from companion.referee import Evening
from companion.referee.corrections import Correction, confirm, correct
from companion.referee.questions import answer, question
from companion.referee.verdict import verdict

CLEAR: list[Sighting] = plain(0, "2", "7", "9", "10")
"""Anna has the lowest card, and all is seen well."""
DIM: list[Sighting] = [
    *dealt(), shown(9, ANNA, "2"), shown(9.4, BRUNO, "1", 0.7, "9"), shown(9.8, CARLA, "8"), shown(10.2, DINO, "6"), Cleared(15)
]  # fmt: skip
"""Bruno's 1, or 9, decides who pays."""


def changed(short: str, *events: Event) -> Callable[[Evening], Evening]:
    """The line of the first hand is changed by hand."""

    def done(seen: Evening) -> Evening:
        at = told(seen.chapter(0)).index(short)
        return correct(seen, Correction(0, at, at + 1, events))

    return done


def answered(choice: int) -> Callable[[Evening], Evening]:
    """The open question is answered, from the likeliest choice on."""

    def done(seen: Evening) -> Evening:
        asked = question(seen)
        assert asked is not None
        return answer(seen, asked.id, asked.choices[choice].id)

    return done


# What was seen, what somebody then said → the verdict
VERDICTS: dict[str, tuple[list[Sighting], Callable[[Evening], Evening], str | None]] = {
    "seen, and sure": (CLEAR, lambda seen: seen, "confirmed"),
    "seen, and somebody has said that it was just so": (CLEAR, lambda seen: confirm(seen, 0), "confirmed"),
    "another card that changes nothing": (CLEAR, changed("reveal Carla 9", Reveal(by="Carla", card="8")), "confirmed"),
    "another card, and another pays": (CLEAR, changed("reveal Bruno 7", Reveal(by="Bruno", card="1")), "corrected"),
    "not sure, and nobody has said anything": (DIM, lambda seen: seen, "unseen"),
    "not sure, and the likelier answer": (DIM, answered(0), "confirmed"),
    "not sure, and the other answer": (DIM, answered(1), "corrected"),
    "void by hand": (CLEAR, changed("end", Void(reason="misdeal")), "unseen"),
    "not over": (CLEAR[:-2], lambda seen: seen, None),
    "over by hand before the eyes saw its end": (CLEAR[:-2], lambda seen: correct(seen, Correction(0, len(seen.chapter(0).lines),
        len(seen.chapter(0).lines), (Reveal(by="Dino", card="10"), End()))), "unseen"),
}  # fmt: skip


@pytest.mark.parametrize("case", VERDICTS)
def test_a_verdict_is_what_the_eyes_saw_and_somebody_said(case: str) -> None:
    sightings, said, expected = VERDICTS[case]
    assert verdict(said(evening(sightings)).chapter(0)) == expected


def test_a_ruling_that_is_shown_as_unsure_is_not_confirmed() -> None:
    chapter = evening(CLEAR).chapter(0)
    assert chapter.probability is not None
    assert verdict(chapter, chapter.probability + 0.0001) == "unseen"


def test_a_hand_that_no_camera_saw_is_not_confirmed() -> None:
    chapter = evening(CLEAR).chapter(0)
    assert verdict(replace(chapter, reports=replace(chapter.reports, sightings=()))) == "unseen"


@settings(max_examples=30, deadline=None)
@given(
    cards=st.lists(st.sampled_from(["1", "2", "5", "7", "9", "10"]), min_size=4, max_size=4),
    sure=st.lists(st.floats(0.5, 0.999), min_size=4, max_size=4),
)
def test_nobody_is_credited_with_a_correction_that_they_have_not_made(cards: list[str], sure: list[float]) -> None:
    faces = [shown(9 + 0.4 * at, at, kind, probability) for at, (kind, probability) in enumerate(zip(cards, sure, strict=True))]
    for chapter in evening(dealt(), [*faces, Cleared(16)]).chapters:
        found = verdict(chapter)
        assert found != "corrected"
        assert found != "confirmed" or (chapter.probability or 0) >= 0.95
