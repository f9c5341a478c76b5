"""What fills the TV's screen: who is out, who has paid to come back, who has won; and nobody else."""

from __future__ import annotations

import json
import re
from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import stoper_cases
import stoppa_cases
from evenings import evenings
from hypothesis import given, settings
from test_corrected import STOPPA_HAND, STOPPA_LAID, STU_GAME, stoper, stoppa, stu

from companion.dashboard import Settings
from companion.dashboard.feed import Feed, Snapshot, replayed
from companion.games import GAMES, game_of_log, log_format
from companion.games.stu.rules.log import Rebuy, Set
from companion.ledger import Ledger
from companion.pages.view import View
from companion.table.log import Line

Events = list[dict[str, Any]]


def view(first: dict[str, Any], *events: dict[str, Any], lang: str = "it") -> View:
    log = GAMES[first["game"]].rules.LOG.read_lines("\n".join(map(json.dumps, (first, *events))).encode())
    game = game_of_log(log)
    return Snapshot(1, 1, game, replayed(game, log), Settings()).view(lang)  # type: ignore[arg-type]


def said(first: dict[str, Any], *events: dict[str, Any]) -> list[tuple[str, ...]]:
    return [(one.kind, one.title, *one.names) for one in view(first, *events).announced]


def with_pedine(**pedine: int) -> dict[str, Any]:
    standing = {name: {"pedine": left, "virgin": False} for name, left in pedine.items()}
    return {**STU_GAME, "standing": standing}


ONE_LEFT = with_pedine(Anna=1, Bruno=0, Carla=1)
ALL_GONE = stu("hand\nreveal Anna matto\nreveal Carla 5\nend")
"""Anna is left with the Matto, which makes Carla pay, too."""


def test_rule_21_is_no_ricompera() -> None:
    """All come back, and nobody has paid for it; nor has anybody who pays the last pedina gone out."""
    assert said(ONE_LEFT, *ALL_GONE) == [("restart", "Nessuno ha più pedine", "Rientrano tutti,", "niente più ricompere")]
    assert view(ONE_LEFT, *ALL_GONE).status == "restarted"


def test_rule_21_is_called_by_the_voice() -> None:
    game = GAMES["stu"]
    log = game.rules.LOG.read_lines("\n".join(map(json.dumps, (ONE_LEFT, *ALL_GONE))).encode())
    moments = replayed(game, log)
    calls = game.pages.calls(moments, Snapshot(1, 1, game, moments, Settings()).view("it"), "it")
    assert calls[-1] == "Nessuno ha più pedine: rientrano tutti, e niente più ricompere."


GONE = stu("hand\nreveal Anna 2\nreveal Bruno 5\nreveal Carla 6\nend")


def test_who_pays_the_last_pedina_is_out_and_who_pays_a_ricompera_is_back() -> None:
    first = {**with_pedine(Anna=1), "dealer": "Carla"}
    out = ("out", "Va «su saupr»", "Anna")
    assert said(first, *GONE) == [out]
    assert said(first, *GONE, *stu("rebuy Anna")) == [out, ("back", "Ricompera", "Anna")]
    assert said(first, *GONE, *stu("hand\npenalty Carla")) == [out], "for a page that has missed the version before"
    assert said(first, *GONE, *stu("hand\nvoid\nhand")) == []


def test_a_penalty_can_send_somebody_out() -> None:
    assert said(with_pedine(Bruno=1), *stu("hand\nreveal Anna 2\nreveal Bruno 5\nreveal Carla 6\nend\npenalty Bruno")) == [
        ("out", "Va «su saupr»", "Bruno")
    ]


def test_where_the_table_says_how_it_stands_nobody_goes_out_or_comes_back() -> None:
    standing = {"Anna": {"pedine": 0, "virgin": False}, "Bruno": {"pedine": 2, "virgin": False}}
    assert said(with_pedine(Bruno=0), {"e": "set", "standing": standing}) == []
    torneo = stoper_cases.first_line("players=4 mode=torneo stacks=100")
    assert said(torneo, {"e": "set", "stacks": {"Ada": 0, "Bice": 200}}) == []


