"""The tournament's pages: from enrolling to the winner, with every step refused where it cannot be, and taken back."""

from __future__ import annotations

import re

import pytest
from serving import until
from tables import Organiser, Running
from tables import table as joined
from werkzeug.test import TestResponse

from companion.table.language import catalogue
from companion.tournament.standing import MEANWHILE, Tournament

NAMES = [f"P{number}" for number in range(1, 21)]


def say(phone: Organiser, do: str, **form: object) -> TestResponse:
    return phone.client.post(f"/organiser/tournament?lang={phone.lang}", data={"csrf": phone.csrf, "do": do, **form})


def forms(phone: Organiser) -> dict[str, dict[str, str]]:
    """What the forms of the page say besides what is typed into them: ``do`` → name → value."""
    page = phone.client.get(f"/organiser/tournament?lang={phone.lang}").text
    found = {}
    for form in re.findall(r"<form.*?</form>", page, re.DOTALL):
        hidden = dict(re.findall(r'name="(do|seen|round)" value="([^"]*)"', form))
        found[hidden.pop("do")] = hidden
    return found


def problem(answer: TestResponse) -> str:
    found = re.search(r'class="problem" role="alert">([^<]+)<', answer.text)
    return found[1] if found else ""


def now(hall: Running) -> Tournament:
    return hall.hall.tournament.now()


@pytest.fixture
def phone(hall: Running, lang: str) -> Organiser:
    return Organiser(hall, lang)


def begun(phone: Organiser) -> None:
    assert say(phone, "begin", least=8, most=12, go_on=1, stake="2,50", points="10 6 4").status_code == 302
    assert say(phone, "enrol", names="\n".join(NAMES)).status_code == 302


def test_from_enrolling_to_the_winner(hall: Running, phone: Organiser) -> None:
    assert hall.client.get("/api/hall").json["round"] is None
    begun(phone)
    assert say(phone, "paid", name="P1").status_code == 302
    assert now(hall).pot == 250
    assert say(phone, "draw", tables="").status_code == 302
    drawn = now(hall).round
    assert drawn is not None
    assert [len(table.people) for table in drawn.tables] == [10, 10]
    assert not hall.hall.overview.screen("it").final
    assert hall.client.get("/api/hall").json["round"] == 1
    page = hall.client.get(f"/draw?lang={phone.lang}").text
    assert f"{drawn.seed}" in page
    assert all(name in page for name in NAMES)
    for table in drawn.tables:
        assert say(phone, "over", table=table.number, place=[table.people[2], "", ""]).status_code == 302
    ranks = re.findall(r'<li value="(\d+)">', hall.client.get(f"/draw?lang={phone.lang}").text)
    assert ranks == ["1", "1", *["3"] * 18]  # two have ten points each, and nobody else has any
    assert say(phone, "draw").status_code == 302
    final = now(hall).round
    assert final is not None
    assert final.final
    assert hall.hall.overview.screen("it").final
    assert say(phone, "over", table=1, place=[final.tables[0].people[0]]).status_code == 302
    assert now(hall).winner == final.tables[0].people[0]
    assert final.tables[0].people[0] in hall.client.get("/draw").text
    for _ in range(6):
        assert say(phone, "undo").status_code == 302
    assert now(hall).rounds == ()
    assert hall.client.get("/api/hall").json["round"] is None


def test_who_owes_is_listed_and_a_tap_leads_back_to_the_person(hall: Running, phone: Organiser) -> None:
    """Among three hundred people, the person who keeps the money would look for the place again after each of them."""
    begun(phone)
    assert say(phone, "paid", name="P7").location.endswith("#person-7")
    assert say(phone, "leave", name="P8").location.endswith("#person-8")
    assert "#" not in say(phone, "enrol", names="Zoe").location
    page = phone.client.get(f"/organiser/tournament?lang={phone.lang}").text
    assert re.search(r'id="person-7"[^>]*><p><b>P7<', page)
    owing = re.search(r"<details><summary>[^<]*\((\d+)\)</summary><p>([^<]*)<", page)
    assert owing
    names = [*(name for name in NAMES if name not in ("P7", "P8")), "Zoe"]
    assert (owing[1], owing[2]) == (str(len(names)), ", ".join(names))
    for name in names:
        assert say(phone, "paid", name=name).status_code == 302
    page = phone.client.get(f"/organiser/tournament?lang={phone.lang}").text
    assert "<details><summary>" not in page
    gone = re.search(r'id="person-8".*?<button>([^<]*)<.*?</li>', page, re.DOTALL)
    assert gone
    assert gone[1] == {"it": "non ha pagato", "en": "not paid"}[phone.lang], "who has gone is not said to owe anything"
    assert catalogue(phone.lang).gettext("owes") not in page


