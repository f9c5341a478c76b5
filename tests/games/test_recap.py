"""The video of an evening as a value: which moments it has, that it is short, and that nothing is in it that the table has not
seen."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec
import pytest
from hidden_cards import HIDDEN
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from toy import HIGH_CARD
from toy_dealt import DEALT

from companion.dashboard.settings import DEFAULTS
from companion.games import GAMES, Game
from companion.games.stoper import bots as stoper
from companion.games.stoppa import bots as stoppa
from companion.games.stu import bots as stu
from companion.pages.discreet import has_money
from companion.pages.moments import Moment, follow
from companion.pages.recap import LARGEST_WEIGHT, MOST_MOMENTS, MOST_SECONDS, RULING_WEIGHT, WEIGHT, Recap, recap
from companion.pages.recap_scenes import MOST_BENEATH, Scene, hit
from companion.pages.view import SumView
from companion.table.log import Line, tag
from companion.table.text import sentence, short

EVENINGS = {
    "stu": lambda: stu.simulate(stu.Settings(players=stu.seated(6)), hands=60, seed=5),
    "stoppa": lambda: stoppa.simulate(stoppa.Settings(players=stoppa.seated(4)), hands=25, seed=5),
    "stoper": lambda: stoper.simulate(stoper.Settings(players=stoper.seated(6)), hands=25, seed=5),
}
every_game = pytest.mark.parametrize("name", EVENINGS)


def followed(game: Game, lines: Sequence[Line]) -> list[Moment]:
    return list(follow(game.rules, game.pages, lines))


def made(game: Game, lines: Sequence[Line], *, money: bool = True, lang: Any = "it") -> Recap | None:
    return recap(game.rules, game.pages, followed(game, lines), lang, DEFAULTS.view, money=money)


def texts(value: object) -> Iterator[str]:
    """Every text in plain values."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for one in value.values():
            yield from texts(one)
    elif isinstance(value, list | tuple):
        for one in value:
            yield from texts(one)


def said(told: Recap) -> list[str]:
    return list(texts(msgspec.to_builtins(told)))


def laid_open(moments: Sequence[Moment], upto: int) -> set[str]:
    """The cards in the public lines of a hand up to a moment, and from the end of the one before it on."""
    found = set[str]()
    begun = max((at for at in range(upto + 1) if moments[at].begins), default=0)
    for moment in moments[begun : upto + 1]:
        for line in moment.lines:
            plain = msgspec.to_builtins(line.event)
            for key in ("card", "cards", "faces", "discards"):
                found |= set(texts(plain.get(key) or ()))
            found |= {"taverna"} if tag(line.event) == "taverna" else set()
    return found


@every_game
def test_an_evening_has_four_or_five_moments_and_lasts_half_a_minute(name: str) -> None:
    lines = EVENINGS[name]()
    told = made(GAMES[name], lines)
    assert told is not None
    assert MOST_MOMENTS - 1 <= len(told.scenes) <= MOST_MOMENTS
    assert 25 <= told.seconds <= MOST_SECONDS
    hands = [scene.hand for scene in told.scenes]
    assert hands == sorted(set(hands)), "in the order of play, a moment a hand"
    assert told.scenes[-1].kind == "won"
    assert told.scenes[-1].names == (told.winner,)
    assert {one.name for one in told.standings} == {*told.players}
    assert [one.won for one in told.standings] == [True] + [False] * (len(told.players) - 1)


@pytest.mark.parametrize("game", [HIGH_CARD, DEALT], ids=lambda game: game.id)
def test_a_game_that_says_little_of_its_own_has_one_too(game: Game) -> None:
    first = {"e": "game", "v": 1, "game": game.id, "players": ["Anna", "Bea"]}
    chance, lines = random.Random(3), [Line(game.rules.LOG.event(first))]
    state = game.rules.begin(lines[0].event)
    while acts := [act for act in game.rules.legal_acts(state) if tag(act) != "void"]:
        lines.append(Line(chance.choice(acts)))
        state = game.rules.apply(state, lines[-1].event)
    told = made(game, lines)
    assert told is not None
    assert told.winner in ("Anna", "Bea")
    assert told.scenes[-1].kind == "won"
    assert len(told.scenes) >= 3
    assert all(shot.plates for scene in told.scenes for shot in scene.shots)


