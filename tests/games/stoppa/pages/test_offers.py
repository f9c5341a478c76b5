"""What the phone offers of Stoppa: all that the rules allow, nothing that they forbid, the likely first."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from stoppa_play import HOUSES, game_line, play
from taps import taps

from companion.decks.italian import KINDS
from companion.games import stoppa
from companion.games.stoppa import log
from companion.games.stoppa.bots import Settings, seated, simulate
from companion.games.stoppa.pages import PAGES
from companion.games.stoppa.rules.log import Event
from companion.games.stoppa.rules.stoppata import forced_lay
from companion.pages.phone import Amounts, Next, Pick
from companion.table.language import LANGS, Lang
from companion.table.log import tag
from companion.table.play import possible

TABLE = log.new_game(["Anna", "Bruno", "Carla", "Dino"], 100, 20, "Dino")


def after(*events: Event, first: log.Game = TABLE) -> stoppa.State:
    state = stoppa.begin(first)
    for event in events:
        state = stoppa.apply(state, event)
    return state


def offered(*events: Event, first: log.Game = TABLE, lang: Lang = "en") -> Next:
    return PAGES.offers(after(*events, first=first), lang)


GROSSO = (log.Hand(), *[log.Piccolo()] * 4, log.Grosso(), log.Passo(by="Carla"))
"""Nobody has bet on anything: the stoppata may begin."""


def lay(by: str, *cards: str) -> log.Lay:
    return log.Lay(by=by, cards=cards)


_WORDS = log.Punto | log.Vedo | log.Rilancio | log.Passo


def told(event: Event, state: stoppa.State) -> bool:
    """Whether a phone need not offer this legal act: it has a button elsewhere, changes nothing, or a camera says it."""
    hand = state.hand
    match event:
        case log.Deal() | log.Void():
            return True
        case log.Giro():
            return bool(state.last_hand)
        case log.Hand(dealer=dealer):
            return dealer is not None and dealer == state.table.names[state.dealer]
        case log.Close():
            return hand is not None or state.over
        case log.End():
            return hand is None
        case _ if hand is not None and hand.betting is not None and hand.betting.todo and not isinstance(event, _WORDS):
            return True  # says by the way that the others have passed, which has a button of its own
        case log.Back(lays=lays):
            return lays > 20
        case log.Show(by=by, cards=(kind,)):
            return stoppa.apply(state, event) == state or _shown(state, by, kind)
    return False


def _shown(state: stoppa.State, by: str, kind: str) -> bool:
    hand = state.hand
    seat, bit = state.table.names.index(by), 1 << KINDS.index(kind)
    return hand is not None and hand.betting is not None and bool(hand.betting.shown[seat] & bit)


@pytest.mark.parametrize("house", HOUSES, ids=range(len(HOUSES)))
@settings(max_examples=30)
@given(players=st.integers(3, 6), seed=st.integers(0, 10_000))
def test_legal_acts_are_offered_and_nothing_else(house: log.HouseRules, players: int, seed: int) -> None:
    chance = random.Random(seed)
    for _, state in list(play(game_line(players, house, seed), seed, 60))[seed % 10 :: 10]:
        found = PAGES.offers(state, "it")
        can_be = list(taps(found, chance))
        for events in can_be:
            assert possible(stoppa.apply, state, events), events
        heard = {events[0] for events in can_be}
        missing = [event for event in stoppa.legal_acts(state) if event not in heard and not told(event, state)]
        assert not missing
        assert found.void == any(tag(event) == "void" for event in stoppa.legal_acts(state))


@settings(max_examples=10)
@given(players=st.integers(3, 6), seed=st.integers(0, 1000))
def test_an_evening_of_bots_could_have_been_tapped(players: int, seed: int) -> None:
    lines = simulate(Settings(players=seated(players)), hands=2, seed=seed)
    state, chance = stoppa.begin(lines[0].event), random.Random(seed)
    for line in lines[1:]:
        event, next = line.event, PAGES.offers(state, "it")
        if isinstance(event, log.Punto | log.Vedo | log.Rilancio | log.Passo | log.Muck | log.Lay | log.Annul | log.Back):
            shapes = {(tag(one), getattr(one, "by", None)) for events in taps(next, chance) for one in events}
            assert (tag(event), getattr(event, "by", None)) in shapes, event
        state = stoppa.apply(state, event)


def amounts(next: Next) -> Amounts:
    found = next.doers[0].amounts
    assert found is not None
    return found


def test_the_last_bets_come_first_and_twice_the_bet_before_them() -> None:
    begun = (log.Hand(), log.Piccolo())
    first = amounts(offered(*begun))
    assert [sum.minor for sum in first.likely] == [20, 40, 100, 200]
    assert (first.label, first.least, first.most) == ("Anna bets", 1, 1_000_000_000)
    bet = (*begun, log.Punto(by="Anna", to=150))
    assert [sum.text for sum in amounts(offered(*bet)).likely][:2] == ["€3.00", "€1.70"]
    passed = (*bet, log.Passo(by="Dino"), log.Piccolo())
    assert amounts(offered(*passed)).likely[0].minor == 150
    raised = (*bet, log.Rilancio(by="Carla", to=500), log.Passo(by="Anna"), log.Piccolo())
    assert [sum.minor for sum in amounts(offered(*raised)).likely][:2] == [500, 150]


def test_amounts_are_points_where_points_are_played_for() -> None:
    points = log.new_game(["Anna", "Bruno", "Carla", "Dino"], 100, 20, "Dino", points=True)
    found = amounts(offered(log.Hand(), log.Piccolo(), first=points, lang="it"))
    assert found.points
    assert found.likely[0].text == "20 punti"


def test_one_tap_sees_passes_or_lets_all_others_pass() -> None:
    found = offered(log.Hand(), log.Piccolo(), log.Punto(by="Anna", to=40))
    assert [doer.name for doer in found.doers] == ["Bruno", "Carla", "Dino"]
    assert [(offer.label, offer.events) for offer in found.doers[0].offers] == [
        ("Bruno sees (+€0.40)", (log.Vedo(by="Bruno"),)), ("Bruno passes", (log.Passo(by="Bruno"),)),
    ]  # fmt: skip
    assert [(offer.label, offer.events) for offer in found.offers] == [("All others pass", (log.Passo(by="Dino"),))]
    nobody = offered(log.Hand(), log.Piccolo())
    assert [(offer.label, offer.events) for offer in nobody.offers] == [
        ("Nobody bets: on to the punto piccolo 2", (log.Passo(by="Carla"), log.Piccolo())),
    ]  # fmt: skip


def shown(next: Next) -> Pick:
    found = next.doers[0].pick
    assert found is not None
    return found


COMPARED = (log.Hand(), log.Piccolo(), log.Punto(by="Anna", to=40), log.Vedo(by="Bruno"), log.Passo(by="Dino"))


def test_up_to_three_cards_are_shown_and_the_others_can_concede_at_once() -> None:
    found = offered(*COMPARED)
    assert [doer.name for doer in found.doers] == ["Anna", "Bruno"]
    assert (shown(found).most, len(shown(found).kinds)) == (3, 40)
    assert [offer.label for offer in found.doers[0].offers] == ["Anna: concedes", "Anna takes it unseen"]
    seen = (*COMPARED[:-1], log.Vedo(by="Carla"), log.Passo(by="Dino"), log.Show(by="Carla", cards=("denari-7",)))
    then = offered(*seen)
    assert [doer.name for doer in then.doers] == ["Anna", "Bruno", "Carla"]
    assert "denari-7" not in shown(then).kinds
    assert [offer.events for offer in then.offers] == [(log.Muck(by="Anna"), log.Muck(by="Bruno"))]


def test_one_tap_takes_a_punto_unseen_and_no_card_is_named() -> None:
    bet = (log.Punto(by="Anna", to=30), log.Vedo(by="Bruno"), log.Vedo(by="Carla"), log.Passo(by="Dino"))
    seen = (log.Hand(), log.Piccolo(), *bet)
    _, bruno, _ = offered(*seen, lang="it").doers
    assert [offer.label for offer in bruno.offers] == ["Bruno: buono", "Bruno prende, gli altri «buono»"]
    (pot,) = after(*seen, *bruno.offers[1].events).hand.pots
    assert (pot.winner, pot.how, pot.ranking) == ("Bruno", "conceded", ())
    bruno, _ = offered(*seen, log.Muck(by="Anna")).doers
    assert bruno.offers[1].events == (log.Muck(by="Carla"),)
    shown_one = offered(*seen, log.Show(by="Anna", cards=("denari-7",))).doers
    assert [len(doer.offers) for doer in shown_one] == [1, 1, 0], "who has shown has not taken it unseen"


def test_cards_known_to_be_a_players_are_marked_at_the_grosso() -> None:
    events = (
        *COMPARED, log.Show(by="Anna", cards=("denari-7", "denari-6")), log.Muck(by="Bruno"), *[log.Piccolo()] * 3, log.Grosso(),
        log.Punto(by="Anna", to=40), log.Vedo(by="Bruno"), log.Passo(by="Dino"),
    )  # fmt: skip
    found = shown(offered(*events))
    assert (set(found.known), found.room, found.most) == ({"denari-6", "denari-7"}, 8, 3)


def test_a_tap_lays_the_wanted_card_in_the_row_of_who_laid_it() -> None:
    opening = offered(*GROSSO)
    assert (shown(opening).label, len(shown(opening).kinds)) == ("Anna opens with", 40)
    found = offered(*GROSSO, lay("Anna", "coppe-4"))
    assert [(row.name, row.now) for row in found.rows] == [("Anna", True), ("Bruno", False), ("Carla", False), ("Dino", False)]
    assert [offer.card for offer in found.rows[1].offers] == ["denari-5", "coppe-5", "spade-5", "bastoni-5", None]
    assert found.rows[1].offers[-1].label == "all 4"
    assert found.title == "Stoppata: wanted is the five"


def test_aces_on_an_ace_come_after_the_wanted_two() -> None:
    found = offered(*GROSSO, lay("Anna", "coppe-1"))
    cards = [offer.card for offer in found.rows[0].offers if offer.card]
    assert cards == ["denari-2", "coppe-2", "spade-2", "bastoni-2", "denari-1", "spade-1", "bastoni-1"]


def more(next: Next) -> dict[str, list[str]]:
    return {one.key: [offer.label for offer in one.offers] for one in next.more}


def test_what_is_rare_has_a_button_where_it_can_be() -> None:
    assert list(more(offered())) == ["dealer", "giro", "set", "close"]
    assert list(more(offered(*GROSSO))) == ["declare", "annul", "giro"]
    begun = more(offered(*GROSSO, lay("Anna", "coppe-4"), lay("Dino", "coppe-5")))
    assert list(begun) == ["several", "skip", "back", "annul", "giro"]
    assert begun["back"] == [
        "The last lay: from Dino’s Five of cups on", "The last 2 lays: from Anna’s Four of cups on",
    ]  # fmt: skip
    assert "giro" not in more(offered(*GROSSO, log.Giro(by="Anna")))


OMITTED = (lay("Anna", "denari-9"), lay("Dino", "coppe-10"), lay("Dino", "spade-9"), lay("Bruno", "spade-10"))
"""The Re that Bruno lays was wanted before, when Dino laid one after Anna's cavallo."""
@pytest.mark.parametrize(
    ("events", "due"),
    [((*GROSSO, *OMITTED[:-1]), []), ((*GROSSO, *OMITTED), ["back", "annul"]),
     ((*GROSSO, *OMITTED, lay("Bruno", "denari-4"), lay("Carla", "denari-5")), [])],
    ids=["nothing yet", "it is shown", "the table played on"],
)  # fmt: skip
def test_what_becomes_of_a_card_held_back_is_due_once_it_is_shown(events: tuple[Event, ...], due: list[str]) -> None:
    assert [one.key for one in offered(*events).more if one.due] == due


