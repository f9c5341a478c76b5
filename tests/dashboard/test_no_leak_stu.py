"""No card that nobody showed reaches a page, the stream or the public log, whatever the camera knows."""

from collections.abc import Sequence
from itertools import pairwise

import msgspec
from evenings import evenings
from games import GNAFFATA, lines
from hypothesis import given, settings
from leaks import ASKED, answers
from leaks import played as replayed
from msgspec.structs import replace

from companion.dashboard.settings import DEFAULTS
from companion.games import GAMES
from companion.games.stu import pages, rules
from companion.games.stu.pages.chances import public_view
from companion.games.stu.pages.charts import drawing, figures
from companion.games.stu.pages.moviola import moviola
from companion.games.stu.pages.view import StuView, view
from companion.games.stu.rules import report
from companion.games.stu.rules.log import Deal, Draw, End, Hand, Passo, Reveal, Swap, Taverna, new_game
from companion.line.alone import evening_of
from companion.table.language import Lang
from companion.table.log import Line, write_lines
from companion.table.moments import Moment, advance


def played(lines: Sequence[Line]) -> list[Moment]:
    return replayed(GAMES["stu"], lines)


def projection(moments: Sequence[Moment], lang: Lang) -> StuView:
    return view(moments, lang, DEFAULTS.view)


def everything(moments: Sequence[Moment]) -> bytes:
    """All that a spectator can get of a game that has come so far."""
    views = [msgspec.json.encode(projection(moments, lang)) for lang in ("it", "en")]
    drawn = figures(moments, "it")
    return b"\n".join([
        *views,
        write_lines(line for moment in moments for line in moment.lines),
        msgspec.json.encode(moviola(moments, "it")),
        msgspec.json.encode(drawn),
        drawing(drawn, "it").encode(),
        *(pages.line_text(was.seen, now.event, now.seen, "it").encode() for was, now in pairwise(moments)),  # VAR says these
        "\n".join(pages.calls(moments, projection(moments, "it"), "it")).encode(),
        msgspec.json.encode(public_view(moments)),  # all that the chances of paying are reckoned from
    ])  # fmt: skip


def blind(lines: Sequence[Line]) -> tuple[Line, ...]:
    """The same log, had the camera seen no card of the hand in progress before it was shown."""
    begun = max((i for i, line in enumerate(lines) if isinstance(line.event, Hand)), default=len(lines))
    return tuple(
        replace(line, event=replace(line.event, card=None), confidence=None)
        if i > begun and isinstance(line.event, Deal | Draw) else line
        for i, line in enumerate(lines)
    )  # fmt: skip


@settings(max_examples=60, deadline=None)
@given(evenings())
def test_what_the_camera_saw_of_a_hand_in_progress_changes_nothing(lines: tuple[Line, ...]) -> None:
    moments = played(lines)
    for length in range(1, len(lines) + 1):
        if moments[length - 1].known.hand is not None:
            assert everything(moments[:length]) == everything(played(blind(lines[:length])))


@settings(max_examples=60, deadline=None)
@given(evenings())
def test_every_face_on_the_page_was_shown_or_lay_in_the_showdown(lines: tuple[Line, ...]) -> None:
    shown: set[int] = set()  # the physical cards that everybody has seen in this hand
    moments: list[Moment] = []
    for line in lines:
        before = moments[-1] if moments else None
        moments.append(advance(rules, pages, before, line))
        hand = before.known.hand if before is not None else None
        if isinstance(line.event, Hand):
            shown = set()
        elif isinstance(line.event, Reveal | Taverna) and hand is not None:
            shown.add(hand.holds[hand.order.index(moments[-1].known.table.names.index(line.event.by))])
        over = moments[-1].known.hand is None
        on_table = moments[-1].laid
        for number, seat in enumerate(projection(moments, "it").seats):
            if seat.card is None or seat.card.face is None:
                continue
            assert on_table is not None
            token = on_table.holds[on_table.order.index(number)]
            assert token in shown or (over and seat.name in in_showdown(moments))