def test_a_win_is_announced_once_it_stands() -> None:
    two = {**STU_GAME, "players": ["Anna", "Bruno"], "dealer": "Bruno", "standing": {"Anna": {"pedine": 1, "virgin": False}}}
    told = stu("hand\nreveal Anna 2\nreveal Bruno 5\nend")
    assert said(two, *told) == [("out", "Va «su saupr»", "Anna")], "somebody may come back"
    assert said(two, *told, {"e": "close"}) == [("out", "Va «su saupr»", "Anna"), ("won", "Ha vinto", "Bruno")]


@pytest.mark.parametrize(("sure", "announced"), [
    ({"end": 0.6}, False), ({"reveal": 0.6}, False), ({"reveal": 0.6, "end": 0.6}, False), ({"reveal": 0.6, "end": 1.0}, True),
])  # fmt: skip
def test_what_is_only_believed_is_not_announced(sure: dict[str, float], announced: bool) -> None:
    told = [{**event, **({"confidence": sure[event["e"]]} if event["e"] in sure else {})} for event in ALL_GONE]
    unsure = said(ONE_LEFT, *told)
    assert unsure == (said(ONE_LEFT, *ALL_GONE) if announced else []), "the end of a hand says how sure all of it is, if it does"
    assert said(ONE_LEFT, *told, *stu("hand")) == unsure


def test_at_stoppa_nobody_is_out_and_who_has_won_most_is_announced() -> None:
    hand = stoppa(STOPPA_LAID)
    first = {"e": "game", "v": 1, "game": "stoppa", "players": ["Anna", "Bruno", "Carla", "Dino"], "misera": 600, "small": 100,
             "currency": "EUR", "dealer": "Dino"}  # fmt: skip
    assert said(first, *hand, {"e": "end"}) == []
    assert said(first, *hand, {"e": "end"}, {"e": "close"}) == [("won", "Ha vinto", "Dino")]


def test_out_of_a_tournament_of_stoper() -> None:
    first = stoper_cases.first_line("players=4 mode=torneo stacks=100")
    shows = "show Bice d10 d9 d8\nshow Ciro c10 c9 c7\nshow Dora s7 s6 s5\nshow Ada b7 b6 b5"
    hand = stoper(f"hand\nserviti Bice Ciro Dora Ada\n{shows}")
    assert said(first, *hand) == [("out", "Fuori dal gioco", "Ada", "Ciro", "Dora"), ("won", "Ha vinto", "Bice")]


@settings(max_examples=25, deadline=None)
@given(evenings(5))
def test_a_ricompera_is_announced_of_those_who_paid_one_and_of_nobody_else(log: tuple[Line, ...]) -> None:
    with Ledger.in_memory(log_format) as ledger:
        game, feed = ledger.new_game(), Feed(ledger, Settings())
        paid, heard, before = [], [], ()
        for length in range(1, len(log) + 1):
            ledger.record(game, log[:length])
            now = feed.snapshot().view("it").announced
            fresh = list(now)
            for one in before:
                if one in fresh:
                    fresh.remove(one)
            heard += [one.names for one in fresh if one.kind == "back"]
            before = now
            if isinstance(log[length - 1].event, Rebuy):
                paid.append((log[length - 1].event.by,))
        assert heard == paid


def beneath(first: dict[str, Any], *events: dict[str, Any]) -> list[tuple[str, ...]]:
    return [(one.title, *one.names, *one.beneath) for one in view(first, *events).announced if one.kind != "card"]


def test_a_ricompera_says_what_it_costs_and_what_the_next_one_will() -> None:
    told = beneath(with_pedine(Anna=0), *stu("hand\nreveal Bruno 2\nreveal Carla 6\nend\nrebuy Anna"))
    assert told == [("Ricompera", "Anna", "4,00 €", "Montepremi 10,00 €", "La prossima ricompera costa 8,00 €")]


