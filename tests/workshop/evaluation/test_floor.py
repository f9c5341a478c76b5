"""The eyes see what the report says that they see: the floor that no change may fall through."""

import pytest
from click.testing import CliRunner

from companion.assets import asset
from companion.cli import main
from workshop.evaluation.quick import fallen
from workshop.evaluation.report import Section

BEFORE = [Section("Quick: cards", "", {"cards": 400, "recall": 0.9, "precision": 0.95})]


@pytest.mark.parametrize(
    ("recall", "fell"), [(0.9, False), (0.88, False), (0.84, True), (float("nan"), True)], ids=["same", "noise", "fall", "none"]
)
def test_a_fall_beyond_noise_is_told(recall: float, fell: bool) -> None:
    now = [Section("Quick: cards", "", {"cards": 400, "recall": recall, "precision": 0.95})]
    assert bool(list(fallen(now, BEFORE))) == fell


def test_a_figure_that_was_never_recorded_is_told() -> None:
    assert "no such figure" in next(fallen([Section("Quick: faces", "", {"faces": 50, "named_right": 0.99})], BEFORE))


@pytest.mark.networks
def test_the_shipped_models_keep_the_figures_of_the_report() -> None:
    result = CliRunner().invoke(main, ["evaluate", "quick", "--floor", str(asset("models") / "REPORT.md")])
    assert result.exit_code == 0, result.output