@every_game
def test_before_a_hand_is_over_there_is_none(name: str) -> None:
    lines = EVENINGS[name]()
    assert made(GAMES[name], ()) is None
    ends = next(at for at, moment in enumerate(followed(GAMES[name], lines)) if GAMES[name].rules.hands(moment.seen))
    assert made(GAMES[name], lines[:ends]) is None
    assert made(GAMES[name], lines[: ends + 1]) is not None


@every_game
def test_what_goes_on_is_not_in_it(name: str) -> None:
    game, lines = GAMES[name], EVENINGS[name]()
    moments = followed(game, lines)
    middle = next(at for at, one in enumerate(moments) if game.rules.hands(one.seen) == 3 and game.rules.in_hand(one.seen))
    over = max(at for at in range(middle) if not game.rules.in_hand(moments[at].seen))
    assert made(game, lines[: middle + 1]) == made(game, lines[: over + 1])


@every_game
def test_without_money_there_is_no_sum_of_it_anywhere(name: str) -> None:
    lines = EVENINGS[name]()
    with_money, without = made(GAMES[name], lines), made(GAMES[name], lines, money=False)
    assert with_money is not None
    assert without is not None
    assert any(map(has_money, said(with_money))), "there is money to hide"
    assert not [text for text in said(without) if has_money(text)]
    assert [scene.hand for scene in without.scenes] == [scene.hand for scene in with_money.scenes]
    assert {one.name for one in without.standings} == {*without.players}
    english = made(GAMES[name], lines, money=False, lang="en")
    assert english is not None
    assert not [text for text in said(english) if has_money(text)]


def test_what_hangs_most_on_it_is_chosen() -> None:
    """Two ricompere, the last virgin and the end before somebody who is out, and before a hand like any other."""
    lines = stu.simulate(stu.Settings(players=stu.seated(12)), hands=60, seed=5)
    told = made(GAMES["stu"], lines)
    assert told is not None
    assert sorted(scene.kind for scene in told.scenes) == ["back", "back", "closed", "won"]
    assert WEIGHT["rare"] > LARGEST_WEIGHT > WEIGHT["out"] > RULING_WEIGHT


@every_game
def test_a_hand_that_is_not_sure_is_left_out_and_said(name: str) -> None:
    game, lines = GAMES[name], EVENINGS[name]()
    sure = made(game, lines)
    assert sure is not None
    out = sure.scenes[0].hand
    moments = followed(game, lines)
    within = [at for at, one in enumerate(moments) if game.rules.hands(one.seen) == out - 1 and game.rules.in_hand(one.seen)]
    doubted = [replace(line, confidence=0.6) if at in (*within, within[-1] + 1) else line for at, line in enumerate(lines)]
    told = made(game, doubted)
    assert told is not None
    assert out not in [scene.hand for scene in told.scenes]
    assert told.note.startswith("1 mano non era sicura")
    assert not sure.note
    plates = [plate for scene in told.scenes for shot in scene.shots for plate in shot.plates]
    assert [plate for plate in plates if plate.change.endswith("?")] == [], "what these moments tell is sure"
    if name != "stu":  # there they have come back by a ricompera since
        assert [plate for plate in plates if plate.has.endswith("?")], "what players have hangs on the other hand"


def test_a_win_that_is_not_sure_is_no_win() -> None:
    lines = EVENINGS["stu"]()
    told = made(GAMES["stu"], [*lines[:-1], replace(lines[-1], confidence=0.6)])
    assert told is not None
    assert told.winner == ""
    assert "won" not in [scene.kind for scene in told.scenes]
    assert not any(one.won for one in told.standings)


@pytest.mark.parametrize("name", HIDDEN)
@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_nothing_is_in_it_that_the_log_does_not_say_or_that_nobody_has_laid_open(name: str, data: st.DataObject) -> None:
    game, lines = GAMES[name], data.draw(HIDDEN[name].logs)
    lines = lines[: data.draw(st.integers(1, len(lines)))]
    moments, told = followed(game, lines), made(game, lines)
    if told is None:
        return
    assert told.seconds <= MOST_SECONDS
    assert told.players == game.rules.names(moments[-1].seen)
    for scene in told.scenes:
        for shot in scene.shots:
            faces = {card for plate in shot.plates for card in plate.cards if card}
            assert faces <= laid_open(moments, shot.line), "before it was shown"
            now = moments[shot.line]
            if shot.says and not any(plate.change for plate in shot.plates):
                line = sentence(game.pages.line_text(moments[shot.line - 1].seen, now.event, now.seen, "it"))
                assert shot.says.removesuffix("?") == line.removesuffix("?")
        assert not scene.card or scene.card in laid_open(moments, scene.shots[-1].line)


