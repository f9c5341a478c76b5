"""What the TV calls a correction: what had been told and is another now, and never what comes next, or has become surer."""

from __future__ import annotations

import random
from typing import Any

import pytest
import stoper_cases
import stoppa_cases
from evenings import evenings
from games import GNAFFATA, lines
from hypothesis import given, settings
from phones import Phone

from companion.dashboard import Settings, create_app
from companion.dashboard.feed import Feed
from companion.games import GAMES, log_format
from companion.games.stoper.bots import Settings as StoperEvening
from companion.games.stoper.bots import seated as stoper_seated
from companion.games.stoper.bots import simulate as stoper_evening
from companion.games.stoppa.bots import Settings as StoppaEvening
from companion.games.stoppa.bots import seated as stoppa_seated
from companion.games.stoppa.bots import simulate as stoppa_evening
from companion.ledger import Ledger
from companion.line.recorder import EveningRecorder
from companion.pages.correcting import corrected
from companion.table.log import Line

NAMES = ("Anna", "Bruno", "Carla")


def stu(log: str) -> list[dict[str, Any]]:
    """Events of Lu Stù in short: `reveal Anna 3`."""
    key = {"passo": "by", "sto": "by", "reveal": "by", "draw": "by", "penalty": "player", "rebuy": "by"}
    found = []
    for line in log.splitlines():
        e, *words = line.split()
        found.append({"e": e, **({key[e]: words[0]} if words else {}), **({"card": words[1]} if words[1:] else {})})
    return found


def stoppa(log: str) -> list[dict[str, Any]]:
    return [event for line in log.splitlines() if (event := stoppa_cases.plain(line)) is not None]


def stoper(log: str) -> list[dict[str, Any]]:
    return [event for line in log.splitlines() for event in stoper_cases.events(line, 1) if event is not None]


STU_GAME = {
    "e": "game", "v": 1, "game": "stu", "players": list(NAMES), "stake": 200, "currency": "EUR", "dealer": "Carla",
    "edition": "piazza-2010",
}  # fmt: skip
STU_HAND = "hand\nreveal Anna 2\nreveal Bruno 5\nreveal Carla 6"
STOPPA_HAND = "\n".join(
    ["hand", *("piccolo\npasso Anna\npasso Bruno\npasso Carla" for _ in range(4)), "grosso",
     "passo Anna", "passo Bruno", "passo Carla", "declare Anna misera"]
)  # fmt: skip
"""Every punto is the dealer's; all pay Anna, who has no figure, and the hand is over with the next one."""
STOPPA_LAID = STOPPA_HAND.replace("declare Anna misera", "annul")
STOPER_HAND = "hand\napro Bice 100\n" + "\n".join(f"passo {name}" for name in ("Ciro", "Dora", "Elsa", "Fabio", "Ada"))

GAME_OF = {
    "stu": (STU_GAME, stu(STU_HAND)),
    "stoppa": (stoppa_cases.first_line(""), stoppa(STOPPA_LAID)),
    "stoper": (stoper_cases.first_line(""), stoper(STOPER_HAND)),
}


class Table:
    """A game kept by thumb, and the TV that follows every version of it."""

    def __init__(self, ledger: Ledger, first: dict[str, Any], *told: list[dict[str, Any]]) -> None:
        self.recorder = EveningRecorder.begin(ledger, GAMES[first["game"]].rules.LOG.event(first))
        self.app = create_app(ledger, recorder=lambda: self.recorder)
        self.phone, self.tv = Phone(self.app), self.app.test_client()
        for events in told:
            self.say(events)
        self.view = self.look()

    def look(self) -> dict[str, Any]:
        view: dict[str, Any] = self.tv.get("/api/game?lang=it").json
        return view

    def say(self, events: list[dict[str, Any]]) -> None:
        for event in events:
            self.phone.say(event)
            self.look()

    def put(self, at: int, *events: dict[str, Any], stop: int = 0) -> None:
        """Other events in the place of a line, or of those up to ``stop``, of the hand that the phone shows."""
        hand = self.phone.look()["hand"]
        self.phone.do("change", hand=hand["id"], start=at, stop=stop or at + 1, events=list(events))

    def void(self) -> None:
        """As the phone does it: while it offers that; later in the place of the line that ended the hand."""
        if self.phone.look()["next"]["void"]:
            self.say([{"e": "void"}])
        else:
            many = len(self.phone.view["hand"]["lines"])
            self.put(many - 2, {"e": "void"}, stop=many)

    def news(self) -> list[str]:
        """What has been corrected since this was asked last."""
        before, self.view = self.view, self.look()
        return list(self.view["corrected"]) if self.view["revision"] > before["revision"] else []