def test_a_card_known_to_be_held_back_is_due_as_soon_as_it_is_gone_past() -> None:
    seen = log.Deal(to="Bruno", cards=3, faces=("denari-6", "denari-2", "denari-3"))
    opened = (log.Hand(), log.Piccolo(), seen, *GROSSO[2:], lay("Anna", "denari-5"))
    assert [one.key for one in offered(*opened).more if one.due] == []
    assert [one.key for one in offered(*opened, lay("Carla", "coppe-6")).more if one.due] == ["back", "annul"]


def test_after_a_declaration_the_hand_can_end_or_others_declare() -> None:
    found = offered(*GROSSO, log.Declare(by="Bruno", what="misera"))
    assert [offer.label for offer in found.offers][:2] == ["End of the hand", "Anna: four Re"]
    assert found.rows == found.doers == ()


def test_a_hand_ends_by_itself_where_nothing_can_follow() -> None:
    annulled = after(*GROSSO, log.Annul())
    assert PAGES.by_itself(annulled, log.Annul()) == log.End()
    assert PAGES.by_itself(after(*GROSSO), log.Passo(by="Carla")) is None


def test_a_lay_that_the_rules_force_follows_another_and_says_so() -> None:
    shown = (log.Hand(), log.Piccolo(), log.Punto(by="Anna", to=20), log.Vedo(by="Bruno"), log.Vedo(by="Carla"),
             log.Passo(by="Dino"), log.Muck(by="Anna"), log.Show(by="Bruno", cards=("denari-7", "coppe-2", "coppe-3")),
             log.Show(by="Carla", cards=("coppe-7", "spade-7", "bastoni-7")), *[log.Piccolo()] * 3, log.Grosso())  # fmt: skip
    state = after(*shown, log.Passo(by="Carla"), lay("Anna", "denari-6"))
    forced = log.Lay(by="Bruno", cards=("denari-7",), forced=True)
    assert PAGES.by_itself(state, lay("Anna", "denari-6")) == forced
    assert PAGES.by_itself(state, log.Giro(by="Anna")) is None
    then = stoppa.apply(state, forced)
    assert PAGES.by_itself(then, forced) is None  # an eight: nobody knows whose
    said = {lang: PAGES.line_text(state, forced, then, lang) for lang in LANGS}
    assert said == {"it": "Bruno deve calare Sette di denari (regola 10)", "en": "Bruno has to lay Seven of coins (rule 10)"}


