"""The evening to take home: as CSV, with nothing in it that a spreadsheet would run, and as a sheet to print."""

from __future__ import annotations

import csv
import io
import json
import re
from collections import Counter
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import stoper_cases
import stoppa_cases
from click.testing import CliRunner
from evenings import evenings
from flask import Flask
from games import GAME, GNAFFATA, lines
from hypothesis import example, given, settings
from hypothesis import strategies as st
from leaks import played
from phones import Phone
from test_corrected import STU_GAME, STU_HAND, stoper, stoppa, stu
from toy import HIGH_CARD
from wild_games import any_log, seeds

from companion.cli import main
from companion.dashboard import create_app
from companion.dashboard.export import as_csv
from companion.games import GAMES, log_format
from companion.games.stu import rules
from companion.games.stu.rules import report
from companion.ledger import Ledger
from companion.line.camera import BY_HAND
from companion.line.recorder import EveningRecorder
from companion.pages.beside import beside_hands
from companion.referee.corrections import Correction, correct
from companion.table.language import LANGS
from companion.table.log import Line, tag, write_lines
from companion.table.text import printable


def table(phone: Phone, game: int, name: str, lang: str = "it") -> list[dict[str, str]]:
    answer = phone.client.get(f"/organiser/games/{game}/{name}.csv?lang={lang}")
    assert answer.status_code == 200
    assert answer.headers["Content-Disposition"].startswith("attachment")
    return list(csv.DictReader(io.StringIO(answer.data.decode("utf-8-sig"), newline=""), delimiter=";" if lang == "it" else ","))


def test_a_hand_is_a_row_for_each_player(app: Flask, ledger: Ledger) -> None:
    ledger.record(game := ledger.new_game(), lines(*GNAFFATA))
    rows = table(Phone(app), game, "hands")
    assert rows[0] == {
        "Mano": "1", "Mazziere": "Carla", "Giocatore": "Anna", "Pedine prima": "3", "Differenza": "-2", "Pedine dopo": "1",
        "Perché": "gnaffata + carta più bassa", "Regola": "14 + 8", "Come si sa": "vista",
    }  # fmt: skip
    assert [(row["Giocatore"], row["Differenza"]) for row in rows[1:]] == [("Bruno", "0"), ("Carla", "0")]


PENALTY = {"e": "penalty", "player": "Carla"}
VOID = ({"e": "hand"}, {"e": "void"})
SET = {"e": "set", "standing": {"Carla": {"pedine": 2, "virgin": False}}}
TOLD_BETWEEN: dict[str, tuple[tuple[dict[str, Any], ...], list[tuple[str, ...]], int]] = {
    "after a counted hand": ((PENALTY,), [], 1),
    "after a void hand": ((*VOID, PENALTY), [("1", "", "Carla", "3", "-1", "2", "penalità", "24")], 1),
    "two of them after a void hand": (
        (*VOID, PENALTY, PENALTY),
        [("1", "", "Carla", "3", "-1", "2", "penalità", "24"), ("1", "", "Carla", "2", "-1", "1", "penalità", "24")], 2,
    ),
    "after two void hands, the first with a penalty": (
        (*VOID, PENALTY, *VOID, PENALTY),
        [("1", "", "Carla", "3", "-1", "2", "penalità", "24"), ("1", "", "Carla", "2", "-1", "1", "penalità", "24")], 2,
    ),
    "after a set": (
        (SET, PENALTY),
        [("1", "", "Carla", "3", "-1", "2", "messo a mano: 2 pedine", ""), ("1", "", "Carla", "2", "-1", "1", "penalità", "24")],
        1,
    ),
}  # fmt: skip
"""What follows a hand that costs Carla nothing → the rows between the hands, and how many penalties the sheet tells in the row of
that hand."""