def test_the_last_virgin_closes_the_ricompere_once_the_hand_is_over() -> None:
    first = {**STU_GAME, "standing": {name: {"pedine": 2, "virgin": False} for name in ("Bruno", "Carla")}}
    hand = stu("hand\nreveal Anna 2\nreveal Bruno 5\nreveal Carla 6\nend")
    assert beneath(first, *hand) == [("Nessuno è più vergine", "Anna", "Ricompere chiuse")]
    gnaffed = stu("hand\npasso Anna\nreveal Bruno gnao\nreveal Anna 3")
    assert beneath(first, *gnaffed) == [], "the hand may still be void"
    assert beneath(first, *gnaffed, *stu("void")) == []
    assert beneath(STU_GAME, *hand) == [], "two virgins are left"


def test_who_goes_out_is_told_what_the_way_back_costs() -> None:
    first = {**with_pedine(Anna=1), "dealer": "Carla"}
    assert beneath(first, *GONE) == [("Va «su saupr»", "Anna", "La prossima ricompera costa 4,00 €")]
    both = {**with_pedine(Anna=1, Bruno=1), "dealer": "Carla"}
    told = beneath(both, *stu("hand\nreveal Anna matto\nreveal Bruno 5\nreveal Carla 6\nend"))
    assert told == [("Vanno «su saupr»", "Anna", "Bruno", "La prossima ricompera costa 4,00 €")]


def test_rule_21_cites_the_pot_and_a_split_its_sums() -> None:
    assert beneath(ONE_LEFT, *ALL_GONE)[0][-1] == "Montepremi 6,00 € (regola 21)"
    two = with_pedine(Bruno=0)
    agreed = {"e": "split", "shares": {"Anna": 0.6, "Carla": 0.4}}
    assert beneath(two, agreed) == [("Si accordano", "Anna 3,60 €", "Carla 2,40 €", "Montepremi 6,00 €")]


RULINGS = Path(__file__).parents[1] / "games/stu/rules/rulings"
SAID = {
    "r13-taverna-refuses": ["taverna Fermatevi alquanto"],
    "r13-share-of-the-pot-when-the-taker-wins": ["taverna Fermatevi alquanto"],
    "r15-salta-then-gnao": ["salta Zumb!", "gnao Gnaff!"],
    "r16-bbummata-and-lowest-are-two-pedine": ["bragon BBum!"],
    "r17-cucco-stops-and-nobody-pays-at-once": ["cucco Cecata!"],
    "r22-fine-del-vergine": ["gnao Gnaff, cart’arrit!", "bragon Gnaff e BBum!"],
    "r23-second-gnaffata-does-not-turn-the-card-again": ["gnao Gnaff, cart’arrit!", "gnao Gnaff e Gnaff!"],
}
"""Ruling → the trumps that are shown over the table in its first hands, with what is said."""


@pytest.mark.parametrize("case", SAID)
def test_a_trump_that_stops_somebody_is_shown_with_its_word(case: str) -> None:
    log = GAMES["stu"].rules.LOG.read_lines((RULINGS / f"{case}.jsonl").read_bytes())
    game = game_of_log(log)
    moments = replayed(game, log)
    told = [
        f"{one.card} {one.names[0]}"
        for before, now in pairwise(moments) if now.event is not None
        for one in game.pages.announcements(before.seen, now.event, now.seen, "it") if one.kind == "card"
    ]  # fmt: skip
    assert told[: len(SAID[case])] == SAID[case]