SIX = log.new_game(["Anna", "Bruno", "Carla", "Dino", "Enzo", "Fina"], 100, 20, "Fina")


def all_shown(chance: random.Random) -> stoppa.State:
    """Six players have shown all their cards at the punto grosso."""
    names = SIX.players
    deck = [kind for at, kind in enumerate(KINDS) if stoppa.begin(SIX).table.deck >> at & 1]
    chance.shuffle(deck)
    shown = [log.Show(by=name, cards=tuple(deck[at :: len(names)])) for at, name in enumerate(names)]
    seen = [log.Vedo(by=name) for name in names[1:]]
    return after(log.Hand(), log.Piccolo(), log.Piccolo(), log.Grosso(), log.Punto(by="Anna", to=20), *seen, *shown, first=SIX)


@given(st.integers(0, 2**32))
def test_rule_15_the_card_that_stops_is_always_told(seed: int) -> None:
    """Also where everybody knows it. All that is forced before it follows by itself."""
    chance = random.Random(seed)
    state, more = all_shown(chance), None
    while (hand := state.hand) is not None:
        knows = dict(zip(SIX.players, hand.known, strict=True))
        lays = [one for one in stoppa.legal_acts(state) if isinstance(one, log.Lay) and not one.skipped
                and all(knows[one.by] >> KINDS.index(card) & 1 for card in one.cards)]  # fmt: skip
        event = more or chance.choice(lays)
        state = stoppa.apply(state, event)
        if state.hand is None:
            assert more is None, "a lay that nobody told of is the stop"
            assert PAGES.by_itself(state, event) == log.End()
            return
        more = PAGES.by_itself(state, event)
        if (forced := forced_lay(state.table, state.hand)) is not None:
            seat, card = forced
            stops = stoppa.apply(state, lay(SIX.players[seat], KINDS[card])).hand is None
            assert more == (None if stops else log.Lay(by=SIX.players[seat], cards=(KINDS[card],), forced=True))


def test_who_must_still_show_concedes_where_a_correction_needs_it() -> None:
    seen = after(*COMPARED, log.Show(by="Anna", cards=("denari-7",)))
    assert PAGES.bridge(seen) == (log.Muck(by="Bruno"),)
    assert PAGES.bridge(after(*COMPARED)) == ()


@pytest.mark.parametrize("lang", LANGS)
def test_other_words_that_a_player_could_have_said(lang: Lang) -> None:
    state = after(log.Hand(), log.Piccolo(), log.Punto(by="Anna", to=40))
    found = PAGES.whole_acts(state, log.Vedo(by="Carla"), lang)
    assert [tag(offer.events[0]) for offer in found][:3] == ["vedo", "passo", "rilancio"]
    assert all("Carla" in offer.label for offer in found)