@pytest.mark.parametrize("case", TOLD_BETWEEN)
def test_a_penalty_between_two_hands_stands_in_file_and_sheet(app: Flask, ledger: Ledger, case: str) -> None:
    after, expected, many = TOLD_BETWEEN[case]
    of, game = GAMES["stu"].rules.LOG, ledger.new_game()
    ledger.record(game, [Line(of.event(one)) for one in (STU_GAME, *stu(f"{STU_HAND}\nend"), *after, {"e": "hand"})])
    phone = Phone(app)
    rows = [tuple(row.values())[:8] for row in table(phone, game, "hands")]
    assert [row for row in rows if not row[1]] == expected
    sheet = phone.client.get(f"/organiser/games/{game}/sheet?lang=it").text
    first = sheet.partition("Mano 1, mazziere")[2].partition("</tr>")[0]
    since = ", dopo che il tavolo ha detto come si sta" if SET in after else ""
    assert first.count(f"Carla paga una pedina di penalità{since} (regola 24)") == many == sheet.count("pedina di penalità")


@settings(max_examples=40, deadline=None)
@given(evenings(sets=True))
def test_each_row_of_a_player_begins_where_the_one_before_has_ended(log: tuple[Line, ...]) -> None:
    """Except where somebody came back, by a ricompera or because all were out (rule 21)."""
    moments = played(GAMES["stu"], log)
    first = moments[0].seen
    had = dict(zip(first.table.names, first.pedine, strict=True))
    for row in GAMES["stu"].pages.hand_rows(moments, "it").rows:
        _n, _dealer, name, before, change, after, *_why = row.cells
        assert had[name] in (0, before)
        assert after == before + change
        had[name] = after
    last = moments[-1].seen
    if last.hand is None:
        assert all(had[name] in (0, pedine) for name, pedine in zip(last.table.names, last.pedine, strict=True))


def test_the_file_is_as_excel_expects_it_in_italy_and_elsewhere(app: Flask, ledger: Ledger) -> None:
    ledger.record(game := ledger.new_game(), lines(*GNAFFATA))
    client = Phone(app).client
    italian = client.get(f"/organiser/games/{game}/money.csv?lang=it").data.decode("utf-8-sig")
    assert client.get(f"/organiser/games/{game}/money.csv?lang=it").data.startswith(b"\xef\xbb\xbf")
    assert italian.startswith('"Dopo la mano";"Che cosa";"Giocatore";"Versa";"Incassa"\r\n0;"posta";"Anna";2,00;\r\n')
    english = client.get(f"/organiser/games/{game}/money.csv?lang=en").data.decode("utf-8-sig")
    assert english.startswith('"After hand","What","Player","Paid in","Paid out"\r\n0,"stake","Anna",2.00,\r\n')


def test_how_a_hand_is_known_is_said(app: Flask, ledger: Ledger) -> None:
    unsure = [line.replace('"confidence":0.98', '"confidence":0.6') for line in GNAFFATA]
    ledger.record(game := ledger.new_game(), lines(*unsure))
    assert {row["Come si sa"] for row in table(Phone(app), game, "hands")} == {"non sicuro"}
    recorder = EveningRecorder.begin(ledger, lines(GAME)[0].event)
    phone = Phone(app)
    for told, known in ((GNAFFATA[1:4], "in corso"), (GNAFFATA[4:-2], "segnata a mano")):
        for line in told:
            event = json.loads(line)
            event.pop("confidence", None)
            if event["e"] != "deal":
                phone.look()
                phone.say(event)
        assert {row["Come si sa"] for row in table(phone, recorder.game_id, "hands")} == {known}


DANGEROUS = st.sampled_from("=+-@\t\r\n＝＋－＠")


@given(st.lists(st.one_of(st.text(), st.builds(str.__add__, DANGEROUS, st.text())), min_size=1), st.sampled_from(["it", "en"]))
@example(["=cmd|' /C calc'!A0"], "it")
@example([" =1+1"], "it")
def test_no_text_is_a_formula_and_all_of_it_is_there(texts: list[str], lang: str) -> None:
    data = as_csv(["a"] * len(texts), [texts], lang).decode("utf-8-sig")
    _, *rows = csv.reader(io.StringIO(data, newline=""), delimiter=";" if lang == "it" else ",")
    (row,) = rows or [[""] * len(texts)]
    for text, cell in zip(texts, row, strict=True):
        assert cell in (text, f"'{text}")
        assert not cell.lstrip().startswith(tuple("=+-@＝＋－＠"))
        assert not cell.startswith(("\t", "\r", "\n"))


