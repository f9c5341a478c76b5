"""A long hand of Stoppa, card by card without a camera: the taps that docs/evening.md says, in Chromium on a small phone."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from flask import Flask
from journey import Screens
from stoppa_by_thumb import NAMES, state
from thumbs import thumb

from companion.dashboard.serve import Server
from companion.games.stoppa import log
from companion.ledger import Ledger
from companion.line.recorder import EveningRecorder

sync_api = pytest.importorskip("playwright.sync_api", reason="needs playwright: pip install 'companion[dev]'")
pytest.importorskip("axe_playwright_python.sync_playwright", reason="needs axe-playwright-python: extra dev")
pytestmark = [pytest.mark.browser, pytest.mark.processor(45)]  # some fifty taps

EVENING = (Path(__file__).resolve().parents[3] / "docs" / "evening.md").read_text("utf-8")
TABLE = EVENING.partition("| at Stoppa | taps |")[2].partition("\n\n")[0]
TAPS = {what: int(many) for what, many in re.findall(r"^\| ([a-z ]+) \| (\d+)\b", TABLE, re.MULTILINE)}
"""That table: what is done → how many taps."""

LAYS = """A d9 c10 c1 d2 s3 B c4 d5 d6 D d7 s8 A c9 C d10 s1 c2 c3 D d4 B s5 C s6 D c7 B d8 C s9 s10 c5 D b6 s7 B c8 A b9 D b10 d3
          s4 C b5 A c6 b7 B b8 b1 s2 C b3"""
"""Who laid what, in a hand that bots have played: 37 of 40 cards."""
SUITS = {"d": "denari", "c": "coppe", "s": "spade", "b": "bastoni"}
FORCED = ("coppe-6", "bastoni-7")
"""Anna has shown these: once the other cards of their number were laid, they follow by themselves."""


def lays() -> list[tuple[str, str]]:
    found, by = [], ""
    for word in LAYS.split():
        if word.isupper():
            by = next(name for name in NAMES if name.startswith(word))
        else:
            found.append((by, f"{SUITS[word[0]]}-{word[1:]}"))
    return found


def test_a_hand_card_by_card_takes_the_taps_that_the_page_says(
    app: Flask, server: Server, ledger: Ledger, screens: Screens
) -> None:
    recorder = EveningRecorder.begin(ledger, log.new_game(NAMES, 100, 20, "Dino"))
    phone = thumb(app, server, screens, "/organiser")
    counted = dict[str, int]()
    phone.tap("#next .big")
    begun = phone.taps
    for key in ("amount20", "word0", "offer0", *FORCED, "take", "word0"):  # Anna bets, Bruno sees; she shows, he concedes
        phone.next(key)
    counted["a punto that two compete for"] = phone.taps - begun
    phone.says("Ora: punto piccolo 2")
    phone.next("offer0")
    for _ in range(3):
        phone.next("offer0")
    before = phone.taps
    phone.next("offer0")
    counted["a punto on which nobody bets"] = phone.taps - before
    before = phone.taps
    for by, kind in lays():
        if kind in FORCED:
            continue
        opens = phone.page.locator(f"#next [data-key='{by} {kind}']").count() == 0
        phone.next(kind if opens else f"{by} {kind}")
        counted.setdefault("a card that is laid", phone.taps - before)
    phone.says("Tra una mano e l’altra")
    counted["a hand of forty cards"] = phone.taps
    del recorder
    assert counted == TAPS
    told = [line.event for line in ledger.lines(ledger.newest() or 0) if isinstance(line.event, log.Lay)]
    assert [(event.by, event.cards[0]) for event in told] == lays()
    assert [event.cards[0] for event in told if event.forced] == [*FORCED]
    ended = state(ledger).hands[0].stoppata
    assert ended is not None
    assert ended.winner == "Carla"
