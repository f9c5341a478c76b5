"""Found cards by the share in view, and cards of strange decks: counted by hand."""

from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from companion.cli import main
from companion.eyes.detection import CLASSES, Detection
from companion.eyes.sighting import CardSeen
from workshop.evaluation.detection import ShareTally
from workshop.evaluation.labels import LabelledPicture
from workshop.evaluation.report import GOALS, shown, words
from workshop.evaluation.strangers import Strangers, add

FACE, BACK = CLASSES.index("face"), CLASSES.index("back")


def quad(number: int) -> np.ndarray:
    return np.array([[0, 10], [50, 10], [50, 80], [0, 80]], dtype=np.float64) + [100.0 * number, 0]


def picture(visible: list[float], decks: tuple[str, ...] | None = None) -> LabelledPicture:
    n = len(visible)
    return LabelledPicture(
        Path("none.jpg"), np.array([quad(i) for i in range(n)]), np.full(n, FACE), np.array(visible), np.ones(n, dtype=np.bool_),
        (1000, 300), decks or ("ramino",) * n, (None,) * n,
    )  # fmt: skip


def found(number: int, kind: int = FACE, score: float = 0.9) -> Detection:
    return Detection(quad(number), kind, score, score)


def test_recall_by_the_share_in_view() -> None:
    counts = ShareTally()
    counts.add([found(0), found(1), found(2, BACK), found(4), found(5, score=0.3), found(9)],
               picture([0.1, 0.3, 0.4, 0.6, 0.8, 1.0]))  # fmt: skip
    out = counts.figures(0.5)
    assert out["cards_quarter"] == 5, "a tenth in view is not asked for"
    assert out["recall_25_50shown"] == 0.5, "found as a back is not found"
    assert (out["recall_50_75shown"], out["recall_75_95shown"], out["recall_95_100shown"]) == (0.0, 1.0, 0.0)
    assert out["recall_quarter"] == pytest.approx(2 / 5)
    assert out["precision_quarter"] == pytest.approx(2 / 4), "the hardly visible card does no harm where it is found"
    assert counts.figures(0.2)["recall_95_100shown"] == 1.0


def test_two_sets_of_pictures_count_together() -> None:
    one, other = ShareTally(), ShareTally()
    one.add([found(0)], picture([0.3]))
    other.add([], picture([0.3]))
    one.extend(other)
    assert one.figures(0.5)["recall_quarter"] == 0.5
    assert np.isnan(ShareTally().figures(0.5)["precision_quarter"])


def seen(number: int, deck: str, card: str | None = None, side: str = "face") -> CardSeen:
    corners = tuple((float(x), float(y)) for x, y in quad(number))
    return CardSeen(corners, deck, side, 0.9, card)  # type: ignore[arg-type]


def test_strange_cards_are_found_whatever_they_are_called() -> None:
    counts = Strangers()
    decks = ("napoletane", "napoletane", "napoletane", "napoletane", "stu", "napoletane")
    reported = [
        seen(0, "unknown"), seen(1, "stu", "leone"), seen(2, "stu", side="back"), seen(4, "stu", "re"), seen(5, "unknown"),
        seen(8, "ramino"),
    ]  # fmt: skip
    add(counts, reported, picture([1, 1, 1, 1, 1, 0.4], decks), frozenset({"napoletane"}))
    out = counts.figures()
    assert out["cards"] == 4, "those half or more in view"
    assert out["recall"] == 0.75
    assert out["precision"] == pytest.approx(4 / 5), "all that was found there but the one on no card; the hidden one is ignored"
    assert out["named_ours"] == pytest.approx(1 / 3)
    assert (out["called_stu"], out["called_ramino"]) == (pytest.approx(2 / 3), 0.0)
    assert out["most_named_ours"] > out["named_ours"]


def test_pictures_without_a_strange_card_do_not_count() -> None:
    counts = Strangers()
    add(counts, [seen(0, "stu", "leone")], picture([1.0], ("stu",)), frozenset({"napoletane"}))
    assert counts == Strangers()


@pytest.mark.parametrize(
    ("figure", "value", "name", "number"),
    [
        ("recall_25_50shown", 0.5, "recall, 25 to 50 % in view", "50.0%"),
        ("recall_quarter", 0.5, "recall, a quarter and more in view", "50.0%"),
        ("indices", 379.0, "labelled corner indices", "379"),
        ("called_stu", 0.25, "of those found: called Stù", "25.0%"),
    ],
)
def test_figures_in_words(figure: str, value: float, name: str, number: str) -> None:
    assert (words(figure), shown(figure, value)) == (name, number)


def test_the_targets_are_of_figures_that_the_commands_give() -> None:
    wanted = {(goal.section, goal.figure) for goal in GOALS}
    shares = ShareTally().figures(0.5)
    strange = Strangers().figures()
    assert {figure for section, figure in wanted if section.endswith("by the share in view")} <= set(shares)
    assert {figure for section, figure in wanted if section.startswith("Strange decks")} <= set(strange)


def test_pictures_without_strange_decks_are_said_to_be_that(tmp_path: Path) -> None:
    (tmp_path / "truth.jsonl").write_bytes(b"")
    result = CliRunner().invoke(main, ["evaluate", "strangers", "--data", str(tmp_path), "--deck", "napoletane"])
    assert result.exit_code == 2
    assert "no card of napoletane shows half or more" in result.output