@settings(max_examples=10, deadline=None)
@given(evenings())
def test_what_organisers_know_or_have_said_of_unseen_cards_changes_nothing(lines: tuple[Line, ...]) -> None:
    said = evening_of(lines).log  # every line, faces of dealt cards included, as if it had been said on a phone
    assert [line.event for line in said if not isinstance(line.event, End)] == [
        line.event for line in lines if not isinstance(line.event, End)
    ]
    for length in range(1, len(said) + 1, 7):
        if played(said[:length])[-1].known.hand is not None:
            assert everything(played(said[:length])) == everything(played(blind(said[:length])))


@settings(max_examples=60, deadline=None)
@given(evenings())
def test_the_moviola_shows_hands_that_are_over_and_faces_that_were_seen(lines: tuple[Line, ...]) -> None:
    moments = played(lines)
    seen: set[str] = set()  # faces that everybody has seen of the hand in progress
    over: set[str] = set()  # and of the last one
    for length in range(2, len(moments) + 1):
        now = moments[length - 1]
        if isinstance(now.event, Hand):
            seen = set()
        seen |= {face for line in now.lines if (face := getattr(line.event, "card", None))}
        seen |= {"taverna" for line in now.lines if isinstance(line.event, Taverna)}
        if now.seen.hand is None and moments[length - 2].seen.hand is not None:
            over = seen
        reel = moviola(moments[:length], "it")
        if reel is None:
            assert not now.seen.hands
            continue
        assert reel.n == len(now.seen.hands)
        assert {card.face for step in reel.steps for card in step.cards.values() if card.face is not None} <= over


def in_showdown(moments: Sequence[Moment]) -> set[str]:
    """Who was still in when the last hand ended: all of them show."""
    last = next(moment.known.hand for moment in reversed(moments) if moment.known.hand is not None)
    return {moments[-1].known.table.names[last.order[position]] for position in last.positions()}


@settings(max_examples=60, deadline=None)
@given(evenings())
def test_the_public_log_tells_the_same_rulings(lines: tuple[Line, ...]) -> None:
    moments = played(lines)
    public = [line for moment in moments for line in moment.lines]
    assert not [line for line in public if isinstance(line.event, Deal | Draw) and line.event.card is not None]
    seen, known = report(played(public)[-1].known), report(moments[-1].known)
    assert (seen.players, seen.pot, seen.status, seen.settlement) == (
        known.players, known.pot, known.status, known.settlement,
    )  # fmt: skip
    assert [hand.payments for hand in seen.hands] == [hand.payments for hand in known.hands]


def test_a_mistake_that_only_the_camera_can_know_of_is_not_told() -> None:
    lines = [
        Line(new_game(["Anna", "Bruno", "Carla"], 200, "Carla")),
        Line(Hand()),
        Line(Deal(to="Anna", card="cucco")),
        Line(Deal(to="Bruno", card="5")),
        Line(Passo(by="Anna")),
        Line(Swap(with_="Bruno")),
    ]
    moments = played(lines)
    assert [found.kind for found in report(moments[-1].known).hands[-1].irregularities] == ["passed_unbeatable"]
    said = everything(moments).decode()
    assert "passed_unbeatable" not in said
    assert "cucco" not in said.lower()
    assert "non poteva migliorare" not in said


def test_every_address_for_spectators_answers_as_if_the_camera_had_seen_no_hidden_card() -> None:
    known = lines(*GNAFFATA, '{"e":"hand"}', '{"e":"deal","to":"Bruno","card":"cucco"}', '{"e":"deal","to":"Carla","card":"9"}',
                  '{"e":"passo","by":"Bruno"}')  # fmt: skip
    told = answers(known)
    assert {*ASKED, "/api/chances"} <= set(told)
    assert told == answers(blind(known))