def test_a_trump_that_may_be_another_is_not_shown_large_nor_one_of_the_showdown() -> None:
    asks = stu("hand\npasso Anna\nreveal Bruno bragon")
    assert [one.card for one in view(STU_GAME, *asks).announced] == ["bragon"]
    assert view(STU_GAME, *asks[:2], {**asks[2], "confidence": 0.6}).announced == ()
    shown = stu("hand\nreveal Anna 2\nreveal Bruno bragon\nreveal Carla cucco")
    assert view(STU_GAME, *shown).announced == ()


def rare(first: dict[str, Any], *events: dict[str, Any]) -> list[tuple[str, ...]]:
    return [(one.title, *one.names, *one.beneath) for one in view(first, *events).announced if one.kind == "rare"]


def test_a_misera_that_all_pay_for_fills_the_screen() -> None:
    first = {"e": "game", "v": 1, "game": "stoppa", "players": ["Anna", "Bruno", "Carla", "Dino"], "misera": 600, "small": 100,
             "currency": "EUR", "dealer": "Dino"}  # fmt: skip
    assert rare(first, *stoppa(STOPPA_HAND), {"e": "end"}) == [("Misera", "Anna", "Prende 18,00 €")]


def test_55_fills_the_screen_once_the_punto_is_decided() -> None:
    first = stoppa_cases.first_line("players=4")
    bets = "hand\npiccolo\npunto Anna 100\nvedo Bruno\npasso Carla\npasso Dino\n"
    told = stoppa(bets + "show Anna d7 d6 d1\nshow Bruno c2 b3 s4")
    assert rare(first, *told[:-1]) == []
    assert rare(first, *told) == [("55: sette, sei e asso", "Anna", "Punto piccolo 1: 3,00 €")]
    assert rare(first, *stoppa(bets + "show Anna d7 d6 d5\nshow Bruno c2 b3 s4")) == []


def test_three_aces_fill_the_screen_at_stoper() -> None:
    first = stoper_cases.first_line("players=4")
    shows = "show Bice d1 c1 b1\nshow Ciro c10 c9 c7\nshow Dora s7 s6 s5\nshow Ada b7 b6 b5"
    opened = "hand\napro Bice 200\nvedo Ciro Dora Ada\nserviti Bice Ciro Dora Ada\nbusso Bice Ciro Dora Ada\n"
    assert rare(first, *stoper(opened + shows)) == [("33: tre assi", "Bice", "Prende 12,00 €")]


DI_MANO = """hand
piccoli
grosso
lay Anna c10 s10 b10
lay Anna d9 c9 s9 b9
lay Anna d8 c8 s8 b8
lay Anna d1
lay Anna d2"""
"""Anna, mano of three, stops before anybody else has laid a card."""


def test_a_stoppata_di_mano_fills_the_screen() -> None:
    passes = "".join("piccolo\npasso Anna\npasso Bruno\n" for _ in range(5))
    hand = DI_MANO.replace("piccoli\n", passes).replace("grosso\n", "grosso\npasso Anna\npasso Bruno\n")
    told = stoppa(hand)
    first = stoppa_cases.first_line("players=3 removed=d10")
    assert rare(first, *told[:-1]) == []
    assert rare(first, *told) == [("Stoppata di mano", "Anna", "Prende 72,00 €")]


def test_the_largest_pot_so_far_that_stays_fills_the_screen_at_stoper() -> None:
    first = stoper_cases.first_line("players=4")
    opened = "hand\napro Bice 200\nvedo Ciro Dora Ada\nserviti Bice Ciro Dora Ada\nparola Bice Ciro Dora Ada\n"
    next_one = "hand\napro Ciro 200\nvedo Dora Ada Bice\nserviti Ciro Dora Ada Bice\nparola Ciro Dora Ada Bice\n"
    told = stoper("hand\nparola Bice Ciro Dora Ada\n" + next_one)
    assert rare(first, *stoper(opened)) == [], "the first pot is no record"
    assert rare(first, *told)[0][:2] == ("Parola: il piatto resta", "16,00 €")


