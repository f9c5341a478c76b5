"""The ruling as the pages show it: one headline, a sum for each player, and nothing sure that is only believed."""

from __future__ import annotations

import pytest
from games import GAME, GNAFFATA, lines
from hypothesis import given
from hypothesis import strategies as st

from companion.dashboard import Settings
from companion.dashboard.feed import Feed
from companion.games.stu.pages.moviola import moviola
from companion.games.stu.pages.view import StuView
from companion.ledger import Ledger
from companion.pages.ruling import headline, ruling_view, summed
from companion.pages.view import ExchangeView, PaymentView, SumView
from companion.table.language import Lang


def paid(player: str, delta: int, brief: str = "why") -> PaymentView:
    return PaymentView(player, delta, "cause", 1, f"{player}: {brief}, in a sentence", None, brief)


SAID: list[tuple[list[tuple[str, int]], str, str]] = [
    ([("Filomena", -1), ("Nicola", -1), ("Filomena", -1)], "PAGANO Filomena 2 · Nicola 1", "Filomena pays 2 · Nicola 1"),
    ([("Anna", -1), ("Anna", -1), ("Anna", 1)], "PAGA Anna 1", "Anna pays 1"),
    ([("Anna", 1), ("Bruno", -1)], "PAGA Bruno 1 · risale Anna di 1", "Bruno pays 1 · Anna gains 1"),
    ([("Anna", 1)], "Risale Anna di 1", "Anna gains 1"),
    ([("Anna", -1), ("Anna", 1)], "Nessuno paga", "Nobody pays"),
    ([("Anna", 0)], "Nessuno paga", "Nobody pays"),
    ([], "Nessuno paga", "Nobody pays"),
]


@pytest.mark.parametrize(("payments", "it", "en"), SAID)
def test_the_headline_says_who_pays_how_much(payments: list[tuple[str, int]], it: str, en: str) -> None:
    sums = summed([paid(*payment) for payment in payments])
    said: dict[Lang, str] = {"it": it, "en": en}
    for lang, expected in said.items():
        assert " · ".join(headline(sums, lang)) == expected


@pytest.mark.parametrize(("payments", "it", "en"), SAID)
def test_a_ruling_that_is_not_sure_says_perhaps(payments: list[tuple[str, int]], it: str, en: str) -> None:
    sums = summed([paid(*payment) for payment in payments])
    assert headline(sums, "it", sure=False)[0].upper().startswith("FORSE ")
    assert headline(sums, "en", sure=False)[0].startswith("Perhaps ")


def test_a_player_who_pays_and_is_paid_back_is_one_sum_with_its_reasons() -> None:
    anna = [paid("Anna", -1, "lowest"), paid("Anna", -1, "gnaffata"), paid("Anna", 1, "matti")]
    rows = summed([anna[0], paid("Bruno", -1, "penalty"), *anna[1:]])
    assert rows == (SumView("Anna", -1, ("−1 lowest", "−1 gnaffata", "+1 matti")), SumView("Bruno", -1, ("penalty",)))


def test_a_void_hand_and_a_game_without_brief_reasons() -> None:
    assert ruling_view(1, [], "it", final=True, sure=True, void=True).headline == ("Mano nulla",)
    payment = PaymentView("Anna", -1, "lowest", 0, "Anna showed the lowest number")
    assert ruling_view(1, [payment], "en", final=True, sure=True).sums[0].why == ("Anna showed the lowest number",)


@given(st.lists(st.tuples(st.sampled_from(("Xa", "Xb", "Xc", "Xd", "Xe")), st.integers(-2, 2)), max_size=12))
def test_no_pedina_is_lost_in_summing(payments: list[tuple[str, int]]) -> None:
    rows = summed([paid(*payment) for payment in payments])
    assert sum(row.delta for row in rows) == sum(delta for _, delta in payments)
    assert [row.player for row in rows] == list(dict.fromkeys(player for player, _ in payments))
    assert sum(len(row.why) for row in rows) == len(payments)
    told = " · ".join(headline(rows, "it"))
    assert all((row.player in told) == bool(row.delta) for row in rows)


def shown(ledger: Ledger, *text: str) -> StuView:
    ledger.record(ledger.new_game(), lines(*text))
    view = Feed(ledger, Settings()).snapshot().view("it")
    assert isinstance(view, StuView)
    return view


def believed(view: StuView) -> list[str]:
    return [seat.name for seat in view.seats if seat.believed]


UNSURE = (*GNAFFATA[:-1], '{"e":"end","confidence":0.7}')
LOWEST = ('{"e":"hand"}', '{"e":"reveal","by":"Anna","card":"9"}', '{"e":"reveal","by":"Bruno","card":"2"}',
          '{"e":"reveal","by":"Carla","card":"6"}', '{"e":"end"}')  # fmt: skip


