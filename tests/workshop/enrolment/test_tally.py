"""The figures of enrolled decks: what counts as named right, as a stranger, as sure, and how runs add up."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.eyes.detection import CLASSES
from companion.eyes.sighting import CardSeen, Side
from workshop.enrolment.measure import DeckResult, Run
from workshop.enrolment.report import HandsResult, Report, markdown, merged, write_report
from workshop.enrolment.tally import NOBODY_CAN_TELL, Count, Tally, together
from workshop.evaluation.labels import LabelledPicture
from workshop.report import BadReport

SIZE = (1000, 400)


def quad(place: int, length: float) -> tuple[tuple[float, float], ...]:
    """A card that stands upright; places are too far apart for cards to touch."""
    x, y, wide = 20.0 + 160 * place, 20.0, 0.6 * length
    return ((x, y), (x + wide, y), (x + wide, y + length), (x, y + length))


def table(*cards: tuple[str, str, Side, float, float]) -> LabelledPicture:
    """A picture with these cards side by side: deck, card, side, length, share in view."""
    return LabelledPicture(
        Path(), np.array([quad(n, card[3]) for n, card in enumerate(cards)]).reshape(-1, 4, 2),
        np.array([CLASSES.index(card[2]) for card in cards], np.int64), np.array([card[4] for card in cards]),
        np.ones(len(cards), np.bool_), SIZE, tuple(card[0] for card in cards),
        tuple(card[1] if card[2] == "face" else None for card in cards),
    )  # fmt: skip


def entry(place: int, length: float, deck: str, card: str | None, score: float = 0.95, side: Side = "face") -> CardSeen:
    a, b, c, d = quad(place, length)
    return CardSeen((a, b, c, d), deck, side, score, card)  # type: ignore[arg-type]


def counted(truth: LabelledPicture, *seen: CardSeen) -> Tally:
    tally = Tally()
    tally.add(seen, truth, "mine")
    return tally


@pytest.mark.parametrize(
    ("said", "right"),
    [(("mine", "gnao"), 1), (("mine", "salta"), 0), (("stu", "gnao"), 0), (("mine", None), 0), (("unknown", None), 0)],
)
def test_a_face_is_named_right_by_its_deck_and_its_card(said: tuple[str, str | None], right: int) -> None:
    tally = counted(table(("mine", "gnao", "face", 80, 1.0)), entry(0, 80, *said))
    assert (tally.asked.hits, tally.asked.of) == (right, 1)


@pytest.mark.parametrize(("length", "band", "asked"), [(45, 0, 0), (60, 1, 1), (99, 1, 1), (100, 2, 1)])
def test_a_face_counts_in_the_band_of_its_length_and_is_asked_from_60_px_on(length: float, band: int, asked: int) -> None:
    tally = counted(table(("mine", "gnao", "face", length, 1.0)), entry(0, length, "mine", "gnao"))
    assert [count.of for count in tally.bands] == [int(n == band) for n in range(3)]
    assert tally.asked.of == asked


def test_a_face_that_is_half_hidden_or_was_not_found_is_not_asked_to_be_named() -> None:
    tally = counted(table(("mine", "gnao", "face", 80, 0.7), ("mine", "salta", "face", 80, 1.0)), entry(0, 80, "mine", "gnao"))
    assert tally.asked.of == 0
    assert (tally.found.hits, tally.found.of) == (1, 2)


@pytest.mark.parametrize(("card", "sisters"), [("piacentine-1", 0), ("Na7", 1), ("Ca2", 0)])
def test_pip_cards_of_drawn_decks_are_counted_apart_from_strangers(card: str, sisters: int) -> None:
    tally = counted(table(("other", card, "face", 80, 1.0)), entry(0, 80, "mine", "gnao"))
    assert (tally.sisters.hits, tally.strangers.hits) == (sisters, 1 - sisters)


@pytest.mark.parametrize("said", [("mine", None), ("other", "gnao"), ("unknown", None)])
def test_a_stranger_is_named_only_with_the_deck_and_a_card(said: tuple[str, str | None]) -> None:
    tally = counted(table(("other", "Ca1", "face", 80, 1.0)), entry(0, 80, *said))
    assert (tally.strangers.hits, tally.strangers.of) == (0, 1)


def test_a_stranger_too_small_to_read_does_not_count() -> None:
    assert counted(table(("other", "Ca1", "face", 39, 1.0)), entry(0, 39, "mine", "gnao")).strangers.of == 0


def test_backs_are_told_by_deck_and_side() -> None:
    truth = table(("mine", "", "back", 80, 1.0), ("mine", "", "back", 80, 1.0), ("ramino", "", "back", 80, 1.0))
    tally = counted(truth, entry(0, 80, "mine", None, side="back"), entry(1, 80, "mine", None, side="stack"),
                    entry(2, 80, "mine", None, side="back"))  # fmt: skip
    assert (tally.backs.hits, tally.backs.of) == (1, 2)
    assert (tally.foreign_backs.hits, tally.foreign_backs.of) == (1, 1)


def test_the_same_back_on_another_deck_is_not_asked_about() -> None:
    tally = counted(table((NOBODY_CAN_TELL, "", "back", 80, 1.0)), entry(0, 80, "mine", None, side="back"))
    assert (tally.backs.of, tally.foreign_backs.of, tally.found.hits, tally.wrong) == (0, 0, 1, {})


def test_a_name_where_no_card_lies_is_wrong_and_lies_on_no_card() -> None:
    tally = counted(table(("mine", "gnao", "face", 80, 1.0)), entry(0, 80, "mine", "gnao"), entry(3, 80, "mine", "salta"))
    assert (tally.sure.hits, tally.sure.of) == (1, 2)
    assert (tally.on_cards.hits, tally.on_cards.of) == (1, 2)


def test_only_names_of_the_deck_with_a_score_of_nine_tenths_are_sure() -> None:
    truth = table(*[("mine", "gnao", "face", 80.0, 1.0)] * 3)
    said = [("mine", 0.9), ("mine", 0.89), ("stu", 1.0)]
    tally = counted(truth, *(entry(n, 80, deck, "gnao", score) for n, (deck, score) in enumerate(said)))
    assert tally.sure.of == 1


def test_what_was_said_wrong_is_told_with_what_lay_there() -> None:
    truth = table(("mine", "gnao", "face", 80, 1.0), ("mine", "salta", "face", 80, 1.0), ("ramino", "", "back", 80, 1.0),
                  ("other", "Ca1", "face", 80, 1.0))  # fmt: skip
    tally = counted(truth, entry(0, 80, "mine", "cucco"), entry(1, 80, "stu", "salta"), entry(2, 80, "mine", None, side="back"),
                    entry(3, 80, "unknown", None))  # fmt: skip
    assert tally.wrong == {"gnao: cucco": 1, "salta: stu salta": 1, "ramino/back: back": 1}


def test_the_calibration_error_is_how_far_scores_are_from_what_is_right() -> None:
    truth = table(*[("mine", "gnao", "face", 80.0, 1.0)] * 4)
    right = [entry(n, 80, "mine", "gnao" if n < 3 else "salta", 0.75) for n in range(4)]
    assert counted(truth, *right).calibration == pytest.approx(0.0)
    assert counted(truth, *right[:3]).calibration == pytest.approx(0.25)


SAID = st.tuples(st.sampled_from(["mine", "stu"]), st.sampled_from(["gnao", "salta", None]), st.floats(0, 1))
LOOKS = st.lists(SAID, max_size=5)


@given(LOOKS, LOOKS)
def test_two_tallies_added_are_the_tally_of_both(one: list[tuple[str, str, float]], two: list[tuple[str, str, float]]) -> None:
    truth = table(*[("mine", "gnao", "face", 80.0, 1.0)] * 5)
    parts = [[entry(n, 80, *said) for n, said in enumerate(saids)] for saids in (one, two)]
    both = Tally()
    for seen in parts:
        both.add(seen, truth, "mine")
    added = together(counted(truth, *seen) for seen in parts)
    assert added.bands == both.bands
    assert added.sure == both.sure
    assert np.allclose(added.bins, both.bins)


def result(name: str, hits: int) -> DeckResult:
    tally = Tally(bands=[Count(), Count(hits, 100), Count()], strangers=Count(0, 50), found=Count(90, 100))
    run = Run("companion", 1, 5.0, 9.0, 21, 0, 2.0, tally)
    return DeckResult(name, "drawn", False, 20, 3, Tally(found=Count(90, 100)), [run])


@pytest.mark.parametrize(("hits", "sign"), [(97, "✓"), (96, "short")])
def test_the_report_says_whether_what_was_asked_for_is_reached(hits: int, sign: str) -> None:
    text = markdown(Report([result("one", hits)]))
    (row,) = [line for line in text.splitlines() if line.startswith("| faces of 60 px and more named right, 1 photo a card")]
    assert row.endswith(f"| {sign} |")
    assert "2 photos a card" not in text


def test_hands_are_compared_with_those_of_the_shipped_decks() -> None:
    rows = markdown(Report(hands=[HandsResult("easy-1", 50, 50, 48)])).splitlines()
    (row,) = [row for row in rows if row.startswith("| hands exactly right")]
    assert row.endswith("| ≤ 2% | 4.0% | short |")


def test_a_run_replaces_the_decks_that_it_measured_and_keeps_the_others(tmp_path: Path) -> None:
    path = tmp_path / "ENROL.md"
    write_report(path, Report([result("one", 90), result("two", 90)], command="first"))
    write_report(path, Report([result("two", 99)], command="second"))
    text = path.read_text(encoding="utf-8")
    assert "## one" in text
    assert "189 of 200" in text
    assert "`second`" in text


def test_counts_that_cannot_be_read_are_named(tmp_path: Path) -> None:
    (tmp_path / "ENROL.json").write_text("{", encoding="utf-8")
    with pytest.raises(BadReport, match=r"ENROL\.json"):
        write_report(tmp_path / "ENROL.md", Report())


def test_merging_is_by_name() -> None:
    old, new = Report([result("one", 1), result("two", 2)]), Report([result("one", 3)])
    assert [(deck.name, deck.runs[0].tally.asked.hits) for deck in merged(old, new).decks] == [("one", 3), ("two", 2)]
