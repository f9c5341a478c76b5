"""What the phone offers of Stoper: all that the rules allow, nothing that they forbid, the likely first."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from stoper_play import HOUSES, game_line, play
from taps import taps

from companion.decks import italian_words
from companion.games import stoper
from companion.games.stoper import log
from companion.games.stoper.bots import Settings, seated, simulate
from companion.games.stoper.pages import PAGES, phrases
from companion.games.stoper.rules.cards import Level
from companion.games.stoper.rules.log import Event
from companion.pages.phone import Amounts, More, Next, Pick
from companion.table.language import LANGS, Lang
from companion.table.log import tag
from companion.table.play import possible

NAMES = ("Ada", "Bice", "Ciro", "Dora")
TABLE = log.new_game(NAMES, 5000, "Ada")


def after(*events: Event, first: log.Game = TABLE) -> stoper.State:
    state = stoper.begin(first)
    for event in events:
        state = stoper.apply(state, event)
    return state


def offered(*events: Event, first: log.Game = TABLE, lang: Lang = "en") -> Next:
    return PAGES.offers(after(*events, first=first), lang)


HAND = log.Hand(cip=50, invito=50)
"""Bice is First; 4.00 in the pot."""
SEEN = (HAND, log.Apro(by="Bice", to=200), log.Vedo(by="Ciro"), log.Passo(by="Dora"), log.Passo(by="Ada"))
CHANGED = (*SEEN, log.Cambio(by="Bice", n=2), log.Cambio(by="Ciro", n=0))
COMPARED = (*CHANGED, log.Busso(by="Bice"), log.Busso(by="Ciro"))


def told(event: Event, state: stoper.State, heard: set[Event]) -> bool:
    """Whether a phone need not offer this legal act just so: it has a button elsewhere, changes nothing, is one of many amounts
    or cards, or a camera says it."""
    hand = state.hand
    match event:
        case log.Deal() | log.Void() | log.End():
            return True
        case log.Close():
            return state.over
        case log.Hand():  # with other stakes or absent ones than go on by themselves: the form has each key
            return any(isinstance(one, log.Hand) for one in heard)
        case log.Passo(by=by) if hand is not None and not hand.high and hand.phase != "final":
            return log.Parola(by=by) in heard
        case log.Cambio() if hand is not None and hand.phase != "exchange":
            return any(isinstance(one, log.Busso) for one in heard)  # said first, then the exchange
        case log.Show(by=by):
            return any(isinstance(one, log.Show) and one.by == by for one in heard) or _has_shown(state, by)
    return False


def _has_shown(state: stoper.State, by: str) -> bool:
    hand = state.hand or state.ended
    return hand is not None and bool(hand.known[state.table.names.index(by)].shown)


@pytest.mark.parametrize("house", HOUSES, ids=range(len(HOUSES)))
@settings(max_examples=40)
@given(players=st.integers(4, 6), mode=st.sampled_from(["cash", "torneo"]), seed=st.integers(0, 10_000))
def test_legal_acts_are_offered_and_nothing_else(house: log.HouseRules, players: int, mode: log.Mode, seed: int) -> None:
    chance = random.Random(seed)
    for _, state in list(play(game_line(players, mode, house, seed), seed, 80))[seed % 8 :: 8]:
        found = PAGES.offers(state, "it")
        can_be = list(taps(found, chance))
        for events in can_be:
            assert possible(stoper.apply, state, events) or _half_known(state, events), events
        heard = {event for events in can_be for event in events[:1]}
        assert not [event for event in stoper.legal_acts(state) if event not in heard and not told(event, state, heard)]
        assert found.void == any(tag(event) == "void" for event in stoper.legal_acts(state))


def _half_known(state: stoper.State, events: tuple[Event, ...]) -> bool:
    """Where some of a player's first cards are known and some are not, it is the rules that refuse what cannot be shown."""
    hand = state.hand or state.ended
    match events:
        case (log.Show(by=by) | log.Cambio(by=by, discards=(_, *_)),) if hand is not None:
            known = hand.known[state.table.names.index(by)]
            return bool(known.dealt | known.received)
    return False


