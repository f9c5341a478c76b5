"""A game with eyes, in the folder `toy_with_eyes`, goes through every room, and no general file knows that it is there."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import msgspec
import numpy as np
import pytest
from click.testing import CliRunner
from phones import Phone
from test_no_leak import kept_back
from toy_with_eyes import BASSA
from toy_with_eyes.rules import LOG
from toy_with_eyes.sight import Eyesight
from toy_with_eyes.workshop import BENCH, ideal, log_of, played, timed

from companion.assets import asset
from companion.cli import main
from companion.dashboard import create_app
from companion.eyes.seeing import view_of
from companion.eyes.sighting import CardSeen, Cleared, Shown
from companion.games import GAMES, read_lines
from companion.games.spec import Demo, Spec
from companion.ledger import Ledger
from companion.line import trained
from companion.line.recorder import EveningRecorder
from companion.line.tablefile import read_table_file
from companion.referee import Evening, observe
from companion.referee.record import Saw
from companion.table.log import Line, tag
from workshop.bench.betting.run import run_without_pictures
from workshop.bench.recipe import Bench, ClipRecipe, read_bench
from workshop.choreography.layout import card_in_place
from workshop.choreography.play import direct
from workshop.clip.film import FilmRecipe, film
from workshop.games import workshop_of
from workshop.soak.evenings import first_of, glimpse
from workshop.streams.glimpses import SIGHT, views

FIRST = LOG.event({"e": "game", "v": 1, "game": "bassa", "players": ["Anna", "Bruno", "Carla"]})
CLIP = ClipRecipe(
    name="bassa-easy-01", level="easy", seed=7, players=3, hands=2, size=(320, 180), fps=5, tempo=1, life="easy", surface="wood",
    cloth=3000, shape="rect", game="bassa",
)  # fmt: skip


@pytest.fixture(autouse=True)
def in_the_house(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, BASSA.id, BASSA)


def true_log(hands: int = 2, seed: int = 1) -> tuple[Line, ...]:
    return timed(workshop_of("bassa").clip_log(msgspec.structs.replace(CLIP, hands=hands, seed=seed)), Random(seed))


def told(*arguments: str) -> str:
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 0, result.output
    return result.stdout


def payments(log: tuple[Line, ...]) -> list:
    return [hand.payments for hand in played(log)]


def test_bots_play_it_with_an_option_of_its_own_and_its_log_is_ruled_on(tmp_path: Path) -> None:
    log = tmp_path / "bassa.jsonl"
    told("simulate", "--game", "bassa", "--hands", "3", "--lowest", "7", "--log", str(log))
    assert len(read_lines(log.read_bytes())) == 16
    assert len(json.loads(told("rule", "--json", str(log)))["ruled"]) == 3
    assert "has the lowest card" in told("rule", "--lang", "en", str(log))
    refused = CliRunner().invoke(main, ["simulate", "--lowest", "7", "--log", str(log)])
    assert "--lowest is of Bassa alone" in refused.stderr
    refused = CliRunner().invoke(main, ["simulate", "--game", "bassa", "--house-rule", "x=1", "--log", str(log)])
    assert "no house rule 'x': Bassa has no house rules" in refused.stderr


@pytest.mark.parametrize("seed", range(3))
def test_simulated_eyes_see_a_filmed_evening_as_it_was_played(seed: int) -> None:
    """From the choreography, by what lies where and what was seen, to the players who pay."""
    truth = true_log(seed=seed)
    timeline = direct(truth, seed=seed, level="easy")
    eyes = Eyesight(np.array([seat.place for seat in timeline.plan.seats]) / 1000)
    seen = [one for view in views(timeline, SIGHT["easy"], Random(seed)) for one in eyes.step(view)]
    assert sum(isinstance(one, Cleared) for one in seen) == 1, "between the two hands"
    assert payments(log_of(truth[0].event, [*seen, Cleared(timeline.duration)])) == payments(truth)


def test_a_face_in_doubt_is_not_ruled_as_sure() -> None:
    evening = Evening.of(BASSA, FIRST)
    for place, odds in enumerate([(("7", 1.0),), (("8", 1.0),), (("3", 0.6), ("9", 0.4))]):
        evening = observe(evening, Shown(1.0 + place, place, place, odds))
    assert evening.current.over
    assert 0.5 < (evening.current.probability or 0) < 0.7


def test_a_hand_with_a_card_that_was_not_seen_is_void() -> None:
    evening = Evening.of(BASSA, FIRST)
    for seen in (Shown(1.0, 0, 1, (("7", 1.0),)), Cleared(5.0)):
        evening = observe(evening, seen)
    assert payments(evening.log) == [(("", ""),)]


def test_tv_and_phone_follow_what_the_eyes_see_and_people_correct_it(ledger: Ledger) -> None:
    recorder = EveningRecorder.begin(ledger, FIRST)
    for place, card in enumerate(("7", "gnao", "3")):
        recorder.report(Saw(Shown(1.0 + place, place, place, ((card, 1.0),))))
    phone = Phone(create_app(ledger), "en")
    tv = phone.client.get("/api/game?lang=en").json
    assert (tv["wing"], [seat["card"]["face"] for seat in tv["seats"]]) == ("bassa", ["7", "gnao", "3"])
    assert [paid["player"] for paid in tv["ruling"]["payments"]] == ["Carla"]
    assert "<h1>Bassa</h1>" in phone.client.get("/").text
    hand = phone.view["hands"][-1]["id"]
    phone.do("change", hand=hand, start=1, stop=2, events=[{"e": "show", "by": "Anna", "card": "2"}])
    assert [player["has"] for player in phone.view["players"]] == ["2 tokens", "3 tokens", "3 tokens"]
    phone.do("undo")
    assert [player["has"] for player in phone.view["players"]] == ["3 tokens", "3 tokens", "2 tokens"]


def test_streams_of_its_sightings_are_measured() -> None:
    perfect, spoilt = (
        json.loads(told("evaluate", "streams", "--game", "bassa", "--hands", "20", "--noise", noise, "--json").splitlines()[-1])
        for noise in ("none", "hard")
    )
    assert (perfect["hands"], perfect["right"], perfect["sure_but_wrong"]) == (20, 1.0, 0.0)
    assert spoilt["right"] < 1
    assert spoilt["sure_but_wrong"] == 0


def test_its_bench_is_measured(tmp_path: Path) -> None:
    bench = Bench("clips of Bassa", read_bench(asset("datasets/bench.yaml")).levels, ())
    easy = bench.levels["easy"]
    clip = msgspec.structs.replace(CLIP, size=(easy.width[0], 720), fps=easy.fps[0], life=easy.life, players=easy.players[0])
    bench = msgspec.structs.replace(bench, clips=(clip,))
    (tmp_path / "bench.yaml").write_bytes(msgspec.yaml.encode(bench))
    report = told("evaluate", "game", "--bench", str(tmp_path / "bench.yaml"), "--without-pictures")
    assert "# What the whole line rules in Bassa" in report
    assert "| hands ruled right |  | 100.0 % (2 of 2)" in report
    assert run_without_pictures(BENCH, CLIP).score.hands[0].right
    wrong = msgspec.structs.replace(bench, clips=(msgspec.structs.replace(clip, lifts=0.5),))
    (tmp_path / "bench.yaml").write_bytes(msgspec.yaml.encode(wrong))
    refused = CliRunner().invoke(main, ["evaluate", "game", "--bench", str(tmp_path / "bench.yaml"), "--without-pictures"])
    assert "clips of Bassa have 2 to 6 players, and neither lifts" in refused.stderr


@pytest.mark.workshop
@pytest.mark.slow
def test_a_clip_is_filmed_and_its_demo_played(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The demo's own clip, with eyes that know where the cards of the film lie in place of the networks."""
    clip = tmp_path / "bassa.mp4"
    monkeypatch.setattr(BASSA, "spec", Spec("Bassa", Demo(str(clip))))
    made = film(true_log(1), FilmRecipe(seed=3, size=(320, 180), fps=5, level="easy"), clip, clip.with_name("table.json"))
    assert read_table_file(clip.with_name("table.json")).game is BASSA

    def look(picture: object) -> tuple[CardSeen, ...]:
        found = []
        for seat in range(3):
            card = next((one for one in made.timeline.at(picture.t).cards if _in_place(made.timeline, one, seat)), None)
            if card is not None:
                quad = tuple((float(x), float(y)) for x, y in card_in_place(made.timeline.plan, made.camera, seat))
                odds = ((card.key[1], 1.0),) if card.face_up else ()
                found.append(CardSeen(quad, "stu", "face" if card.face_up else "back", 0.9, card.key[1], odds))
        return tuple(found)

    monkeypatch.setattr(trained, "trained", lambda cards, decks: look)
    kept: list = []
    monkeypatch.setattr("companion.cli.show.keep", lambda steps, *rest: kept.extend(steps))
    told("demo", "--game", "bassa", "--port", "0", "--pace", "0", "--exit-after", "0")
    assert payments(kept[-1].log) == payments(true_log(1))