@pytest.mark.parametrize("name", HIDDEN)
@settings(max_examples=15, deadline=None)
@given(data=st.data())
def test_cards_that_only_the_log_knows_change_nothing(name: str, data: st.DataObject) -> None:
    hidden = HIDDEN[name]
    lines = hidden.noted(data.draw(hidden.logs))
    assert made(GAMES[name], lines) == made(GAMES[name], hidden.blind(lines))


def hand_of(game: Game, moment: Moment) -> int:
    """The number of the hand in progress or, between hands, of the last one."""
    return int(game.rules.hands(moment.seen)) + game.rules.in_hand(moment.seen)


def check(game: Game, moments: Sequence[Moment], scene: Scene, players: set[str]) -> None:
    """A moment says whom it is about, and its table tells of the same hand and of no payment that its words do not tell."""
    assert {*scene.names} & players or scene.kind in ("restart", "card") or any(map(has_money, scene.names)), scene
    assert scene.shots or scene.kind == "won"
    told = [text.casefold() for text in scene.beneath]
    for shot in scene.shots:
        assert hand_of(game, moments[shot.line]) == scene.hand
        paid = {short(plate.name) for plate in shot.plates if plate.change}
        assert paid <= {*scene.names} or " · ".join(shot.ruling).casefold() in told
        assert not shot.ruling or paid
        assert 0 <= shot.gains <= len(shot.ruling)
        assert not any(plate.pays for plate in shot.plates if not plate.change)
        if any(kind for plate in shot.plates for kind in plate.cards) or shot.ruling:
            assert shot.seconds >= 3
        if scene.kind == "back":
            assert not paid, "who has come back has paid: the ruling is of before"
    assert {plate.name for shot in scene.shots for plate in shot.plates if plate.named} <= players


@pytest.mark.parametrize("name", HIDDEN)
@settings(max_examples=15, deadline=None)
@given(data=st.data())
def test_a_moment_is_about_somebody_and_its_table_tells_what_its_words_tell(name: str, data: st.DataObject) -> None:
    game, lines = GAMES[name], data.draw(HIDDEN[name].logs)
    moments = followed(game, lines)
    for lang in ("it", "en"):
        with_money, without = made(game, lines, lang=lang), made(game, lines, money=False, lang=lang)
        if with_money is None or without is None:
            assert with_money is without
            continue
        players = {short(player) for player in with_money.players}
        assert with_money.seconds <= MOST_SECONDS
        for scene, bare in zip(with_money.scenes, without.scenes, strict=True):
            check(game, moments, scene, players)
            assert bare.names or any(map(has_money, scene.names)), "nobody, where nobody takes the pot"
            assert {*bare.names} >= {*scene.names} & players
            assert scene.kind != "split" or {*bare.names} <= players
        assert not [text for text in said(without) if has_money(text) or "•••" in text]


@pytest.mark.parametrize("seed", [1, 2, 3])
@every_game
def test_so_it_is_in_whole_evenings(name: str, seed: int) -> None:
    game, bots = GAMES[name], {"stu": stu, "stoppa": stoppa, "stoper": stoper}[name]
    lines = bots.simulate(bots.Settings(players=bots.seated(5)), hands=20, seed=seed)  # type: ignore[attr-defined]
    moments, told, without = followed(game, lines), made(game, lines), made(game, lines, money=False)
    assert told is not None
    assert without is not None
    for scene, bare in zip(told.scenes, without.scenes, strict=True):
        check(game, moments, scene, {*told.players})
        assert {*bare.names} & {*told.players}
        assert bare.beneath or bare.kind == "won", "a name alone says nothing"
        assert scene.title == "Ha vinto" or scene.beneath


def test_a_ruling_names_the_player_who_takes_it_and_says_with_what() -> None:
    told = made(GAMES["stoper"], EVENINGS["stoper"](), money=False)
    assert told is not None
    largest = next(scene for scene in told.scenes if scene.title == "Il colpo più grosso")
    assert largest.names == ("Dora",)
    assert largest.beneath == ("25: re, cavallo e cinque di coppe",)
    assert [(plate.name, plate.named) for plate in largest.shots[-1].plates if plate.named] == [("Dora", True)]


def test_who_went_out_last_stands_above_who_went_out_first() -> None:
    lines = stu.simulate(stu.Settings(players=stu.seated(20)), hands=90, seed=7)
    told = made(GAMES["stu"], lines, money=False)
    assert told is not None
    assert told.winner
    assert told.standings[0].has.endswith(("pedine", "pedina"))
    hands = [int(one.has.removeprefix("fuori, mano ")) for one in told.standings[1:]]
    assert hands == sorted(hands, reverse=True)
    assert len({*hands}) > 10