def test_the_pot_the_finals_stake_and_who_owes_it(hall: Running, phone: Organiser) -> None:
    assert say(phone, "begin", least=2, most=3, go_on=1, stake="2", pot="common", final_stake="5,50").status_code == 302
    assert say(phone, "enrol", names="\n".join(NAMES[:6])).status_code == 302
    assert say(phone, "paid", name="P1").status_code == 302
    assert say(phone, "draw").status_code == 302
    assert now(hall).pot == 200
    for table in now(hall).rounds[0].tables:
        assert say(phone, "over", table=table.number, place=[table.people[0]]).status_code == 302
    assert say(phone, "draw").status_code == 302
    finalists = now(hall).rounds[1].tables[0].people
    assert say(phone, "paid", name=finalists[0], final="1").status_code == 302
    assert say(phone, "unpaid", name=finalists[1], final="1").status_code == 302
    page = phone.client.get(f"/organiser/tournament?lang={phone.lang}").text
    owing = re.findall(r"<details><summary>[^<]*\(1\)</summary><p>([^<]*)<", page)
    assert owing == [finalists[1]]
    sum_there = {"it": "In palio: 7,50 €", "en": "Plays for €7.50"}[phone.lang]
    for client, address in ((phone.client, "/organiser/tournament"), (hall.client, "/draw"), (hall.client, "/draw/sheets")):
        assert client.get(f"{address}?lang={phone.lang}").text.count(sum_there) == 1
    other = next(name for name in NAMES[:6] if name not in finalists)
    assert say(phone, "paid", name=other, final="1").status_code == 422
    assert say(phone, "begin", least=2, most=3, go_on=1, stake="2", pot="mine").status_code == 400


@pytest.mark.parametrize(
    ("people", "proposed"), [("anna Bruno Carla", True), ("anna Bruno Carla Zoe", True), ("anna Zoe Carla", False)]
)
def test_the_winner_of_a_game_in_the_hall_is_proposed_at_the_table_of_its_people(
    hall: Running, phone: Organiser, people: str, proposed: bool
) -> None:
    """Anna, Bruno and Carla have played; somebody of the table may have come too late."""
    assert say(phone, "begin", least=3, most=4, go_on=1, stake="2").status_code == 302
    assert say(phone, "enrol", names=people.replace(" ", "\n")).status_code == 302
    assert say(phone, "draw").status_code == 302
    with joined(hall) as one:
        one.play(hands=200, every=40)
        winner = one.says()["winner"]
        until(lambda: hall.tables()[0]["state"] == "over")
        page = phone.client.get(f"/organiser/tournament?lang={phone.lang}").text
    chosen = re.findall(r"<option selected>([^<]*)<", page)
    assert [name.lower() for name in chosen] == ([winner.lower()] if proposed else [])
    assert page.count("<details open>") == proposed
    assert now(hall).winner is None  # until somebody says so
    if proposed:
        assert say(phone, "over", table=1, place=chosen).status_code == 302
        assert "<details open>" not in phone.client.get(f"/organiser/tournament?lang={phone.lang}").text