def next_hand(game_id: str) -> dict[str, Any]:
    return {"e": "hand", **({"cip": 50, "invito": 50} if game_id == "stoper" else {})}


@pytest.mark.parametrize("game_id", GAME_OF)
def test_what_comes_next_is_no_correction(ledger: Ledger, game_id: str) -> None:
    """The end that a hand comes to by itself is said with what follows it: then it is surer than it was, and nothing else."""
    table = Table(ledger, *GAME_OF[game_id])
    assert table.view["ruling"]["final"]
    table.say([next_hand(game_id)])
    assert table.news() == []
    table.void()
    assert table.news() == []
    table.say([{"e": "close"}])
    assert table.news() == []


@pytest.mark.parametrize("game_id", GAME_OF)
def test_a_hand_that_is_void_is_no_correction_and_its_dealer_deals_again(ledger: Ledger, game_id: str) -> None:
    first, hand = GAME_OF[game_id]
    table, names = Table(ledger, first, hand), first["players"]
    after = names[(names.index(first["dealer"]) + 1) % len(names)]
    assert table.view["message"] == f"Il mazzo passa {'ad' if after == 'Anna' else 'a'} {after}"
    table.void()
    assert table.news() == []
    assert table.view["ruling"]["headline"] == ["Mano nulla"]
    assert table.view["message"] == f"Ridà le carte {first['dealer']}"
    table.phone.do("undo")
    assert table.news() != [], "that it counts after all is one"


def test_a_penalty_is_no_correction(ledger: Ledger) -> None:
    table = Table(ledger, STU_GAME, stu(STU_HAND))
    table.say(stu("penalty Bruno"))
    assert table.news() == []
    assert table.view["ruling"]["headline"] == ["PAGANO Anna 1", "Bruno 1"]
    table.phone.do("undo")
    assert table.news() == ["Bruno −1 → 0"], "that it is taken back is one"


@pytest.mark.parametrize("first", ["outcome", "cards"])
def test_a_penalty_that_a_second_phone_tells_late_is_no_correction(ledger: Ledger, first: str) -> None:
    """It is put in before what has ended the hand meanwhile, and comes to the same as if it were told now."""
    table = Table(ledger, STU_GAME, stu("hand"))
    late = Phone(table.app)
    if first == "outcome":
        table.phone.do("outcome", hand=table.phone.look()["hand"]["id"], paid={"Anna": 1})
    else:
        table.say(stu(STU_HAND)[1:])
    table.news()
    assert late.send({"what": "say", "events": stu("penalty Bruno")}).status_code == 200
    assert table.news() == []
    assert [event["e"] for event in table.phone.look()["hand"]["events"]].index("penalty") == 1
    assert sorted(paid["player"] for paid in table.view["ruling"]["payments"]) == ["Anna", "Bruno"]
    table.put(1, *stu("penalty Carla"))
    assert table.news() == ["Bruno −1 → 0", "Carla 0 → −1"], "that it was another's is one"


@pytest.mark.parametrize("at", range(1, 5))
def test_a_penalty_put_into_a_hand_that_is_over_is_no_correction(ledger: Ledger, at: int) -> None:
    table = Table(ledger, STU_GAME, stu(STU_HAND))
    table.put(at, *stu("penalty Bruno"), stop=at)
    assert table.news() == []


STOPPA_LAYING = "\n".join(
    ["hand", *("piccolo\npasso Anna\npasso Bruno\npasso Carla" for _ in range(4)), "grosso"]
)
LAYS = [{"e": "lay", "by": "Anna", "cards": ["coppe-5"]}, {"e": "lay", "by": "Bruno", "cards": ["coppe-6"]}]
OUTCOME_OF = {
    "stu": (STU_GAME, stu("hand\npasso Anna") + [{"e": "swap", "with": "Bruno"}], {"Carla": 1}),
    "stoppa": (stoppa_cases.first_line(""), [*stoppa(STOPPA_LAYING), *LAYS], {"Anna": 3, "Bruno": 5, "Carla": 1}),
    "stoper": (stoper_cases.first_line(""), stoper(STOPER_HAND)[:-1], None),
}