@settings(max_examples=40, deadline=None)
@given(evenings(sets=True))
def test_the_rows_add_up_to_what_the_game_came_to(log: tuple[Line, ...]) -> None:
    with Ledger.in_memory(log_format) as ledger:
        ledger.record(game := ledger.new_game(), log)
        phone = Phone(create_app(ledger))
        rows, money = table(phone, game, "hands"), table(phone, game, "money")
    state = rules.begin(log[0].event)
    for line in log[1:]:
        state = rules.apply(state, line.event)
    told = report(state)
    for row in rows:
        assert int(row["Pedine prima"]) + int(row["Differenza"]) == int(row["Pedine dopo"])
    moved = Counter[tuple[str, str]]()
    for row in rows:
        if row["Mazziere"] or row["Perché"] == "penalità":  # not what the table has set
            moved[row["Mano"], row["Giocatore"]] += int(row["Differenza"])
    for hand in told.hands:
        for name in state.table.names:
            due = sum(payment.delta for payment in hand.payments if payment.player == name)
            assert moved[str(hand.n), name] == due, "penalties after the hand are of it; that all come back is not"
    last = {row["Giocatore"]: int(row["Pedine dopo"]) for row in rows}
    over = max((index for index, line in enumerate(log) if isinstance(line.event, rules.log.End | rules.log.Void)), default=0)
    if not any(isinstance(line.event, rules.log.Rebuy) for line in log[over + 1 :]) and not state.restarted:
        assert all(last.get(player.name, player.pedine) == player.pedine for player in told.players)
    sums = [sum(Decimal(row[key].replace(",", ".")) for row in money if row[key]) for key in ("Versa", "Incassa")]
    assert sums[0] * 100 == told.pot
    assert sums[1] * 100 == (told.pot if told.settlement else 0)


def test_the_sheet_says_hands_ricompere_and_how_it_ended(app: Flask, ledger: Ledger) -> None:
    ledger.record(game := ledger.new_game(), lines(*GNAFFATA, '{"e":"hand"}'))
    text = Phone(app).client.get(f"/organiser/games/{game}/sheet?lang=it").text
    for said in ("Mano 1, mazziere Carla", "Anna ha la carta più bassa, il 3", "in corso", "posta", "2,00", "Montepremi: 6,00"):
        assert said in text, said


BEGUN = {
    "stu": [STU_GAME, {"e": "hand"}, {"e": "passo", "by": "Anna"}], "stoppa": [stoppa_cases.first_line(""), {"e": "hand"}],
    "stoper": [stoper_cases.first_line(""), *stoper("hand")],
}


@pytest.mark.parametrize("game_id", BEGUN)
def test_nobody_is_said_to_pay_nothing_in_a_hand_that_goes_on(ledger: Ledger, tmp_path: Path, game_id: str) -> None:
    log = "\n".join(map(json.dumps, BEGUN[game_id])).encode()
    ledger.begin(GAMES[game_id].rules.LOG.read_lines(log))
    phone = Phone(create_app(ledger))
    (file := tmp_path / "log.jsonl").write_bytes(log)
    told = [phone.client.get("/organiser/games/1/sheet?lang=it").text, json.dumps(phone.view, ensure_ascii=False),
            CliRunner().invoke(main, ["rule", str(file), "--lang", "it"]).output]  # fmt: skip
    assert all("nessuno paga" not in one.lower() for one in told)
    assert "corso" in told[-1]


