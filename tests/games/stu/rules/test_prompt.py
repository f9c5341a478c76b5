"""A state at a prompt: printed it says what `companion rule` says of its hands, in a notebook it is a picture of the table."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner

from companion.cli import main
from companion.games import GAMES, stu
from companion.games.stu import log
from companion.pages.beside import beside_hands
from companion.pages.moments import follow
from companion.table.language import LANGS
from companion.table.log import tag
from companion.table.text import printable

RULINGS = Path(__file__).parent / "rulings"
LOGS = sorted(RULINGS.glob("r*.jsonl"))[::9]


@pytest.mark.parametrize("path", LOGS, ids=lambda path: path.stem)
def test_a_printed_state_says_what_companion_rule_says(path: Path) -> None:
    """All of it, but for what was told beside the hands, which a state does not keep."""
    state, lines = stu.replay_log(path.read_bytes()), stu.LOG.read_lines(path.read_bytes())
    moments = list(follow(GAMES["stu"].rules, GAMES["stu"].pages, lines))
    assert str(state) == f"{state:it}"
    for lang in LANGS:
        ruled = CliRunner().invoke(main, ["rule", str(path), "--lang", lang]).output.split("\n")
        for one in beside_hands(GAMES["stu"].rules, GAMES["stu"].pages, moments, lang):
            if not one.set and tag(lines[one.line - 1].event) != "close":
                ruled.remove(printable(one.text))
        assert format(state, lang).split("\n") == ruled[:-1]


def test_no_other_language_is_spoken() -> None:
    state = stu.begin(stu.new_game(("Anna", "Bruno"), 100, "Anna"))
    with pytest.raises(ValueError, match="expected it or en"):
        format(state, "fr")


def drawn(state: stu.State) -> ElementTree.Element:
    return ElementTree.fromstring(state._repr_svg_())


def classes(svg: ElementTree.Element, tag: str) -> list[str]:
    return [(found.get("class") or "") for found in svg.iter(f"{{http://www.w3.org/2000/svg}}{tag}")]


def test_the_table_shows_who_has_which_card_and_whom_the_hand_waits_for() -> None:
    state = stu.begin(stu.new_game(("<Anna>", "Bruno", "Carla"), 100, "Carla"))
    assert classes(drawn(state), "rect") == []
    for event in (log.Hand(), log.Deal(to="<Anna>", card="4"), log.Passo(by="<Anna>"), log.Reveal(by="Bruno", card="salta")):
        state = stu.apply(state, event)
    svg = drawn(state)
    assert classes(svg, "rect") == ["card held", "card ", "card back waits"]
    said = [text.text for text in svg.iter("{http://www.w3.org/2000/svg}text")]
    assert {"<Anna>", "Bruno", "• Carla", "4", "Salta"} <= set(said)


@pytest.mark.parametrize("path", LOGS, ids=lambda path: path.stem)
def test_every_table_can_be_drawn(path: Path) -> None:
    state = stu.replay_log(path.read_bytes())
    svg = drawn(state)
    names = "".join(text.text or "" for text in svg.iter("{http://www.w3.org/2000/svg}text"))
    assert all(name in names for name in state.table.names)
    assert len(classes(svg, "rect")) == (len(state.hand.positions()) if state.hand is not None else 0)