@settings(max_examples=30)
@given(players=st.integers(4, 6), mode=st.sampled_from(["cash", "torneo"]), seed=st.integers(0, 1000))
def test_an_evening_of_bots_could_have_been_tapped(players: int, mode: log.Mode, seed: int) -> None:
    lines = simulate(Settings(players=seated(players), mode=mode), hands=4, seed=seed)
    state, chance = stoper.begin(lines[0].event), random.Random(seed)
    for line in lines[1:]:
        event = line.event
        if not isinstance(event, log.Deal | log.End | log.Void):
            found = [one for events in taps(PAGES.offers(state, "it"), chance) for one in events]
            assert _shape(event) in {_shape(one) for one in found}, event
            if isinstance(event, log.Apro | log.Punto | log.Rilancio):
                doer = PAGES.offers(state, "it").doers[0].amounts
                assert doer is not None
                assert doer.least <= event.to <= doer.most
        state = stoper.apply(state, event)


def _shape(event: Event) -> tuple[object, ...]:
    """What is said and by whom, without amounts and cards."""
    return tag(event), getattr(event, "by", None), getattr(event, "n", None)


def amounts(next: Next) -> Amounts:
    found = next.doers[0].amounts
    assert found is not None
    return found


def words(next: Next) -> list[str]:
    return [offer.label for offer in next.doers[0].offers]


def more(next: Next) -> dict[str, More]:
    return {one.key: one for one in next.more}


def test_a_hand_begins_with_what_the_table_settled_on() -> None:
    usual = log.new_game(NAMES, 5000, "Ada", usual=log.Usual(20, 100, 36))
    assert offered(first=usual).offers[0].events == (log.Hand(cip=20, invito=100, deck=36),)
    assert offered(first=usual, lang="it").offers[0].label == "Nuova mano: il mazzo ad Ada · cip 0,20 €, invito 1,00 €"
    assert offered().offers[0].events == (log.Hand(cip=50, invito=0),)
    over = (HAND, *(log.Parola(by=name) for name in ("Bice", "Ciro", "Dora", "Ada")))
    assert offered(*over).offers[0].events == (log.Hand(),)


def test_first_opens_passes_the_word_or_opens_blind() -> None:
    found = offered(HAND)
    assert found.title == "Opening from a knave (Donna): Bice"
    assert words(found) == ["Bice passes the word", "Bice: buio (€4.00)"]
    bet = amounts(found)
    assert [sum.minor for sum in bet.likely] == [50, 100, 200, 400, 4900]
    assert (bet.label, bet.least, bet.most) == ("Bice opens with", 50, 4900)
    assert bet.likely[-1].text == "all-in €49.00"
    assert bet.all_in == "Bice all-in: €49.00"
    assert bet.below == "An opening is at least €0.50; or all-in (rule 6)"
    assert [(offer.label, len(offer.events)) for offer in found.offers] == [("Nobody opens", 4)]


def test_after_an_opening_one_tap_sees_or_lets_all_others_pass() -> None:
    found = offered(HAND, log.Apro(by="Bice", to=200))
    assert words(found) == ["Ciro sees (+€2.00)", "Ciro passes"]
    raised = amounts(found)
    assert raised.least == 201
    assert [sum.minor for sum in raised.likely] == [250, 400, 600, 1000, 4900]
    assert raised.below == "A raise is more than €2.00 (rule 10)"
    assert [(offer.label, offer.events) for offer in found.offers] == [
        ("All others pass", (log.Passo(by="Ciro"), log.Passo(by="Dora"), log.Passo(by="Ada"))),
    ]  # fmt: skip


def test_who_has_too_little_sees_all_in_and_cannot_raise() -> None:
    short = log.new_game(NAMES, {"Ada": 5000, "Bice": 5000, "Ciro": 250, "Dora": 5000}, "Ada")
    found = offered(HAND, log.Apro(by="Bice", to=200), first=short)
    assert words(found) == ["Ciro sees all-in (+€1.50)", "Ciro passes"]
    assert found.doers[0].amounts is None


def test_who_has_less_than_an_opening_can_only_open_all_in() -> None:
    short = log.new_game(NAMES, {"Ada": 5000, "Bice": 120, "Ciro": 5000, "Dora": 5000}, "Ada")
    bet = amounts(offered(HAND, first=short))
    assert (bet.least, bet.most, [sum.text for sum in bet.likely]) == (20, 20, ["all-in €0.20"])


def test_the_blinds_are_offered_one_after_another_and_the_last_raiser_alone_may_raise() -> None:
    blind = (HAND, log.Buio(by="Bice"))
    assert words(offered(*blind)) == ["Ciro sees (+€4.00)", "Ciro passes", "Ciro: controbuio (€8.00)"]
    twice = (*blind, log.Buio(by="Ciro"))
    assert words(offered(*twice))[-1] == "Dora: over (€16.00)"
    assert offered(*twice).doers[0].amounts is None
    seen = (*twice, log.Passo(by="Dora"), log.Passo(by="Ada"), log.Vedo(by="Bice"))
    found = offered(*seen)
    assert found.title == "The blind is seen: Ciro to speak"
    assert words(found) == ["Ciro does not raise"]
    assert amounts(found).label == "Ciro raises to"