def test_the_bell_fills_the_big_screen_with_what_it_proposes(hall: Running, phone: Organiser) -> None:
    def screen() -> dict:
        view = hall.client.get(f"/api/hall/now?lang={phone.lang}").json["view"]
        return {name: view[name] for name in ("bell", "rang", "bell_mark")}

    begun(phone)
    assert say(phone, "ring", proposes="matto").status_code == 422
    assert say(phone, "draw").status_code == 302
    assert screen() == {"bell": "", "rang": "", "bell_mark": ""}
    shown = forms(phone)["ring"]
    assert say(phone, "ring", proposes="matto", **shown).status_code == 302
    assert say(phone, "ring", proposes="matto", **shown).status_code == 422  # tapped twice
    proposed = {"it": "Un Matto fuori dal mazzo (regola 12)?", "en": "One Matto out of the deck (rule 12)?"}[phone.lang]
    until(lambda: screen()["rang"] == proposed)
    assert screen()["bell"].endswith(f": {proposed}")
    assert screen()["bell_mark"]
    assert proposed in re.findall(r"<small>([^<]*)</small>", phone.client.get(f"/organiser/tournament?lang={phone.lang}").text)[0]
    assert say(phone, "undo").status_code == 302
    until(lambda: screen() == {"bell": "", "rang": "", "bell_mark": ""})
    assert say(phone, "ring", proposes="beer").status_code == 400


def test_every_tables_own_tv_says_what_the_bell_proposes_until_it_is_taken_back(hall: Running, phone: Organiser) -> None:
    begun(phone)
    assert say(phone, "draw").status_code == 302
    with joined(hall) as one:
        one.play(hands=1, every=5)

        def told() -> list[str]:
            return list(one.app.test_client().get(f"/api/notices?lang={phone.lang}").json["notices"])

        assert told() == []
        assert say(phone, "ring", proposes="ricompere").status_code == 302
        proposed = {"it": "La campana della sala: Niente più ricompere?", "en": "The hall’s bell: No more ricompere?"}[phone.lang]
        until(lambda: told() == [proposed])
        assert say(phone, "undo").status_code == 302
        until(lambda: told() == [])


def test_what_a_second_organiser_has_not_seen_yet_is_not_done_by_their_tap(hall: Running, phone: Organiser) -> None:
    """Two phones tap *Undo* at the same time, or a page of the round before says who has won."""
    begun(phone)
    shown = forms(phone)
    assert say(phone, "paid", name="P1").status_code == 302
    late = say(phone, "undo", **shown["undo"])
    assert late.status_code == 422
    assert problem(late) == catalogue(phone.lang).gettext(MEANWHILE.text)
    assert now(hall).pot == 250
    before = forms(phone)
    assert say(phone, "undo", **before["undo"]).status_code == 302
    assert say(phone, "undo", **before["undo"]).status_code == 422
    assert len(now(hall).people) == len(NAMES)

    assert say(phone, "draw", **forms(phone)["draw"]).status_code == 302
    first = forms(phone)
    drawn = now(hall).round
    assert drawn is not None
    for table in drawn.tables:  # each of two phones may say one of them
        assert say(phone, "over", table=table.number, place=[table.people[0]], **first["over"]).status_code == 302
    assert say(phone, "draw", **forms(phone)["draw"]).status_code == 302
    assert say(phone, "over", table=1, place=[drawn.tables[0].people[0]], **first["over"]).status_code == 422
    assert now(hall).winner is None
    assert say(phone, "draw", **first["draw"]).status_code == 422


@pytest.mark.parametrize(
    ("do", "form", "status"),
    [
        ("draw", {}, 302), ("draw", {"tables": "16"}, 422), ("over", {"table": "1", "place": ["P1"]}, 422),
        ("enrol", {"names": "P1"}, 422),
        ("leave", {"name": "Zoe"}, 422), ("enrol", {"names": " \n"}, 422), ("begin", {}, 422), ("dance", {}, 400),
        ("over", {"table": "x"}, 400), ("draw", {"tables": "99"}, 422), ("enrol", {"names": "<b>Zoe</b>"}, 302),
    ],
)  # fmt: skip
def test_what_cannot_be_is_refused_with_a_sentence_and_changes_nothing(
    hall: Running, phone: Organiser, do: str, form: dict, status: int
) -> None:
    begun(phone)
    before = now(hall)
    answer = say(phone, do, **form)
    assert answer.status_code == status
    if status != 302:
        assert re.search(r'role="alert">[^<{]+<', answer.text)
        assert now(hall) == before
    page = phone.client.get(f"/organiser/tournament?lang={phone.lang}")
    assert page.status_code == 200
    assert "<b>Zoe" not in page.text