def stands(first: dict[str, Any], *events: dict[str, Any]) -> dict[str, str]:
    return {one.label: one.text for one in view(first, *events).standing}


STANDS = [
    (STU_GAME, stu(""), {"Vergini": "Anna, Bruno e Carla"}),
    (STU_GAME, stu("hand"), {}),
    (STU_GAME, stu("hand\nreveal Anna 2\nreveal Bruno 5\nreveal Carla 6\nend"),
     {"Vergini": "Bruno e Carla", "In testa": "Bruno e Carla: 3 pedine"}),
    (with_pedine(Anna=1, Bruno=2, Carla=1), [], {"Vergini": "nessuno", "In testa": "Bruno: 2 pedine"}),
    (stoppa_cases.first_line("players=4"), [*stoppa(STOPPA_HAND), {"e": "end"}, {"e": "giro", "by": "Anna"}],
     {"In testa": "Anna e Dino: +12,00 €", "Ultimo giro": "ancora 7 mani"}),
    (stoper_cases.first_line("players=4"), [], {}),
]  # fmt: skip
"""First line, events, and how the game stands between two hands; in a hand it does not."""


@pytest.mark.parametrize(("first", "events", "told"), STANDS)
def test_how_the_game_stands_between_two_hands(first: dict[str, Any], events: Events, told: dict[str, str]) -> None:
    assert stands(first, *events) == told


def test_who_leads_may_not_be_sure() -> None:
    told = stu("hand\nreveal Anna 2\nreveal Bruno 5\nreveal Carla 6\nend")
    told[-1]["confidence"] = 0.6
    assert stands(STU_GAME, *told) == {"Vergini": "Bruno e Carla", "In testa": "Bruno e Carla: 3 pedine?"}


@settings(max_examples=30, deadline=None)
@given(evenings(5, sets=True))
def test_whatever_somebody_has_paid_since_the_hand_began_stands_on_the_tv_and_is_called(log: tuple[Line, ...]) -> None:
    """A penalty after a void hand, too: it belongs to a hand that is no longer on the screen."""
    game = game_of_log(log)
    moments = replayed(game, log)
    paid: Counter[str] = Counter()
    for at, (was, now) in enumerate(pairwise(moments), start=2):
        names = now.seen.table.names
        if now.begins:
            paid, began = Counter(), was.seen.pedine
        if not now.seen.hands or now.seen.hand is not None:
            continue
        if now.seen.restarts != was.seen.restarts:
            return
        if not isinstance(now.event, Rebuy | Set):
            since = began if was.seen.hand is not None else was.seen.pedine
            for name, had, has in zip(names, since, now.seen.pedine, strict=True):
                paid[name] += has - had
        shown = Snapshot(1, 1, game, moments[:at], Settings()).view("it")
        ruling = shown.ruling
        assert ruling is not None
        assert {one.player: one.delta for one in ruling.sums if one.delta} == {name: n for name, n in paid.items() if n}
        calls = game.pages.calls(moments[:at], shown, "it")
        for name, many in paid.items():
            assert not many or any(f"{'Paga' if many < 0 else 'Guadagna'} {name}: " in said for said in calls)
            assert not many or any(re.search(rf"\b{name} (di )?{abs(many)}$", part) for part in ruling.headline)


def test_a_penalty_after_a_void_hand_is_said_beside_that_it_is_void() -> None:
    first = {**STU_GAME, "edition": "piazza-2010"}
    told = stu("hand\nreveal Anna 2\nreveal Bruno 5\nreveal Carla 6\nend\nhand\nvoid\npenalty Carla")
    shown = view(first, *told)
    assert shown.ruling is not None
    assert (shown.ruling.void, shown.ruling.headline) == (True, ("Mano nulla", "PAGA Carla 1"))
    assert [(one.player, one.delta) for one in shown.ruling.sums] == [("Carla", -1)]
    assert [(seat.name, seat.change) for seat in shown.seats if seat.change] == [("Carla", -1)]