@pytest.mark.parametrize("game_id", OUTCOME_OF)
def test_the_outcome_of_a_hand_in_progress_is_no_correction(game_id: str) -> None:
    """Whatever was told of it so far: a punto that was decided, too."""
    first, hand, paid = OUTCOME_OF[game_id]
    for many in (1, len(hand) // 2 - (game_id == "stoppa"), len(hand) - 1, len(hand)):  # there no punto is in play
        with Ledger.in_memory(log_format) as ledger:
            table = Table(ledger, first, hand[:many])
            shown = table.phone.look()["hand"]
            has = dict(shown["comes_to"])
            lies = shown["most"] - sum(has.values())
            told = paid if paid is not None else {**has, "Ada": has.get("Ada", 0) + lies}
            table.phone.do("outcome", hand=shown["id"], paid=told)
            assert table.news() == [], many
            table.say([next_hand(game_id)])
            assert table.news() == [], many


def test_an_outcome_that_is_another_than_was_told_is_a_correction(ledger: Ledger) -> None:
    table = Table(ledger, STU_GAME, stu(STU_HAND))
    table.phone.do("outcome", hand=table.phone.look()["hand"]["id"], paid={"Bruno": 1})
    assert table.news() == ["Anna −1 → 0", "Bruno 0 → −1"]


def test_a_card_that_was_another_is_a_correction(ledger: Ledger) -> None:
    table = Table(ledger, STU_GAME, stu(STU_HAND))
    table.put(1, *stu("reveal Anna 9"))
    assert table.news() == ["Anna −1 → 0", "Bruno 0 → −1"]
    table.say([{"e": "hand"}])
    assert table.news() == []


def test_a_bet_that_nobody_told_is_a_correction_of_two_balances(ledger: Ledger) -> None:
    table = Table(ledger, *GAME_OF["stoppa"])
    table.put(2, *stoppa("punto Anna 50"))
    assert table.news() == ["Anna: −6,00 € → −5,00 €", "Dino: +18,00 € → +17,00 €"]


def test_a_correction_before_a_void_hand_is_one(ledger: Ledger) -> None:
    table = Table(ledger, STU_GAME, stu(STU_HAND))
    hand = table.phone.look()["hand"]["id"]
    table.say([{"e": "hand"}, {"e": "void"}])
    assert table.news() == []
    table.phone.do("outcome", hand=hand, paid={"Bruno": 1})
    assert [part.split(":")[0] for part in table.news()] == ["Anna", "Bruno"]


def test_a_correction_of_an_earlier_hand_has_nothing_of_the_next_one_in_it(ledger: Ledger) -> None:
    """Of the next hand's misera nothing is corrected, also where the TV hears of both at once."""
    table = Table(ledger, *GAME_OF["stoppa"])
    table.put(2, *stoppa("punto Anna 50"))
    table.phone.say({"e": "hand"})
    assert table.news() == ["Anna: −6,00 € → −5,00 €", "Dino: +18,00 € → +17,00 €"]


SHOWN = "hand\npiccolo\npunto Anna 50\nvedo Bruno\npasso Carla\npasso Dino\nshow Anna c6 c8 d7"
OTHERWISE = {
    "a punto whose last cards come into view": (
        stoppa_cases.first_line(""), stoppa(f"{SHOWN}\nshow Bruno s1"), stoppa(f"{SHOWN}\nshow Bruno s1 c7 c1"),
    ),
    "a gnaffata after a passo that may not have been": (
        STU_GAME, stu("hand\npasso Anna\nreveal Bruno gnao"), stu("hand\nsto Anna\nreveal Bruno gnao"),
    ),
}
"""A first line, what is told of a hand, and what is told instead."""


@pytest.mark.parametrize("sure", [True, False])
@pytest.mark.parametrize("what", OTHERWISE)
def test_a_ruling_so_far_that_was_not_sure_is_not_corrected_but_found_out(ledger: Ledger, what: str, sure: bool) -> None:
    first, was, now = OTHERWISE[what]
    log, game, feed = GAMES[first["game"]].rules.LOG, ledger.new_game(), Feed(ledger, Settings())
    for hand, confidence in ((was, 0.999 if sure else 0.6), (now, 0.999)):
        ledger.record(game, [Line(log.event(first)), *(Line(log.event(event), confidence=confidence) for event in hand)])
        told = feed.snapshot().view("it")
    assert (told.revision, bool(told.corrected)) == ((2, True) if sure else (0, False))


SURER = 0.9, 0.999, 1.0
EVENINGS = {
    "stoppa": lambda seed: stoppa_evening(StoppaEvening(players=stoppa_seated(4)), hands=3, seed=seed),
    "stoper": lambda seed: stoper_evening(StoperEvening(players=stoper_seated(5)), hands=3, seed=seed),
}


def followed(log: tuple[Line, ...], seed: int) -> int:
    """How many corrections a TV has told that followed the log grow, its last lines becoming surer all the time."""
    chance = random.Random(seed)
    with Ledger.in_memory(log_format) as ledger:
        game, feed = ledger.new_game(), Feed(ledger, Settings())
        for length in range(1, len(log) + 1, chance.randint(1, 3)):
            latest = [Line(line.event, None, chance.choice(SURER)) for line in log[max(length - 6, 1) : length]]
            ledger.record(game, [*log[: max(length - 6, 1)], *latest])
            feed.snapshot()
        return feed.snapshot().revision


@pytest.mark.parametrize("game_id", EVENINGS)
@pytest.mark.parametrize("seed", range(2))
def test_an_evening_in_which_nobody_corrects_anything_tells_of_no_correction(game_id: str, seed: int) -> None:
    assert followed(EVENINGS[game_id](seed), seed) == 0


@settings(max_examples=15, deadline=None)
@given(evenings(5))
def test_an_evening_of_lu_stu_in_which_nobody_corrects_anything_tells_of_no_correction(log: tuple[Line, ...]) -> None:
    assert followed(log, len(log)) == 0


def test_what_is_ruled_while_a_card_is_read_again_is_no_correction() -> None:
    with Ledger.in_memory(log_format) as ledger:
        game, feed = ledger.new_game(), Feed(ledger, Settings())
        for log in (GNAFFATA[:5], (*GNAFFATA[:2], '{"e":"deal","to":"Anna"}', *GNAFFATA[3:]), (*GNAFFATA, '{"e":"hand"}')):
            ledger.record(game, lines(*log))
            snapshot = feed.snapshot()
        assert (snapshot.revision, snapshot.view("it").corrected) == (0, ())


def test_a_correction_that_is_taken_back_is_said_no_more(ledger: Ledger) -> None:
    """What somebody has paid is undone, which corrects what was told, and done again."""
    table = Table(ledger, *GAME_OF["stu"])
    table.say([{"e": "penalty", "player": "Anna"}])
    table.news()
    table.phone.do("undo")
    assert table.news() == ["Anna −2 → −1"]
    table.phone.do("redo")
    assert (table.news(), table.view["corrected"]) == ([], [])
    table.phone.do("undo")
    assert table.news() == ["Anna −2 → −1"]
    table.say([next_hand("stu")])
    assert table.look()["corrected"] == [], "it is another hand's"


def test_a_correction_that_is_undone_says_the_reverse_as_another_one(ledger: Ledger) -> None:
    table = Table(ledger, STU_GAME, stu(STU_HAND))
    table.put(1, *stu("reveal Anna 9"))
    assert table.news() == ["Anna −1 → 0", "Bruno 0 → −1"]
    table.phone.do("undo")
    assert (table.news(), table.view["corrected_hand"]) == (["Bruno −1 → 0", "Anna 0 → −1"], 1)
    table.phone.do("redo")
    assert table.news() == ["Anna −1 → 0", "Bruno 0 → −1"]


def test_after_a_start_the_revision_stays_where_the_newest_version_was_a_correction(ledger: Ledger) -> None:
    table = Table(ledger, STU_GAME, stu(STU_HAND))
    table.put(1, *stu("reveal Anna 9"))
    corrected_at = table.look()["revision"]
    assert create_app(ledger).test_client().get("/api/game").json["revision"] == corrected_at
    table.say([next_hand("stu")])
    again = create_app(ledger).test_client().get("/api/game").json
    assert (again["revision"] > corrected_at, again["corrected"]) == (True, [])


def test_once_a_hand_has_ended_since_a_correction_is_kept_and_held_against_nothing(
    ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a hand that was over when the next one was played; what anybody does about it later is said as before."""
    held: list[int] = []

    def counted(*given: Any) -> tuple[str, ...]:
        held.append(1)
        return corrected(*given)

    monkeypatch.setattr("companion.dashboard.feed.corrected", counted)
    table = Table(ledger, STU_GAME, stu(STU_HAND))
    first = table.phone.look()["hand"]["id"]
    table.say(stu("hand\nreveal Anna 2"))
    table.phone.do("outcome", hand=first, paid={"Bruno": 1})
    told = table.news()
    assert [part.split(":")[0] for part in told] == ["Anna", "Bruno"]
    table.say(stu("reveal Bruno 5\nreveal Carla 6\nhand"))
    assert table.look()["corrected"] == told
    held.clear()
    table.say(stu("reveal Anna 2\nreveal Bruno 5\nreveal Carla 6\nhand"))
    assert (table.look()["corrected"], held) == ([], []), "the second hand since has begun"
    table.phone.do("outcome", hand=first, paid={"Anna": 1})
    assert [part.split(":")[0] for part in table.news()] == ["Anna", "Bruno"]


CORRECTED_HAND = {
    "stu": ({"Bruno": 1}, "Corretta la mano 1: Anna: 2 pedine, ora 3 pedine, vergine; Bruno: "),
    "stoppa": ({"Anna": 7, "Bruno": 5, "Carla": 1}, "Corretta la mano 1: Anna: −12,00 €, ora −30,00 €; "),
}
"""What the first hand came to instead, and how the voice begins to say so."""


def aloud(table: Table, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What the voice calls now."""
    monkeypatch.setattr("companion.dashboard.organiser.api.installed", lambda: True)
    shown = table.phone.client.post("/api/organiser/show", json={"voice": True}, headers={"X-CSRF-Token": table.phone.csrf})
    assert shown.status_code == 200, shown.text
    return [call["text"] for call in table.tv.get("/api/calls?lang=it").json["calls"]]


@pytest.mark.parametrize("game_id", CORRECTED_HAND)
def test_a_correction_of_an_earlier_hand_says_which_and_is_called_aloud(
    ledger: Ledger, monkeypatch: pytest.MonkeyPatch, game_id: str
) -> None:
    (first, hand), (paid, begins) = GAME_OF[game_id], CORRECTED_HAND[game_id]
    table = Table(ledger, first, [*hand])
    shown = table.phone.look()["hand"]["id"]
    table.say([next_hand(game_id)])
    assert (table.news(), table.view["corrected_hand"]) == ([], 0)
    table.phone.do("outcome", hand=shown, paid=paid)
    assert (bool(table.news()), table.view["corrected_hand"], table.view["hand"]) == (True, 1, 2)
    calls = aloud(table, monkeypatch)
    assert [text for text in calls if text.startswith(begins)], calls


SIDE_POT = """hand cip=50 invito=50
apro Bice 800
vedo Ciro Dora
serviti Bice Ciro Dora Ada
busso Bice Ciro Dora
muck Ciro Dora Ada"""
"""Ada is all-in with the cip and the invito: she can win 4,00 at most. Bice takes all 28,00."""
AS_TOLD = {"Bice": 4000, "Ciro": 3100, "Dora": 3100}
BACK = ["Ada: 4,00 € → 0,00 €", "Bice: 36,00 € → 40,00 €"]


def side_pot(ledger: Ledger) -> Table:
    table = Table(ledger, stoper_cases.first_line("players=4 stacks=[100,2100,4000,4000]"), stoper(SIDE_POT))
    assert table.phone.look()["hand"]["comes_to"] == AS_TOLD
    return table


def test_a_correction_says_of_nobody_who_has_as_much_as_before_that_they_have_not(ledger: Ledger) -> None:
    """A hand told by its words says what a pot comes to, one told by its outcome what everybody has won or lost: the two are
    not compared."""
    table = side_pot(ledger)
    hand = table.phone.view["hand"]["id"]
    table.phone.do("outcome", hand=hand, paid={**AS_TOLD, "Ada": 400, "Bice": 3600})
    assert table.news() == ["Ada: 0,00 € → 4,00 €", "Bice: 40,00 € → 36,00 €"]
    table.phone.do("undo")
    assert table.news() == BACK
    table.phone.do("outcome", hand=hand, paid=AS_TOLD)
    assert table.news() == [], "it is the same outcome"


@pytest.mark.parametrize("game_id", CORRECTED_HAND)
def test_a_correction_names_all_who_have_another_sum_and_nobody_else(ledger: Ledger, game_id: str) -> None:
    first, hand = GAME_OF[game_id]
    table = Table(ledger, first, hand)
    was = {seat["name"]: seat["has"] for seat in table.view["seats"]}
    table.phone.do("outcome", hand=table.phone.look()["hand"]["id"], paid=CORRECTED_HAND[game_id][0])
    named = {part.split(" → ")[0].rsplit(" ", 1)[0].split(":")[0] for part in table.news()}
    assert named == {seat["name"] for seat in table.view["seats"] if seat["has"] != was[seat["name"]]}


def test_a_ruling_is_corrected_also_where_the_table_has_said_since_what_everybody_has(ledger: Ledger) -> None:
    table = Table(ledger, stoper_cases.first_line(""), stoper(STOPER_HAND))
    hand = table.phone.look()["hand"]
    last = next(line["index"] for line in hand["lines"] if line["event"] == {"e": "passo", "by": "Ada"})
    table.say([{"e": "set", "stacks": dict.fromkeys(stoper_cases.NAMES, 10000)}])
    assert table.news() == []
    seen = stoper("vedo Ada\nserviti Bice Ada\nbusso Bice Ada\nmuck Ada")
    table.phone.do("change", hand=hand["id"], start=last, stop=last + 1, events=seen)
    assert table.news() == ["Bice +6,00 € → +8,00 €"]


STOPER_CASH = stoper_cases.first_line("")
BUYS = {"e": "chips", "by": "Ada", "amount": 2000}
BELATED: dict[str, tuple[list[dict[str, Any]], list[dict[str, Any]], dict[str, Any]]] = {
    "a blind, and a card was dealt": (
        [next_hand("stoper")], [{"e": "deal", "to": "Bice", "faces": [], "cards": 1}], {"e": "buio", "by": "Bice"},
    ),
    "chips, and the next hand was begun": (stoper(STOPER_HAND), [{"e": "hand"}], BUYS),
    "chips, and others were bought": (
        stoper(STOPER_HAND), [{"e": "chips", "by": "Bice", "amount": 1000}, {"e": "hand"}], BUYS,
    ),
}
"""What both phones were shown, what one then tells, and what the other tells of the moment before."""


@pytest.mark.parametrize("what", BELATED)
def test_what_is_told_late_is_put_in_and_corrects_nothing(
    ledger: Ledger, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    before, first, late = BELATED[what]
    table = Table(ledger, STOPER_CASH, before)
    other = Phone(table.app)
    table.say(first)
    assert other.send({"what": "say", "events": [late]}).status_code == 200
    said = [line.event for line in ledger.lines(table.recorder.game_id)]
    assert said.index(GAMES["stoper"].rules.LOG.event(late)) < len(said) - 1, "it was put in before the rest"
    assert (table.news(), table.view["corrected"]) == ([], [])
    assert not [text for text in aloud(table, monkeypatch) if text.startswith("Corretta")]


@pytest.mark.parametrize("by_hand", [True, False])
@pytest.mark.parametrize("game_id", GAME_OF)
def test_a_hand_that_the_camera_alone_took_for_void_is_told_late_and_not_corrected(
    ledger: Ledger, game_id: str, by_hand: bool
) -> None:
    """The cards were gathered before somebody had said the last word. Where somebody had said that it is void, it is one."""
    first, hand = GAME_OF[game_id]
    log, game, feed = GAMES[game_id].rules.LOG, ledger.new_game(), Feed(ledger, Settings())
    for events, confidence in (([*hand[:-1], {"e": "void"}], 1.0 if by_hand else 0.9999), ([*hand, {"e": "end"}], 1.0)):
        told = [Line(log.event(event), confidence=1.0) for event in events[:-1]]
        ledger.record(game, [Line(log.event(first)), *told, Line(log.event(events[-1]), confidence=confidence)])
        view = feed.snapshot().view("it")
    assert view.ruling is not None
    assert not view.ruling.void
    assert (bool(view.corrected), view.revision) == ((True, 2) if by_hand else (False, 0))


def test_a_program_that_polls_sees_that_something_may_have_changed_after_a_start(ledger: Ledger) -> None:
    """Its number is another, also where a correction and a start lie between two looks; nothing is announced for it."""
    table = Table(ledger, STU_GAME, stu(STU_HAND))
    seen = [table.view["revision"]]
    for _start in range(3):
        table.put(1, *stu("reveal Anna 9" if _start % 2 == 0 else "reveal Anna 2"))
        again = create_app(ledger).test_client().get("/api/game").json
        seen.append(again["revision"])
        assert again["corrected"] == []
        assert table.look()["revision"] <= again["revision"]
    assert sorted(set(seen)) == seen