def test_cards_are_changed_with_one_tap_and_discards_can_be_named() -> None:
    found = offered(*SEEN)
    assert words(found) == ["Bice: 2 cards", "Bice: 1 card", "Bice: served"]
    picks = more(found)["discards"].picks
    assert [(pick.event, pick.key, pick.least, pick.most) for pick in picks] == [
        (log.Cambio(by="Bice", n=1, discards=()), "discards", 1, 1), (log.Cambio(by="Bice", n=2, discards=()), "discards", 2, 2),
    ]  # fmt: skip


def test_leaving_before_a_bet_is_asked_twice() -> None:
    found = offered(*CHANGED)
    assert words(found) == ["Bice: busso", "Bice: parola"]
    assert more(found)["leave"].offers[0].events == (log.Passo(by="Bice"),)
    assert [offer.label for offer in found.offers] == ["All: busso", "All: parola"]


def test_parola_is_not_offered_with_somebody_in_without_chips() -> None:
    short = log.new_game(NAMES, {"Ada": 5000, "Bice": 5000, "Ciro": 250, "Dora": 5000}, "Ada")
    played = (HAND, log.Apro(by="Bice", to=200), log.Vedo(by="Ciro"), log.Vedo(by="Dora"), log.Passo(by="Ada"))
    changed = (*played, *(log.Cambio(by=name, n=1) for name in ("Bice", "Ciro", "Dora")))
    found = offered(*changed, first=short)
    assert words(found) == ["Bice: busso"]
    assert [offer.label for offer in found.offers] == ["All: busso"]
    assert [pick.event for pick in more(found)["shown"].picks] == [log.Show(by="Ciro", cards=())]


def shown(next: Next) -> Pick:
    found = next.doers[0].pick
    assert found is not None
    return found


def test_three_cards_of_the_deck_in_use_are_shown_or_conceded() -> None:
    found = offered(*COMPARED)
    assert found.title == "Showdown: Bice and Ciro to show"
    pick = shown(found)
    assert (pick.least, pick.most, len(pick.kinds), len(pick.deck), pick.named) == (3, 3, 28, 28, True)
    assert words(found) == ["Bice: concedes"]
    assert found.offers == ()  # somebody must have shown
    cards = ("denari-1", "spade-1", "coppe-9")
    then = offered(*COMPARED, log.Show(by="Bice", cards=cards))
    assert not set(cards) & set(shown(then).kinds)


@pytest.mark.parametrize(
    ("cards", "said"),
    [
        (("denari-1", "spade-1", "coppe-9"), "32: due assi e figura"),
        (("spade-10", "spade-9", "coppe-7"), "20: re e cavallo di spade"),
    ],
)
def test_picked_cards_say_what_they_come_to(cards: tuple[str, ...], said: str) -> None:
    state = after(*COMPARED)
    assert PAGES.named(state, cards, "it") == said
    assert PAGES.named(state, cards[:2], "it") == ""
    event = log.Show(by="Bice", cards=cards)
    assert PAGES.line_text(state, event, stoper.apply(state, event), "it").endswith(f"({said})")


def test_a_false_opening_comes_to_light_by_the_discards_that_were_kept() -> None:
    cards = ("coppe-7", "spade-5", "spade-6")
    found = offered(*COMPARED, log.Show(by="Bice", cards=cards), log.Muck(by="Ciro"))
    (pick,) = more(found)["kept"].picks
    assert (pick.event, pick.key, pick.least) == (log.Show(by="Bice", cards=cards, discards=()), "discards", 2)
    told = log.Show(by="Bice", cards=cards, discards=("bastoni-5", "denari-6"))
    state = after(*COMPARED, log.Show(by="Bice", cards=cards), log.Muck(by="Ciro"), told)
    assert [found.kind for found in state.hands[-1].irregularities] == ["false_opening"]