def _in_place(timeline: object, card: object, seat: int) -> bool:
    return float(np.hypot(*(np.array((card.x, card.y)) - timeline.plan.seats[seat].place))) < 40


def test_the_eyes_know_where_the_cards_lie() -> None:
    """A card beside the table is nobody's, and a card of another deck is none."""
    eyes = Eyesight(np.array([(0.0, -0.4), (0.0, 0.4)]))
    table = type("Flat", (), {"to_table": staticmethod(lambda points: np.array(points))})()
    corners = ((-0.03, -0.05), (0.03, -0.05), (0.03, 0.05), (-0.03, 0.05))
    quads = {(x, y): tuple((x + dx, y + dy) for dx, dy in corners) for x, y in ((0.0, -0.4), (0.0, 0.4), (0.4, 0.0))}
    decks = dict(zip(quads, ("stu", "ramino", "stu"), strict=True))
    cards = [CardSeen(quad, decks[at], "face", 0.9, "7", (("7", 1.0),)) for at, quad in quads.items()]
    seen = [one for look in range(5) for one in eyes.step(view_of(cards, look / 10, table))]
    assert [(one.place, one.alternatives) for one in seen] == [(0, (("7", 1.0),))]


def test_it_can_be_soaked() -> None:
    first, table = first_of("bassa")
    assert first.players == ("Anna", "Bruno", "Carla", "Dino")
    assert json.loads(table)["game"] == "bassa"
    assert glimpse("bassa", Random(1)) is None


def test_perfect_eyes_report_every_card_once() -> None:
    truth = true_log(3)
    assert sum(isinstance(one, Shown) for one in ideal(truth)) == sum(tag(line.event) == "show" for line in truth)


@pytest.mark.parametrize("seed", range(5))
def test_its_cards_all_lie_open_so_spectators_get_every_line_of_its_log(seed: int) -> None:
    assert not kept_back(BASSA.id, seed)
