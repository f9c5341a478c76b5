"""The rulings in words, and the moviola: who held which card at every step, as far as the faces prove it."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, get_args

import pytest
from click.testing import CliRunner
from stu_play import real_game

from companion.cli import main
from companion.decks.stu import KINDS, NAMES, RANK, as_kind
from companion.games import stu
from companion.games.stu import words
from companion.games.stu.rules import log
from companion.games.stu.rules.report import virgins_by_hand
from companion.games.stu.rules.state import RULE_OF, Cause, Irregularity, IrregularityKind, Payment
from companion.games.stu.rules.trumps import is_trump
from companion.games.stu.story import story
from companion.table.language import LANGS, Lang
from companion.table.log import Line
from companion.table.money import exact

RULINGS = Path(__file__).parent / "rulings"
GOOD = [path for path in sorted(RULINGS.glob("*.jsonl")) if not path.name.startswith("bad-")]


def lines_of(name: str) -> tuple[Line, ...]:
    return log.read_lines((RULINGS / f"{name}.jsonl").read_bytes())


def test_the_twenty_kinds() -> None:
    assert len(KINDS) == len(set(KINDS)) == len(NAMES) == 20
    assert [RANK[kind] for kind in KINDS] == [*range(-5, 0), *range(1, 16)]
    assert [kind for kind in KINDS if is_trump(kind)] == ["taverna", "gnao", "salta", "bragon", "cucco"]
    assert as_kind("nulla") == "nulla"
    with pytest.raises(ValueError, match="no card is called 'asso'"):
        as_kind("asso")


@pytest.mark.parametrize("language", LANGS)
@pytest.mark.parametrize("cause", sorted({*get_args(Cause)} - {"stated"}))
def test_every_payment_has_a_sentence_with_its_name_and_rule(cause: Cause, language: Lang) -> None:
    by = "Bruno" if cause in ("gnaffata", "bbummata") else None
    card = {"lowest": "8", "matto": "matto", "taverna_for_nulla": "nulla"}.get(cause)
    said = words.payment(Payment("Anna", -1, cause, RULE_OF[cause], by, as_kind(card) if card else None), language)
    assert "Anna" in said
    assert by is None or by in said
    assert cause != "lowest" or "8" in said
    assert f"{RULE_OF[cause]})" in said
    assert "{" not in said
    assert "None" not in said


@pytest.mark.parametrize("language", LANGS)
def test_of_what_the_table_has_stated_no_rule_is_named(language: Lang) -> None:
    said = words.payment(Payment("Anna", -1, "stated", 0), language)
    assert "Anna" in said
    assert not re.search(r"\(|regola|rule", said)


@pytest.mark.parametrize("language", LANGS)
def test_every_card_has_its_article(language: Lang) -> None:
    said = [words.card(kind, language) for kind in KINDS]
    assert len(set(said)) == 20
    assert all(NAMES[kind].it in name for kind, name in zip(KINDS, said, strict=True))
    articles = {"en": {"the"}, "it": {"il", "la", "lo"}}[language]
    assert {name.split(" ")[0] for name in said} - articles == (set() if language == "en" else {"l’1", "l’8"})


@pytest.mark.parametrize(
    ("minor_units", "it", "en"),
    [
        (0, "0,00 €", "€0.00"), (5, "0,05 €", "€0.05"), (800, "8,00 €", "€8.00"),
        (10**30 + 7, f"10{9 * '.000'},07 €", f"€10{9 * ',000'}.07"),
    ],
)  # fmt: skip
def test_sums_are_written_as_people_read_them(minor_units: int, it: str, en: str) -> None:
    assert [exact(minor_units, language) for language in LANGS] == [it, en]


@pytest.mark.parametrize("language", LANGS)
@pytest.mark.parametrize("kind", get_args(IrregularityKind))
def test_every_irregularity_has_a_sentence(kind: IrregularityKind, language: Lang) -> None:
    said = words.irregularity(Irregularity(kind, "Anna"), language)
    assert "Anna" in said
    assert f"{words.RULE_OF_IRREGULARITY[kind]})" in said


def test_the_words_of_montorio() -> None:
    def said(name: str) -> str:
        return CliRunner().invoke(main, ["rule", str(RULINGS / f"{name}.jsonl"), "--story"]).output

    assert "«pij na gnaffat» da Carla" in said("r22-gnaff-e-bbum-with-two-pedine-goes-out")
    assert "Bruno va «su saupr»" in said("r22-gnaff-e-bbum-with-two-pedine-goes-out")
    assert "«na bbummata» da Bruno" in said("r16-bbummata-and-lowest-are-two-pedine")
    assert "«cecata»" in said("r17-cucco-stops-and-nobody-pays-at-once")
    assert "«n llev e n matt»" in said("r12-two-matti-house-rule-matti")
    assert "«passo e sto»" in said("r11-passo-e-sto")
    assert "si va col mazzo" in said("r06-dealer-draws-and-shows-what-was-drawn")
    assert "«fatt nu bicchijr»" in said("r13-taverna-refuses")
    assert "«zumb»" in said("r15-two-saltas-in-a-row")
    assert "«cart’arrit»" in said("r14-card-kept-ends-the-run")


def test_fine_del_vergine_is_a_virgins_only() -> None:
    hands = stu.report(stu.replay(lines_of("r22-fine-del-vergine"))).hands
    assert words.fine_del_vergine(hands[0], ["Anna", "Bruno"]) == "Bruno"
    assert words.fine_del_vergine(hands[0], ["Anna"]) is None
    assert any("fine del vergine" in said for said in words.aftermath(hands[0], "it", ["Bruno"]))


FINAL = (
    '{"e":"game","v":1,"game":"stu","players":["Anna","Bruno"],"stake":200,"currency":"EUR","dealer":"Bruno",'
    '"edition":"piazza-2010","standing":{"Anna":{"pedine":1,"virgin":false}}}'
)
DRAWN = ['{"e":"hand"}', '{"e":"reveal","by":"Anna","card":"4"}', '{"e":"reveal","by":"Bruno","card":"7"}', '{"e":"end"}']
BACK = '{"e":"rebuy","by":"Anna","partners":[{"name":"Zia","share":0.25}]}'
SPLIT = '{"e":"split","shares":{"Anna":0.6,"Bruno":0.4}}'
ONE_EACH = FINAL.replace("}}}", '},"Bruno":{"pedine":1,"virgin":false}}}')


@pytest.mark.parametrize(
    ("told", "says"),
    [
        ([FINAL, *DRAWN, BACK], "Anna comes back by ricompera with Zia (25 %, puts in €1.00)\n\nplay goes on"),
        ([FINAL, SPLIT, *DRAWN], "Anna and Bruno agree on shares of the pot: Anna 60 %, Bruno 40 %\nHand 1"),
        ([FINAL, DRAWN[0], SPLIT, *DRAWN[1:]],
         "Anna and Bruno agree on shares of the pot: Anna 60 %, Bruno 40 %"),
        ([FINAL, '{"e":"matto","in_deck":1}', *DRAWN], "One Matto out of the deck\nHand 1"),
        ([FINAL, *DRAWN, '{"e":"penalty","player":"Bruno"}'], "  Bruno pays one pedina as a penalty (rule 24)\n"),
        ([ONE_EACH, *(line.replace('"4"', '"matto"') for line in DRAWN), DRAWN[0]],
         "  All come back, no more ricompere (rule 21)\nHand 2"),
    ],
    ids=["ricompera", "split before the first hand", "split in mid-hand", "Matto", "penalty after a hand", "rule 21"],
)  # fmt: skip
@pytest.mark.parametrize("options", [(), ("--story",)], ids=["", "story"])
def test_what_happens_around_the_hands_is_told(told: list[str], says: str, options: tuple[str, ...]) -> None:
    printed = CliRunner().invoke(main, ["rule", "-", "--lang", "en", *options], input="\n".join(told))
    assert says in printed.output, printed.output
    assert printed.output.count(says.strip().split("\n")[0]) == 1


@pytest.mark.parametrize("log_file", GOOD, ids=lambda path: path.stem)
@pytest.mark.parametrize("options", [("--lang", "en"), ("--story",)], ids=" ".join)
def test_every_ruling_can_be_told(log_file: Path, options: tuple[str, ...]) -> None:
    result = CliRunner().invoke(main, ["rule", str(log_file), *options])
    assert (result.exit_code, result.stderr) == (0, "")
    assert "None" not in result.output
    assert "{" not in result.output


def test_faces_seen_at_the_end_tell_who_held_what_before() -> None:
    """Anna passes an unseen card to Bruno, who passes it to Carla: the showdown proves all three hands of it."""
    (hand,) = story(lines_of("story-two-exchanges"))
    assert hand.dealt == {"Anna": "2", "Bruno": "7", "Carla": "9"}
    assert [(step.deed, step.cards) for step in hand.steps[:4]] == [
        ("passo", {"Anna": "2", "Bruno": "7", "Carla": "9"}),
        ("swap", {"Anna": "7", "Bruno": "2", "Carla": "9"}),
        ("passo", {"Anna": "7", "Bruno": "2", "Carla": "9"}),
        ("swap", {"Anna": "7", "Bruno": "9", "Carla": "2"}),
    ]
    assert [step.line for step in hand.steps] == list(range(3, 11))
    assert hand.steps[-1].payments[0].player == "Carla"


def test_what_no_face_proves_stays_open() -> None:
    (hand,) = story(lines_of("r06-dealer-draws-and-shows-what-was-drawn"))
    assert hand.dealt == {"Anna": "4", "Bruno": "5", "Carla": None}
    assert [step.deed for step in hand.steps[:3]] == ["sto", "passo_dealer", "draw"]
    assert hand.steps[2].cards == {"Anna": "4", "Bruno": "5", "Carla": "1"}


def test_who_went_out_holds_no_card_any_more() -> None:
    (hand,) = story(lines_of("r18-final-won-by-a-gnaffata"))
    assert hand.dealt == {"Anna": None, "Bruno": "gnao"}
    assert [(step.deed, step.cards) for step in hand.steps] == [
        ("passo", {"Anna": None, "Bruno": "gnao"}),
        ("refused", {"Bruno": "gnao"}),
    ]


@pytest.mark.parametrize("seed", range(12))
def test_the_moviola_agrees_with_the_rulings(seed: int) -> None:
    """Every payment and irregularity stands at exactly one step of its hand, in order; cards never multiply."""
    lines = [Line(event) for event in real_game(seed, 2 + seed, hands=8)]
    report = stu.report(stu.replay(lines))
    told = story(lines)
    assert [hand.n for hand in told] == [hand.n for hand in report.hands]
    for hand, ruled in zip(told, report.hands, strict=True):
        assert tuple(paid for step in hand.steps for paid in step.payments) == ruled.payments
        assert tuple(found for step in hand.steps for found in step.irregularities) == ruled.irregularities
        for step in hand.steps:
            held = [kind for kind in step.cards.values() if kind is not None]
            assert all(held.count(kind) <= 2 for kind in held)


@pytest.mark.parametrize("log_file", GOOD, ids=lambda path: path.stem)
def test_who_were_virgins_is_known_without_the_story(log_file: Path) -> None:
    lines = log.read_lines(log_file.read_bytes())
    told = {hand.n: hand.virgins for hand in story(lines)}
    state = stu.replay(lines)
    for hand, virgins in zip(stu.report(state).hands, virgins_by_hand(state), strict=True):
        assert virgins == (() if hand.void else told.get(hand.n, virgins)), "a hand just begun is not told yet"


def test_story_stands_beside_the_fixed_keys() -> None:
    path = str(RULINGS / "r16-bbummata-and-lowest-are-two-pedine.jsonl")
    plain = json.loads(CliRunner().invoke(main, ["rule", path, "--json"]).output)
    told = json.loads(CliRunner().invoke(main, ["rule", path, "--json", "--story"]).output)
    assert plain == {key: value for key, value in told.items() if key != "story"}
    assert [step["deed"] for step in told["story"][0]["steps"]] == ["passo", "refused", "shown", "shown", "end"]


def test_schema_is_of_what_the_log_holds() -> None:
    schema = json.loads(CliRunner().invoke(main, ["schema"]).output)
    assert set(schema["discriminator"]["mapping"]) == {
        "game", "hand", "deal", "sto", "passo", "swap", "taverna", "draw", "reveal", "end", "rebuy", "matto", "penalty",
        "void", "set", "split", "close",
    }  # fmt: skip
    assert schema["$defs"]["Swap"]["required"] == ["e", "with"]
    assert schema["$defs"]["Taverna"]["properties"]["share"] == {"type": "number", "minimum": 0, "maximum": 1}

    def nulls(node: Any) -> bool:
        children = node.values() if isinstance(node, dict) else node if isinstance(node, list) else ()
        return node in (None, "null") or any(nulls(child) for child in children)

    assert not nulls(schema), "a key is left out, never null"