def test_pedine_are_only_believed_until_the_ruling_is_sure(ledger: Ledger) -> None:
    assert believed(shown(ledger, *GNAFFATA)) == []
    assert believed(shown(ledger, *UNSURE)) == ["Anna"]
    assert believed(shown(ledger, *UNSURE, *LOWEST)) == ["Anna"]  # a sure hand later changes nothing in it
    assert believed(shown(ledger, *UNSURE, *LOWEST[:-1], '{"e":"end","confidence":0.5}')) == ["Anna", "Bruno"]
    assert believed(shown(ledger, *GNAFFATA, *LOWEST)) == []  # an organiser has put the first hand right


def test_a_void_hand_leaves_nothing_to_believe(ledger: Ledger) -> None:
    assert believed(shown(ledger, *GNAFFATA[:4], GNAFFATA[4].replace("0.99", "0.6"), '{"e":"void"}')) == []


def test_in_mid_hand_a_payment_that_is_not_sure_is_only_believed(ledger: Ledger) -> None:
    unsure = GNAFFATA[4].replace("0.99", "0.6")
    assert believed(shown(ledger, *GNAFFATA[:4], unsure)) == ["Anna"]
    assert believed(shown(ledger, *GNAFFATA[:5])) == []


ONE_LEFT = GAME.replace('"dealer"', '"standing":{"Bruno":{"pedine":1,"virgin":false}},"dealer"')


def test_after_a_ricompera_nobody_is_out_any_more_and_the_pedine_are_certain(ledger: Ledger) -> None:
    out = (ONE_LEFT, *LOWEST[:-1], '{"e":"end","confidence":0.7}')
    before, after = shown(ledger, *out), shown(ledger, *out, '{"e":"rebuy","by":"Bruno"}')
    assert before.ruling is not None
    assert after.ruling is not None
    assert [note for note in before.ruling.notes if "su saupr" in note] == ["Bruno va «su saupr»?"], "its ruling is not sure"
    assert after.ruling.notes == ()
    assert after.ruling.headline == before.ruling.headline
    assert (believed(before), believed(after)) == (["Bruno"], [])


ARROWS = (
    ('{"e":"passo","by":"Anna"}', "Anna asks Bruno", ""),
    ('{"e":"swap","with":"Bruno"}', "Anna, Bruno", ""),
    ('{"e":"passo","by":"Bruno"}', "Bruno asks Carla", "Anna, Bruno past"),
    ('{"e":"reveal","by":"Carla","card":"salta"}', "Bruno asks Dino", "Anna, Bruno past"),
    ('{"e":"reveal","by":"Dino","card":"gnao"}', "Bruno asks Anna", "Anna, Bruno past"),
    ('{"e":"swap","with":"Anna"}', "Bruno, Anna", ""),
    ('{"e":"sto","by":"Dino"}', "Bruno, Anna past", ""),
)
"""Anna and Bruno exchange; Bruno's passo jumps Carla's Salta, and Dino's Gnao sends the card back to Anna."""


def test_the_arrow_is_of_what_is_asked_for_and_the_exchange_before_it_is_past(ledger: Ledger) -> None:
    def told(one: ExchangeView | None) -> str:
        if one is None:
            return ""
        return f"{one.who}{' asks ' if one.pending else ', '}{one.whom}" + (" past" if one.past else "")

    log = [GAME.replace('"Carla"]', '"Carla","Dino"]').replace('"dealer":"Carla"', '"dealer":"Dino"'), '{"e":"hand"}']
    assert shown(ledger, *log).exchange is None
    for line, now, before in ARROWS:
        log.append(line)
        view = shown(ledger, *log)
        assert (told(view.exchange), told(view.exchange_before)) == (now, before), line
    assert shown(ledger, *GNAFFATA).exchange is None  # the hand is over


def test_the_arrow_of_the_moviola_is_of_what_was_asked_for(ledger: Ledger) -> None:
    log = [GAME.replace('"Carla"]', '"Carla","Dino"]').replace('"dealer":"Carla"', '"dealer":"Dino"'), '{"e":"hand"}']
    log += [line for line, _, _ in ARROWS]
    log += [f'{{"e":"reveal","by":"{name}","card":"{card}"}}' for name, card in (("Anna", 5), ("Bruno", 6))]
    ledger.record(ledger.new_game(), lines(*log, '{"e":"end"}'))
    told = moviola(Feed(ledger, Settings()).snapshot().moments, "en")
    assert told is not None
    asked = [f"{step.asks.who} asks {step.asks.whom}" for step in told.steps if step.asks is not None]
    assert asked == ["Anna asks Bruno", "Bruno asks Carla", "Bruno asks Dino", "Bruno asks Anna"]


def test_a_view_says_when_what_was_told_before_has_changed(ledger: Ledger) -> None:
    feed = Feed(ledger, Settings())
    game = ledger.new_game()

    def told(*text: str) -> tuple[int, int]:
        ledger.record(game, lines(*text))
        view = feed.snapshot().view("it")
        return view.game, view.revision

    assert told(*GNAFFATA[:5]) == (game, 0)
    assert told(*GNAFFATA) == (game, 0)  # it went on
    assert told(*UNSURE) == (game, 0)  # less sure than it was
    assert told(*UNSURE[:-1]) == (game, 4)  # taken back, with the fourth version
    game = ledger.new_game()
    assert told(GAME) == (game, 0)  # another game is no correction
