"""What was agreed on the pot and no longer counts is said to have lapsed, and why, wherever it is told (rules 10, 20, 21)."""

from __future__ import annotations

import random
from decimal import Decimal

import hypothesis.strategies as st
import pytest
from hypothesis import given

from companion.games.stu import apply, begin, log, new_game
from companion.games.stu.pages import outcome
from companion.games.stu.pages.accounts import accounts
from companion.games.stu.pages.commentary import comment
from companion.games.stu.pages.score import hand, score
from companion.games.stu.pages.sentences import announcements
from companion.games.stu.rules import State
from companion.games.stu.rules.state import Agreement
from companion.games.stu.words import rulings

THREE = ("Anna", "Bruno", "Carla")
GINO = log.Rebuy(by="Anna", partners=(log.Partner("Gino", Decimal("0.5")),))
SPLIT = log.Split(shares={"Anna": Decimal("0.4"), "Bruno": Decimal("0.3")})
LAPSED = (
    "Non vale più: Gino 50\u00a0% in società con Anna; Anna 40\u00a0%, Bruno 30\u00a0% per accordo sul montepremi (regola 21)"
)


def lose(state: State, *losers: str) -> State:
    """The game after a hand for each of these names, in which the player pays a pedina; "Anna Bruno": both do in one hand."""
    for names in losers:
        events = outcome.stated(state, (log.Hand(),), dict.fromkeys(names.split(), 1), {})
        assert events is not None
        for event in events:
            state = apply(state, event)
    return state


def agreed() -> State:
    """Anna has come back with Gino's money, and has agreed with Bruno: one pedina each. Carla is out."""
    state = lose(begin(new_game(THREE, 1000, "Carla")), "Anna", "Anna", "Anna")
    state = lose(apply(state, GINO), "Carla", "Carla", "Carla")
    return lose(apply(state, SPLIT), "Anna", "Bruno", "Anna", "Bruno")


def test_rule_21_says_what_no_longer_counts_on_the_tv_the_phone_the_sheet_and_in_rule() -> None:
    before = agreed()
    after = lose(before, "Anna Bruno")
    assert after.restarted
    (said,) = announcements(before, log.End(), after, "it")
    assert (said.kind, said.beneath[-1]) == ("restart", LAPSED)
    assert score(after, "it").status.endswith(f". {LAPSED}")
    assert hand(before, after, "it").notes[-1] == LAPSED
    printed = LAPSED.replace("\u00a0", " ")  # as people type it who search the text
    assert f"  {printed}" in rulings(after, "it").splitlines()


def test_the_accounts_say_why_somebody_who_had_agreed_takes_nothing() -> None:
    state = lose(agreed(), "Anna Bruno", *("Bruno", "Bruno", "Bruno"), *("Carla", "Carla", "Carla"))
    assert state.won
    assert {one.name: (one.takes.minor, one.why) for one in accounts(state, "it")} == {
        "Anna": (5000, "vince il montepremi"),
        "Bruno": (0, "30\u00a0% come d’accordo con Anna, non vale più (sono rientrati tutti, regola 21)"),
        "Carla": (0, ""),
        "Gino": (0, "50\u00a0% in società con Anna, non vale più (sono rientrati tutti, regola 21)"),
    }


@pytest.mark.parametrize(
    ("partners", "said", "why"),
    [
        ((), "; non vale più: Gino 50\u00a0%", "50\u00a0% in società con Anna, non vale più (ricompera nuova, accordi nuovi)"),
        ((log.Partner("Pia", Decimal("0.25")),), " con Pia (25\u00a0%, mette 10,00 €); non vale più: Gino 50\u00a0%",
         "50\u00a0% in società con Anna, non vale più (ricompera nuova, accordi nuovi)"),
        (GINO.partners, " con Gino (50\u00a0%, mette 20,00 €)", "50\u00a0% in società con Anna, che non ha vinto"),
    ],
    ids=["alone", "another", "the same again"],
)  # fmt: skip
def test_a_second_ricompera_says_which_partners_it_leaves_behind(
    partners: tuple[log.Partner, ...], said: str, why: str
) -> None:
    before = lose(apply(lose(begin(new_game(THREE, 1000, "Carla")), "Anna", "Anna", "Anna"), GINO), "Anna", "Anna", "Anna")
    again = log.Rebuy(by="Anna", partners=partners)
    after = apply(before, again)
    assert comment(before, again, after, "it") == f"Anna rientra con una ricompera{said}"
    over = apply(lose(after, "Anna", "Anna", "Anna", "Carla", "Carla", "Carla"), log.Close())
    assert over.winner == "Bruno"
    assert {one.name: one.why for one in accounts(over, "it")}["Gino"] == why


def test_a_split_that_is_agreed_again_says_what_it_takes_the_place_of() -> None:
    before = apply(lose(begin(new_game(THREE, 1000, "Carla")), "Carla", "Carla", "Carla"), SPLIT)
    again = log.Split(shares={"Anna": Decimal("0.5"), "Bruno": Decimal("0.3")})
    assert comment(before, again, apply(before, again), "it") == (
        "Anna e Bruno si accordano sul montepremi: Anna 50\u00a0%, Bruno 30\u00a0%; non vale più: Anna 40\u00a0%"
    )
    assert "non vale più" not in (comment(before, SPLIT, apply(before, SPLIT), "it") or "")


@given(st.integers(0, 2**32))
def test_nothing_that_was_agreed_vanishes_and_who_paid_for_nothing_is_told_why(seed: int) -> None:
    """Over games in which hands, ricompere with partners and splits take turns as they come."""
    rng, state, noted = random.Random(seed), begin(new_game(THREE, 1000, "Carla")), list[Agreement]()
    for _ in range(60):
        if state.won:
            break
        playing = [name for name, has in zip(THREE, state.pedine, strict=True) if has]
        gone = [name for name in THREE if name not in playing]
        before = state
        if gone and state.ricompere_open and (len(playing) == 1 or rng.random() < 0.5):
            partner = log.Partner(rng.choice(("Gino", "Pia", *THREE)), Decimal(rng.choice(("0.1", "0.25"))))
            state = apply(state, log.Rebuy(by=rng.choice(gone), partners=(partner,) * rng.randrange(2)))
        elif len(playing) == 2 and rng.random() < 0.2:
            state = apply(state, log.Split(shares={name: Decimal(rng.choice(("0.1", "0.4"))) for name in playing}))
        else:
            state = lose(state, " ".join(rng.sample(playing, rng.choice((1, 1, 2)) if len(playing) > 1 else 1)))
        noted += [one for one in state.agreements if one not in before.agreements]
        assert {*noted} == {*state.agreements, *(one.agreed for one in state.lapsed)}
    else:
        state = apply(state, log.Close()) if state.hand is None else state
    for one in accounts(state, "it"):
        assert one.why or not any(agreed.to == one.name and agreed.winners != (one.name,) for agreed in noted)