STOPPA = "\n".join(["hand", *["piccolo"] * 4, "grosso", "lay Anna d5", "lay Carla d6", "annul"])
STOPER = "\n".join(["hand", "apro Bice 200", *(f"passo {name}" for name in ("Ciro", "Dora", "Elsa", "Fabio", "Ada"))])
LATE: dict[str, tuple[list[dict[str, Any]], dict[str, Any], str]] = {
    "stu": (
        [STU_GAME, *stu(STU_HAND), {"e": "end"}], {"e": "penalty", "player": "Bruno"},
        "Bruno paga una pedina di penalità (regola 24)",
    ),
    "stoppa": (
        [stoppa_cases.first_line(""), *stoppa(STOPPA)], {"e": "show", "by": "Bruno", "cards": ["coppe-6"]},
        "Bruno non ha calato la carta voluta: aveva ",
    ),
    "stoper": (
        [stoper_cases.first_line(""), *stoper(STOPER)],
        {"e": "show", "by": "Bice", "cards": ["bastoni-7", "bastoni-3", "coppe-5"]},
        "Bice ha aperto",
    ),
}
"""Hands that are over; what is told of them before the next begins; and what the sheet then says."""


@pytest.mark.parametrize("again", [False, True], ids=["last hand", "earlier hand"])
@pytest.mark.parametrize("game_id", LATE)
def test_the_sheet_says_what_was_told_of_a_hand_once_it_was_over(ledger: Ledger, game_id: str, again: bool) -> None:
    played, late, said = LATE[game_id]
    log = [*played, late, *([{"e": "hand"}] if again else [])]
    ledger.record(game := ledger.new_game(), GAMES[game_id].rules.LOG.read_lines("\n".join(map(json.dumps, log)).encode()))
    assert said in Phone(create_app(ledger)).client.get(f"/organiser/games/{game}/sheet?lang=it").text


@pytest.mark.parametrize("again", [False, True], ids=["last hand", "earlier hand"])
@pytest.mark.parametrize("game_id", LATE)
def test_so_does_the_phone(ledger: Ledger, game_id: str, again: bool) -> None:
    played, late, said = LATE[game_id]
    log = [*played, late, *([{"e": "hand"}] if again else [])]
    ledger.begin(GAMES[game_id].rules.LOG.read_lines("\n".join(map(json.dumps, log)).encode()))
    phone = Phone(create_app(ledger))
    first = phone.view["hands"][-1]
    told = phone.client.get(f"/api/organiser/hand/{first['id']}?lang=it").json["ruling"]
    assert [text for text in told if said in text]
    assert game_id != "stu" or first["text"] == "Anna −1, Bruno −1"


def test_a_penalty_is_told_apart_from_a_hand_whose_outcome_alone_is_known(ledger: Ledger) -> None:
    EveningRecorder.begin(ledger, GAMES["stu"].rules.LOG.event(STU_GAME))
    phone = Phone(create_app(ledger))
    phone.say({"e": "hand"})
    hand = phone.view["hand"]["id"]
    phone.do("outcome", hand=hand, paid={"Carla": 1})
    phone.say({"e": "penalty", "player": "Bruno"}, {"e": "hand"})
    shown = phone.client.get(f"/api/organiser/hand/{hand}?lang=it").json
    assert shown["ruling"] == ["Carla −1: si sa solo l’esito", "Bruno paga una pedina di penalità (regola 24)"]
    assert [line["text"] for line in shown["lines"] if line["stand_in"]] == ["Solo l’esito: Carla −1"]
    assert phone.view["hands"][-1]["text"] == "Carla −1, Bruno −1"