@pytest.mark.parametrize("money", [True, False])
@every_game
def test_while_the_game_goes_on_the_leaders_stand_first_with_their_places(name: str, money: bool) -> None:
    game, lines = GAMES[name], EVENINGS[name]()
    moments = followed(game, lines)
    between = [at for at, one in enumerate(moments) if not game.rules.in_hand(one.seen) and game.rules.hands(one.seen) > 2]
    ranked = 0
    for at in [one for one in between if game.pages.view(moments[: one + 1], "it", DEFAULTS.view).winner is None][::3]:
        told = made(game, lines[: at + 1], money=money)
        assert told is not None
        names, by = game.rules.names(moments[at].seen), [one.by for one in game.pages.ranked(moments[at].seen, "it")]
        assert len(by) == len(names)
        have = dict(zip(names, by, strict=True))
        placed = [(have[one.name], one.place) for one in told.standings if one.place]
        assert [has for has, _ in placed] == sorted((has for has, _ in placed), reverse=True)
        assert all(place == f"{1 + sum(other > has for other, _ in placed)}." for has, place in placed)
        assert not told.standings or placed or all(one.has for one in told.standings), "no bare names"
        ranked += bool(placed)
    assert ranked >= 2


def test_of_twenty_players_who_leads_stands_first() -> None:
    game = GAMES["stu"]
    lines = stu.simulate(stu.Settings(players=stu.seated(20)), hands=12, seed=3)
    told, moments = made(game, lines), followed(game, lines)
    assert told is not None
    assert not told.winner
    seats = game.pages.view(moments, "it", DEFAULTS.view).seats
    most = max(one.by for one in game.pages.ranked(moments[-1].seen, "it"))
    assert told.standings[0].place == "1."
    assert told.standings[0].has.startswith(str(most))
    assert [one.name for one in told.standings] != [seat.name for seat in seats]


def test_who_has_bought_more_chips_does_not_lead() -> None:
    game, lines = GAMES["stoper"], EVENINGS["stoper"]()
    moments = followed(game, lines)
    for moment in moments:
        ranked = game.pages.ranked(moment.seen, "it")
        assert sum(one.by for one in ranked) <= 0, "what they have won is what others have lost, or lies in the pot"


@pytest.mark.parametrize("seed", [1, 5, 7])
def test_of_all_ricompere_the_dearest_is_in_it(seed: int) -> None:
    game = GAMES["stu"]
    lines = stu.simulate(stu.Settings(players=stu.seated(12)), hands=90, seed=seed)
    moments, told = followed(game, lines), made(game, lines)
    assert told is not None
    prices = dict[int, list[int]]()
    for at, moment in enumerate(moments[1:], 1):
        if moment.event is not None and tag(moment.event) == "rebuy":
            paid = game.pages.hangs(moments[at - 1].seen, moment.event, moment.seen)
            assert paid > 0
            prices.setdefault(hand_of(game, moment), []).append(paid)
    shown = {scene.hand for scene in told.scenes if scene.kind == "back"}
    others = {scene.hand for scene in told.scenes if scene.kind != "back"}  # more hangs on them
    dearest = max(max(paid) for hand, paid in prices.items() if hand not in others)
    assert shown
    assert dearest in [max(prices[hand]) for hand in shown]


@pytest.mark.parametrize("many", [1, 2, 3, 4, 9])
def test_every_reason_is_said_or_how_many_more_there_are(many: int) -> None:
    names = stu.seated(20)[:many]
    sums = tuple(SumView(name, -1, (f"ragione {at}",)) for at, name in enumerate(names))
    game, lines = GAMES["stu"], EVENINGS["stu"]()
    ruling = game.pages.view(followed(game, lines), "it", DEFAULTS.view).ruling
    assert ruling is not None
    told = hit(replace(ruling, sums=sums, payments=(), about=""), "Il colpo più grosso", "it")
    said_whole = sum(any(f"ragione {at}" in line.casefold() for line in told.beneath) for at in range(many))
    assert said_whole == min(many, MOST_BENEATH - 1)
    assert len(told.beneath) <= MOST_BENEATH
    more = {4: "e un altro motivo", 9: "e altri 6 motivi"}.get(many, "")
    assert told.beneath[-1].endswith(more)
