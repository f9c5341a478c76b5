"""Settings say what they are for, and refuse what cannot work; sums as people read them."""

import pytest

from companion.dashboard.settings import Settings, described
from companion.table.money import money


def test_every_setting_says_its_unit_and_what_it_is_for() -> None:
    undocumented = [f.name for f in described() if len(f.metadata.get("help", "")) < 20 or not f.metadata.get("unit")]
    assert undocumented == []


@pytest.mark.parametrize(
    "wrong",
    [{"sure_from": 1.5}, {"patience": 5.0}, {"heartbeat": 0.0}, {"listeners": 0}, {"threads": 0}, {"retry": -1.0}],
    ids=str,
)
def test_settings_that_cannot_work_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(ValueError, match=next(iter(wrong))):
        Settings(**wrong)


@pytest.mark.parametrize(
    ("minor", "it", "en"),
    [(5, "0,05 €", "€0.05"), (123450, "1234,50 €", "€1234.50"), (10**16, "1,00·10^14 €", "1.00·10^14 €")],
)
def test_sums_are_written_as_people_read_them(minor: int, it: str, en: str) -> None:
    assert (money(minor, "it").replace("\xa0", " "), money(minor, "en").replace("\xa0", " ")) == (it, en)