def test_who_sat_out_still_does_and_can_come_back() -> None:
    over = (log.Hand(cip=50, invito=50, absent=("Dora",)), log.Parola(by="Bice"), log.Parola(by="Ciro"), log.Parola(by="Ada"))
    found = offered(*over)
    assert [(offer.label, offer.events) for offer in found.offers] == [
        ("New hand: Bice deals · without Dora", (log.Hand(absent=("Dora",)),)), ("Dora is back", (log.Hand(),)),
    ]  # fmt: skip
    voided = offered(*over, log.Hand(absent=("Dora",)), log.Void())
    assert voided.offers[0].events == (log.Hand(absent=("Dora",)),)


def test_who_is_not_of_a_parola_pot_is_offered_to_join() -> None:
    parola = (*CHANGED, log.Parola(by="Bice"), log.Parola(by="Ciro"))
    found = offered(*parola)
    assert [offer.label for offer in found.offers] == [
        "New hand: Bice deals", "Ada joins (+€2.00)", "Dora joins (+€2.00)", "Ada and Dora join",
    ]  # fmt: skip
    assert found.offers[-1].events == (log.Hand(join=("Ada", "Dora")),)


def test_who_has_no_chips_buys_as_many_as_at_the_beginning() -> None:
    broke = log.new_game(NAMES, {"Ada": 5000, "Bice": 0, "Ciro": 5000, "Dora": 5000}, "Ada")
    found = offered(first=broke)
    assert found.offers[-1].events == (log.Chips(by="Bice", amount=5000),)
    buying = more(found)["chips"].amounts
    assert buying[0].event.by == "Bice"
    assert [sum.minor for sum in buying[0].likely] == [5000, 2500, 10000]
    assert "chips" not in more(offered(first=log.new_game(NAMES, 5000, "Ada", mode="torneo")))


def test_a_hand_can_be_begun_otherwise_on_one_form() -> None:
    form = more(offered(*(HAND, *(log.Parola(by=name) for name in ("Bice", "Ciro", "Dora", "Ada")))))["hand"].form
    assert form is not None
    assert form.event == log.Hand()
    assert [field.key for field in form.fields] == ["cip", "invito", "dealer", "absent", "deck"]
    assert [choice.value for choice in form.fields[0].choices] == [None, 100, 25]
    assert [choice.value for choice in form.fields[2].choices] == ["Ada", None, "Ciro", "Dora"]
    assert [choice.value for choice in form.fields[4].choices] == [None, 36, 32, 28]


def test_who_is_waited_for_says_the_plainest_where_a_correction_needs_it() -> None:
    assert PAGES.bridge(after(HAND)) == (log.Parola(by="Bice"),)
    assert PAGES.bridge(after(HAND, log.Apro(by="Bice", to=200))) == (log.Passo(by="Ciro"),)
    assert PAGES.bridge(after(*SEEN)) == (log.Cambio(by="Bice", n=0),)
    assert PAGES.bridge(after(*CHANGED)) == (log.Busso(by="Bice"),)
    assert PAGES.bridge(after(*COMPARED)) == ()
    seen = log.Show(by="Bice", cards=("denari-1", "spade-1", "coppe-9"))
    assert PAGES.bridge(after(*COMPARED, seen)) == (log.Muck(by="Ciro"),)
    assert PAGES.bridge(after()) == ()


@pytest.mark.parametrize("lang", LANGS)
def test_other_words_that_a_player_could_have_said(lang: Lang) -> None:
    state = after(HAND, log.Apro(by="Bice", to=200))
    found = PAGES.whole_acts(state, log.Vedo(by="Ciro"), lang)
    assert [tag(offer.events[0]) for offer in found][:3] == ["vedo", "passo", "rilancio"]
    assert all("Ciro" in offer.label for offer in found)
    assert [offer.events for offer in PAGES.whole_acts(after(*SEEN), log.Cambio(by="Bice", n=0), lang)] == [
        (log.Cambio(by="Bice", n=n),) for n in (2, 1, 0)
    ]


def test_a_hand_that_is_over_by_itself_is_ended() -> None:
    over = after(HAND, *(log.Parola(by=name) for name in ("Bice", "Ciro", "Dora", "Ada")))
    assert PAGES.by_itself(over, log.Parola(by="Ada")) == log.End()
    assert PAGES.by_itself(after(*SEEN), log.Passo(by="Ada")) is None


@pytest.mark.parametrize(("level", "number"), [("donna", 8), ("cavallo", 9), ("re", 10)])
def test_what_opens_is_called_as_the_card_is(level: Level, number: int) -> None:
    assert phrases.figure(level, "en").startswith(f"a {italian_words.number(number, 'en')} (")
    assert phrases.figure(level, "it").endswith(f" {italian_words.number(number, 'it')}")