def test_a_name_that_is_too_long_is_refused_whole_and_what_was_typed_stays(hall: Running, phone: Organiser) -> None:
    """Cut, two people with one beginning would be one."""
    begun(phone)
    before, long = now(hall), "Maria Antonietta Giovannangelo-Delle Fratte"
    typed = f"Zeno\n{long} A\n{long} B"
    answer = say(phone, "enrol", names=typed)
    assert answer.status_code == 422
    assert f"{long[:30]}…" in answer.text
    assert f">{typed}</textarea>" in answer.text
    assert now(hall) == before


WISH = {"least": "8", "most": "12", "go_on": "2", "stake": "3", "pot": "common", "final_stake": "1,50", "points": "9 5 1"}


@pytest.mark.parametrize(
    ("name", "typed", "italian"),
    [
        ("least", "eight", "Persone a un tavolo, almeno: serve un numero intero da 2 a 39"),
        ("most", "40", "Al massimo: serve un numero intero da 2 a 39"),
        ("most", "", "Al massimo: serve un numero intero da 2 a 39"),
        ("stake", "two", "Posta, €: serve una somma di denaro, come 2,50, e al massimo 100.000,00 €"),
        ("final_stake", "-1", "(0: nessuna): serve una somma di denaro, come 2,50, e al massimo 100.000,00 €"),
        ("points", "10 -6", "servono dei numeri, come 10 6 4 3 2 1: al massimo 12, e nessuno sopra 1.000.000"),
        ("points", "1 " * 13, "servono dei numeri, come 10 6 4 3 2 1: al massimo 12, e nessuno sopra 1.000.000"),
        ("points", "ten", "servono dei numeri"),
    ],
)
def test_what_a_tournament_cannot_begin_with_is_said_and_all_that_was_typed_stays(
    hall: Running, name: str, typed: str, italian: str
) -> None:
    phone, wish = Organiser(hall), {**WISH, name: typed}
    answer = say(phone, "begin", **wish)
    assert answer.status_code == 422
    assert italian in problem(answer)
    stays = dict(re.findall(r'<input name="(\w+)"[^>]* value="([^"]*)"', answer.text))
    assert stays == {key: value for key, value in wish.items() if key not in ("go_on", "pot")}
    assert re.findall(r'<option value="(\w+)" selected', answer.text) == ["2", "common"]
    assert now(hall).settings is None
    assert say(phone, "begin", **WISH).status_code == 302
    assert now(hall).settings is not None


@pytest.mark.parametrize(
    ("tables", "said"),
    [("99", "serve un numero intero da 1 a 60"), ("two", "serve un numero intero da 1 a 60"), ("19", "abbastanza persone")],
)
def test_a_number_of_tables_that_cannot_be_is_said_and_stays(hall: Running, tables: str, said: str) -> None:
    begun(phone := Organiser(hall))
    answer = say(phone, "draw", tables=tables)
    assert answer.status_code == 422
    assert said in problem(answer)
    assert f'value="{tables}"' in answer.text


def test_places_with_a_gap_or_a_name_twice_are_refused_and_stay(hall: Running, phone: Organiser) -> None:
    begun(phone)
    assert say(phone, "draw").status_code == 302
    first, second, third = hall.hall.tournament.now().rounds[0].tables[1].people[:3]
    for places, it, en in (
        (["", "", ""], "Scegli chi è arrivato primo", "Choose who was first"),
        (["", second], "Scegli chi è arrivato primo", "Choose who was first"),
        ([first, "", third], f"Scegli chi è arrivato 2º, prima di {third}", f"Choose who was number 2, before {third}"),
        ([first, second, first], f"{first} c’è due volte", f"{first} stands there twice"),
    ):
        answer = say(phone, "over", table=2, place=places)
        assert (answer.status_code, problem(answer)) == (422, {"it": it, "en": en}[phone.lang])
        assert re.findall(r"<option selected>([^<]*)<", answer.text) == [name for name in places if name]
        assert answer.text.count("<details open>") == 1
    assert say(phone, "over", table=2, place=[first, second, ""]).status_code == 302
    assert now(hall).rounds[0].tables[1].places == (first, second)