ONE_OUT = {
    "Anna": {"pedine": 0, "virgin": False}, "Bruno": {"pedine": 3, "virgin": True}, "Carla": {"pedine": 1, "virgin": False},
}  # fmt: skip
LAST_PEDINE = {name: {"pedine": 1, "virgin": False} for name in ("Anna", "Bruno")}
BACK = {"e": "rebuy", "by": "Anna", "partners": [{"name": "Zia", "share": 0.25}]}
SPLIT = {"e": "split", "shares": {"Bruno": 0.6, "Carla": 0.4}}
SPLIT_SAID = "Bruno e Carla si accordano sul montepremi: Bruno 60\u00a0%, Carla 40\u00a0%"
BESIDE: dict[str, tuple[list[dict[str, Any]], list[tuple[str, str]]]] = {
    "partners": (
        [STU_GAME | {"standing": ONE_OUT}, BACK],
        [("Prima della prima mano", "Anna rientra con una ricompera con Zia (25\u00a0%, mette 1,00 €)")],
    ),
    "split": ([STU_GAME | {"standing": ONE_OUT}, SPLIT], [("Prima della prima mano", SPLIT_SAID)]),
    "split in mid-hand": ([STU_GAME | {"standing": ONE_OUT}, {"e": "hand"}, SPLIT], [("Nella mano 1", SPLIT_SAID)]),
    "Matto": (
        [STU_GAME, *stu(STU_HAND), {"e": "end"}, {"e": "matto", "in_deck": 1}, {"e": "close"}],
        [("Dopo la mano 1", "Un Matto fuori dal mazzo"), ("Dopo la mano 1", "Niente più ricompere")],
    ),
    "all come back": (
        [{**STU_GAME, "players": ["Anna", "Bruno"], "dealer": "Bruno", "standing": LAST_PEDINE}, {"e": "hand"},
         *stu("reveal Anna matto\nreveal Bruno 5"), {"e": "end"}, {"e": "hand"}],
        [("Mano 1, mazziere Bruno", "Rientrano tutti, niente più ricompere (regola 21)")],
    ),
    "giro": (
        [stoppa_cases.first_line(""), {"e": "hand"}, {"e": "giro", "by": "Bruno"}], [("Nella mano 1", "Bruno chiama il giro")],
    ),
    "chips": (
        [stoper_cases.first_line(""), *stoper(STOPER), {"e": "chips", "by": "Ciro", "amount": 2000}],
        [("Dopo la mano 1", "Ciro compra fiches per 20,00 €")],
    ),
}  # fmt: skip
"""What is told beside the hands, or comes of them: a log, and the rows of the sheet that say it, each with its heading."""


@pytest.mark.parametrize("what", BESIDE)
def test_the_sheet_says_what_was_told_beside_the_hands(ledger: Ledger, what: str) -> None:
    log, rows = BESIDE[what]
    game_id = log[0]["game"]
    ledger.record(game := ledger.new_game(), GAMES[game_id].rules.LOG.read_lines("\n".join(map(json.dumps, log)).encode()))
    text = Phone(create_app(ledger)).client.get(f"/organiser/games/{game}/sheet?lang=it").text
    told = [(heading, said) for heading, cell in re.findall(r'<tr[^>]*><th scope="row">([^<]*)</th><td>(.*?)</td>', text)
            for said in re.findall(r"<p[^>]*>(.*?)</p>", cell)]  # fmt: skip
    assert [row for row in told if row in rows] == rows, told


OF_A_HAND = {"end", "hand", "penalty", "show", "muck", "void", "declare", "annul"}
"""Kinds of lines that may follow the last of a hand, and that the rulings of that hand tell."""


@settings(max_examples=20, deadline=None)
@given(st.sampled_from(sorted(GAMES)), seeds)
def test_every_line_is_of_a_hand_or_told_beside_them(game_id: str, seed: int) -> None:
    game = GAMES[game_id]
    moments = played(game, any_log(game_id, seed, 60))
    for before, now in pairwise(moments):
        if now.event is not None and not game.rules.in_hand(before.seen):
            assert now.event.BESIDE or tag(now.event) in OF_A_HAND
    for lang in LANGS:
        assert all(one.text for one in beside_hands(game.rules, game.pages, moments, lang))


def test_the_rule_of_a_pot_that_was_conceded_is_the_same_in_the_file_and_on_the_sheet(app: Flask, ledger: Ledger) -> None:
    conceded = stoper("hand\napro Bice 100\nvedo Ciro\npasso Dora Elsa Fabio Ada\nserviti Bice Ciro\nbusso Bice Ciro\nmuck Bice")
    of, game = GAMES["stoper"].rules.LOG, ledger.new_game()
    ledger.record(game, [Line(of.event(one)) for one in (stoper_cases.first_line(""), *conceded)])
    phone = Phone(app)
    assert [row["Regola"] for row in table(phone, game, "hands") if row["Perché"]] == ["14"]
    assert "gli altri cedono: " in phone.client.get(f"/organiser/games/{game}/sheet?lang=it").text


