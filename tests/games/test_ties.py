"""Where scores are equal, or the lower one wins, it is said why: on the TV, by the voice, on phone and sheet, in the rulings."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
import stoper_cases
import stoper_play
import stoppa_cases
import stoppa_play
from hypothesis import given, settings
from hypothesis import strategies as st
from test_corrected import STU_GAME, stoper, stoppa, stu

from companion.dashboard import Settings
from companion.dashboard.feed import Snapshot, replayed
from companion.games import GAMES
from companion.pages.moments import hands_played

PICCOLO = "hand\npiccolo\npunto Anna 30\nvedo Bruno\npasso Carla\npasso Dino"
SEEN = "hand\napro Bice 100\nvedo Ciro\npasso Dora Elsa Fabio Ada\nserviti Bice Ciro\nbusso Bice Ciro"

SIDE_POT = (
    "hand\napro Bice 300\nvedo Ciro Dora\npasso Elsa Fabio Ada\nserviti Bice Ciro Dora\nbusso Bice Dora\n"
    "show Bice d10 d9 d7\nshow Ciro d1 c1 s10\nshow Dora s9 s8 b3"
)

CASES: dict[str, tuple[str, str, str, str]] = {
    "r19 two 3s": (
        "stu", "", "hand\nreveal Anna 5\nreveal Bruno 3\nreveal Carla 3\nend",
        "pari con Carla: paga chi è più vicino alla mano (regola 19)",
    ),
    "r19 beside a Matto": ("stu", "", "hand\nreveal Anna matto\nreveal Bruno 3\nreveal Carla 3\nend", "pari con Carla: paga"),
    "r06 34 against 34": (
        "stoppa", "", f"{PICCOLO}\nshow Anna c1 c6\nshow Bruno b7 b3", "34 a 34: vince chi è servito prima (regola 6)",
    ),
    "r06 three cards beat two": (
        "stoppa", "", f"{PICCOLO}\nshow Anna d7 d6\nshow Bruno c10 c8 c3",
        "tre carte battono due da 39 (regola 6)",
    ),
    "r06 two cards of 20 beat one of 21": (
        "stoppa", "", f"{PICCOLO}\nshow Anna d7\nshow Bruno c9 c10",
        "due carte battono una da 21 (regola 6)",
    ),
    "r06 the higher one wins": ("stoppa", "", f"{PICCOLO}\nshow Anna d7 d1\nshow Bruno c8 c10", ""),
    "r16 27 of bastoni": (
        "stoper", "", f"{SEEN}\nshow Bice s10 s9 s7\nshow Ciro b10 b9 b7", "27 a 27: bastoni prima di spade (regola 16)",
    ),
    "r16 32 against 32": (
        "stoper", "", f"{SEEN}\nshow Bice d1 c1 s10\nshow Ciro s1 b1 d8",
        "32 a 32: terza carta, denari prima di spade (regola 16)",
    ),
    "r16 22 against 22": (
        "stoper", "", f"{SEEN}\nshow Bice d1 c1 s7\nshow Ciro s1 b1 d7",
        "22 a 22: l’asso migliore, denari prima di bastoni",
    ),
    "r16 of one suit": (
        "stoper", "", f"{SEEN}\nshow Bice d10 d7 c3\nshow Ciro c7 c6 c4", "17 a 17: vincono le tre carte dello stesso seme",
    ),
    "r16 the card": (
        "stoper", "", f"{SEEN}\nshow Bice d10 b7 c3\nshow Ciro d9 b6 c4", "10 a 10: re prima di cavallo (regola 16)",
    ),
    "r16 the higher one wins": ("stoper", "", f"{SEEN}\nshow Bice d10 d7 c3\nshow Ciro d9 b6 c4", ""),
    "r06 a false opening": (
        "stoper", "false_opening=forfeit", f"{SEEN}\nshow Bice c7 s7 b7\nshow Ciro c6 s6 b4",
        "Bice ha mostrato 7, ma ha aperto senza averne il punto (regola 6)",
    ),
    "r13 a side pot": (
        "stoper", "stacks=[10000,10000,300,10000,10000,10000]", SIDE_POT,
        "Ciro ha mostrato 32, ma non ha messo altrettanto (regola 13)",
    ),
}  # fmt: skip
"""Game, what its first line changes, the hand, and the reason: "" for none."""
READ = {
    "stu": (lambda _: STU_GAME, stu), "stoppa": (stoppa_cases.first_line, stoppa), "stoper": (stoper_cases.first_line, stoper),
}  # fmt: skip


def everywhere(game_id: str, log: list[dict[str, Any]], lang: Any = "it") -> dict[str, str]:
    """What is said of the last hand: on the TV, by the voice, on phone and sheet, and in `companion rule`."""
    game = GAMES[game_id]
    lines = game.rules.LOG.read_lines("\n".join(map(json.dumps, log)).encode())
    moments = replayed(game, lines)
    assert len(moments) == len(lines)
    view = Snapshot(1, 1, game, moments, Settings()).view(lang)
    assert view.ruling is not None
    before, _, after = [*hands_played(game.rules, moments)][-1]
    return {
        "tv": " · ".join(why for row in view.ruling.sums for why in row.why),
        "voice": " ".join(game.pages.calls(moments, view, lang)),
        "phone and sheet": " ".join(game.pages.hand(before, after, lang).paid),
        "rule": format(moments[-1].known, lang),
    }


@pytest.mark.parametrize("case", CASES)
def test_why_it_is_theirs_is_said_everywhere(case: str) -> None:
    game_id, said, hand, why = CASES[case]
    first, events = READ[game_id]
    told = everywhere(game_id, [first(said), *events(hand)])
    english = everywhere(game_id, [first(said), *events(hand)], "en")
    if not why:
        assert re.search(r"\d+ a \d+|battono|prima di", " ".join(told.values())) is None
        return
    voice, tv, uncited = told.pop("voice"), told.pop("tv"), why.partition(" (")[0]
    assert {where: why in text for where, text in told.items()} == dict.fromkeys(told, True), told
    assert uncited in tv
    assert uncited.lower() in voice.lower() or "Bruno è pari con Carla: paga chi è più vicino" in voice
    assert uncited not in " ".join(english.values())


def test_a_tie_does_not_split_what_a_hand_comes_to() -> None:
    """Another card that is as low does not change who pays, so nobody need be asked about it."""
    rules = GAMES["stu"].rules
    outcomes = set()
    for other in ("3", "4"):
        log = [STU_GAME, *stu(f"hand\nreveal Anna 3\nreveal Bruno {other}\nreveal Carla 8\nend")]
        state = rules.replay_log("\n".join(map(json.dumps, log)).encode())  # type: ignore[attr-defined]
        outcomes.add(rules.outcome(state))
    assert len(outcomes) == 1


@settings(max_examples=40, deadline=None)
@given(st.integers(3, 6), st.integers(0, 2**32))
def test_at_stoppa_a_player_who_is_not_lower_and_loses_is_told_why(players: int, seed: int) -> None:
    from companion.games.stoppa import words

    state = [*stoppa_play.play(stoppa_play.game_line(players, seed=seed), seed, 300)][-1][1]
    for pot in (pot for hand in state.hands for pot in hand.pots):
        least = [one for one in pot.ranking[1:] if one.score >= pot.ranking[0].score]
        assert bool(words.ties(pot, "it")) == bool(least)


@settings(max_examples=40, deadline=None)
@given(st.integers(4, 6), st.sampled_from(["cash", "torneo"]), st.integers(0, 2**32))
def test_at_stoper_a_player_who_is_not_lower_and_loses_is_told_why(players: int, mode: Any, seed: int) -> None:
    from companion.games.stoper import words

    state = [*stoper_play.play(stoper_play.game_line(players, mode, seed=seed), seed, 300)][-1][1]
    for hand in state.hands:
        scores = {one.player: one.score for pot in hand.pots for one in pot.ranking}
        for pot in hand.pots:
            if pot.how == "shown":
                first = [one.player for one in hand.pots[0].ranking]
                ahead = first[: first.index(pot.winner)]
                least = [name for name, score in scores.items() if name != pot.winner and score >= scores[pot.winner]
                         and (name in pot.entitled or name in ahead)]
                assert bool(words.ties(pot, hand.pots, "it")) == bool(least)


def test_of_equal_scores_the_one_that_loses_would_not_have_had_the_side_pot() -> None:
    """So that it has not put in as much is no reason."""
    played = SIDE_POT.replace("Ciro d1 c1 s10", "Ciro s10 s9 s7").replace("Dora s9 s8 b3", "Dora c9 c8 b3")
    first = stoper_cases.first_line("stacks=[10000,10000,300,10000,10000,10000]")
    for where, text in everywhere("stoper", [first, *stoper(played)]).items():
        assert "27 a 27: denari prima di spade" in text or where == "voice", where
        assert "altrettanto" not in text, where