def test_each_table_of_the_round_has_a_sheet_with_its_people_and_lines_for_the_first(hall: Running, phone: Organiser) -> None:
    assert 'class="sheet"' not in hall.client.get("/draw/sheets").text
    begun(phone)
    assert say(phone, "draw").status_code == 302
    assert say(phone, "leave", name="P3").status_code == 302
    text = hall.client.get(f"/draw/sheets?lang={phone.lang}").text
    drawn = now(hall).round
    assert drawn is not None
    for table, sheet in zip(drawn.tables, text.split('class="sheet"')[1:], strict=True):
        assert re.findall(r"<li>(\w+)", sheet) == list(table.people)
        assert sheet.count("<td></td>") == 3
        assert f"{drawn.seed}" in sheet
        word = {"it": "non gioca più", "en": "plays no more"}[phone.lang]
        assert sheet.count(word) == ("P3" in table.people)
    assert say(phone, "over", table=1, place=[drawn.tables[0].people[1]]).status_code == 302
    assert f"<td>{drawn.tables[0].people[1]}</td>" in hall.client.get("/draw/sheets").text


def test_page_and_sheet_say_which_of_the_halls_tables_a_table_of_the_draw_is(hall: Running, phone: Organiser) -> None:
    begun(phone)
    with joined(hall, name="Portico"), joined(hall, name="1"):
        assert say(phone, "draw").status_code == 302
        said = {"it": "In sala: {}", "en": "In the hall: {}"}[phone.lang]
        addresses = ((phone.client, "/organiser/tournament"), (hall.client, "/draw"), (hall.client, "/draw/sheets"))

        def places() -> list[list[str]]:
            told = [client.get(f"{address}?lang={phone.lang}").text for client, address in addresses]
            return [re.findall(said.format(r"(\w+)"), page) for page in told]

        assert places() == [["Portico"]] * 3, "table 1 is the one that is called so"
        assert say(phone, "at", table="1", hall="Portico", **forms(phone)["at"]).status_code == 302
        assert places() == [["Portico", "1"]] * 3, "they have changed places"
        page = phone.client.get(f"/organiser/tournament?lang={phone.lang}").text
        assert re.findall(r"<option selected>([^<]*)<", page) == ["Portico", "1"]
        assert f"<small>{ {'it': 'tavolo', 'en': 'table'}[phone.lang] } 1: Portico</small>" in page
        assert say(phone, "at", table="9", hall="Portico").status_code == 422
        assert say(phone, "undo").status_code == 302
        assert places() == [["Portico"]] * 3


def test_a_machine_that_is_away_is_drawn_last_also_where_its_game_is_over(hall: Running, phone: Organiser) -> None:
    begun(phone)
    with joined(hall, name="Portico") as away, joined(hall, name="Loggia"):
        away.play(hands=200, every=40)
        until(lambda: hall.tables()[0]["state"] == "over")
        away.joining.leave()
        assert [one["state"] for one in hall.tables()] == ["over", "live"]
        assert say(phone, "draw").status_code == 302
    drawn = now(hall).round
    assert drawn is not None
    assert [table.hall for table in drawn.tables] == ["Loggia", "Portico"]


def test_the_page_says_where_the_hall_has_no_longer_a_table_of_that_name(hall: Running, phone: Organiser) -> None:
    def told() -> list[str]:
        return re.findall(r'<p class="problem">([^<]*)</p>', phone.client.get(f"/organiser/tournament?lang={phone.lang}").text)

    begun(phone)
    with joined(hall, name="Portico") as one, joined(hall, name="Loggia"):
        assert say(phone, "draw").status_code == 302
        assert told() == []
        one.join(hall, "Ponte")
        no = {"it": "In sala ora nessun tavolo si chiama Portico", "en": "No table of the hall is called Portico now"}
        assert told() == [no[phone.lang]]
        assert say(phone, "at", table="1", hall="Ponte", **forms(phone)["at"]).status_code == 302
        assert told() == []


def test_only_a_paired_phones_own_page_says_anything(hall: Running, phone: Organiser) -> None:
    assert hall.client.get("/organiser/tournament").status_code == 302
    assert hall.client.post("/organiser/tournament", data={"do": "begin"}).status_code == 302
    assert phone.client.post("/organiser/tournament", data={"do": "undo", "csrf": "x"}).status_code == 403
    assert now(hall).settings is None