@settings(max_examples=12, deadline=None)
@given(st.sampled_from(sorted(GAMES)), seeds)
def test_what_is_told_beside_the_hands_is_told_in_the_terminal_too(wing: str, seed: int) -> None:
    """`companion rule`, with and without `--story`, has each ricompera, split, purchase of chips and `set` once, in order; what
    is a step of the story already is not told again."""
    game, log = GAMES[wing], any_log(wing, seed, 60)
    told = list(beside_hands(game.rules, game.pages, played(game, log), "it"))
    told = [one for one in told if tag(log[one.line - 1].event) != "close"]
    for option in ((), ("--story",)):
        printed = CliRunner().invoke(main, ["rule", "-", *option], input=write_lines(log))
        assert printed.exit_code == 0, printed.output
        text = printed.output.split("\n")
        steps = {step.line for hand in game.telling.story(log) for step in hand.steps} if option and game.telling else set()
        in_story = {printable(one.text) for one in told if one.line in steps}  # the same may be told of another time, too
        expected = [words for one in told if one.line not in steps and (words := printable(one.text)) not in in_story]
        assert [line for line in text if line in set(expected)] == expected


def test_names_on_the_sheet_stay_names(app: Flask, ledger: Ledger) -> None:
    ledger.record(game := ledger.new_game(), lines(GAME.replace("Anna", "<script>alert(1)</script>")))
    text = Phone(app).client.get(f"/organiser/games/{game}/sheet").text
    assert "<script>alert" not in text
    assert "&lt;script&gt;" in text


@pytest.mark.parametrize("name", ["hands.csv", "money.csv", "sheet"])
def test_only_a_paired_phone_gets_it_and_only_of_games_that_are_there(app: Flask, ledger: Ledger, name: str) -> None:
    ledger.record(game := ledger.new_game(), lines(*GNAFFATA))
    assert app.test_client().get(f"/organiser/games/{game}/{name}").status_code == 302
    assert Phone(app).client.get(f"/organiser/games/{game + 1}/{name}").status_code == 404
    assert Phone(app).client.get(f"/organiser/games/{ledger.new_game()}/{name}").status_code == 404


def test_a_game_that_says_no_rows_of_its_own_has_them_all_the_same(ledger: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, HIGH_CARD.id, HIGH_CARD)
    ledger.record(game := ledger.new_game(), HIGH_CARD.rules.LOG.read_lines(
        b'{"e":"game","v":1,"game":"highcard","players":["Ida","Leo"]}\n{"e":"hand"}\n'
        b'{"e":"show","by":"Ida","number":3}\n{"e":"show","by":"Leo","number":7}\n{"e":"end"}\n'))  # fmt: skip
    phone = Phone(create_app(ledger))
    rows = table(phone, game, "hands", "en")
    assert rows[0] == {"Hand": "1", "Player": "Ida", "Before": "3 tokens", "After": "2 tokens",
                       "Who pays, and why": "Ida showed the lowest number", "How it is known": ""}  # fmt: skip
    assert [tuple(row.values()) for row in table(phone, game, "money", "en")] == [("Ida", "2 tokens"), ("Leo", "3 tokens")]
    assert "Ida showed the lowest number" in phone.client.get(f"/organiser/games/{game}/sheet?lang=en").text


@pytest.mark.parametrize("lang", ["it", "en"])
@pytest.mark.parametrize("text", ["a,=1+1", "a;=1+1", "a\t=1+1", '"=1+1', 'a",=1+1', "a\n=1+1", "=1+1", "  =1+1", "@x", ""])
def test_a_text_is_one_cell_whatever_sign_a_spreadsheet_takes_for_its_end(text: str, lang: str) -> None:
    data = as_csv(["Nome", "Soldi"], [[text, Fraction(-5, 2)]], lang).decode("utf-8-sig")
    for delimiter in ",;\t|":
        cells = [cell for row in csv.reader(io.StringIO(data, newline=""), delimiter=delimiter) for cell in row]
        assert not any(cell.lstrip().startswith(("=", "@", "+")) for cell in cells), (delimiter, cells)
        assert any(text in cell for cell in cells), (delimiter, cells)


def test_amounts_are_exact_at_any_size() -> None:
    data = as_csv(["a"], [[Fraction(10**40 + 7, 100)], [Fraction(5, 100)]], "it").decode("utf-8-sig")
    assert data.split() == ['"a"', "1" + "0" * 38 + ",07", "0,05"]


@pytest.mark.parametrize("confidence", [0.6, 0.999])
def test_an_imported_hand_that_the_table_confirms_is_not_told_by_hand(ledger: Ledger, confidence: float) -> None:
    """It stands as its log says, and somebody has said that it was so: nobody has told it card by card."""
    ended = f'{{"e":"end","confidence":{confidence}}}'
    game, phone = ledger.begin(lines(*GNAFFATA[:-1], ended)), Phone(create_app(ledger))
    sheet = f"/organiser/games/{game}/hands.csv?lang=it"
    hand = phone.look()["hand"]
    phone.do("confirm", hand=hand["id"], shown=hand["events"])
    told = phone.client.get(sheet).text
    assert "confermata dal tavolo" in told
    assert not {"segnata a mano", "corretta", "non sicura"} & set(told.split('"'))


@pytest.mark.parametrize(("source", "known"), [(BY_HAND, "segnata a mano"), ("serata.jsonl", "come dice il suo registro")])
def test_an_old_hand_in_one_tap_of_nobody_is_told_by_hand_where_no_log_was_taken_in(
    ledger: Ledger, source: str, known: str
) -> None:
    """Ledgers did not always keep whose phone it was; what was kept is where the game came from."""
    first, *told = (line.event for line in lines(*GNAFFATA))
    recorder = EveningRecorder.begin(ledger, first, source)
    recorder.change(lambda evening: correct(evening, Correction(0, 0, 0, tuple(told))))
    client = Phone(create_app(ledger, recorder=lambda: recorder)).client
    sheet = client.get(f"/organiser/games/{recorder.game_id}/hands.csv?lang=it")
    assert {row.split(";")[-1].strip('"') for row in sheet.text.strip().splitlines()[1:]} == {known}


@pytest.mark.parametrize("written", [None, 1.0])
def test_a_hand_of_a_certain_log_is_as_its_log_says_until_somebody_corrects_it(ledger: Ledger, written: float | None) -> None:
    """Such a log does not say who has told it, and here nobody has."""
    keys = {} if written is None else {"confidence": written}
    log = [json.dumps({**{key: value for key, value in json.loads(line).items() if key != "confidence"}, **(keys if at else {})})
           for at, line in enumerate(GNAFFATA)]  # fmt: skip
    game, phone = ledger.begin(lines(*log)), Phone(create_app(ledger))

    def known() -> list[str]:
        rows = phone.client.get(f"/organiser/games/{game}/hands.csv?lang=it").text.strip().splitlines()[1:]
        return list(dict.fromkeys(row.split(";")[-1].strip('"') for row in rows))

    assert known() == ["" if written is None else "come dice il suo registro"]
    phone.look()
    phone.say({"e": "hand"})
    phone.do("outcome", hand=phone.view["hand"]["id"], paid={"Bruno": 1})
    assert known() == ["come dice il suo registro", "segnata a mano"]
    hand = phone.client.get("/api/organiser/hand/0?lang=it").json
    shown = next(at for at, event in enumerate(hand["events"]) if event == {"e": "reveal", "by": "Bruno", "card": "gnao"})
    phone.do("change", hand=0, start=shown, stop=shown + 1, events=[{"e": "reveal", "by": "Bruno", "card": "bragon"}],
             shown=hand["events"])  # fmt: skip
    assert known() == ["corretta", "segnata a mano"]
