"""What one view tells passes through the witnesses unchanged; what several tell of one event is one event."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

import pytest
import recorded_looks
from hypothesis import given
from hypothesis import strategies as st
from several_views import logged, rulings, without_places

from companion.eyes.seeing import Seen
from companion.eyes.sighting import CameraMoved, Sighting, Unseen, Why
from companion.games import GAMES
from companion.games.stoppa import sightings as stoppa
from companion.games.stu.sightings import Appeared, Cleared, Exchanged, PedineSeen, Resumed, Shown
from companion.line.follow import glimpses
from companion.referee.witnesses import Testimony as Statement  # pytest takes what begins with Test for tests
from companion.referee.witnesses import Witnesses
from companion.referee.witnesses.agreeing import Numbers
from companion.table.sure import SURE_FROM

WITH_CLIP = [id for id, game in GAMES.items() if game.spec.demo is not None]
"""The games whose demo clip has recorded looks."""
PLACES = 6


def of_views(count: int, game: str = "stu") -> Witnesses:
    model = GAMES[game].sighting_model
    assert model is not None
    return Witnesses(model, count, PLACES)


# One view


@cache
def looked(game: str) -> tuple[tuple[Seen, ...], tuple[Statement, ...]]:
    """The recorded looks of a game's clip, and what a view tells of them."""
    seen = tuple(recorded_looks.seen(game))
    return seen, tuple(told(seen, game))


def told(seen: Iterable[Seen], game: str, view: int = 0) -> Iterator[Statement]:
    """What a view tells that sees this."""
    for one in glimpses(iter(seen), recorded_looks.DemoClip(game).table):
        quality = one.frame_quality
        yield Statement(view, one.picture.t, one.sightings, quality.hidden, quality.blind)


def heard(witnesses: Witnesses, testimonies: Iterable[Statement]) -> list[Sighting]:
    """All that the referee gets, to the end."""
    found = [one for testimony in testimonies for one in witnesses.hear(testimony)]
    return [*found, *witnesses.end()]


def same(got: Sequence[Sighting], given: Sequence[Sighting]) -> bool:
    """Whether these are the very same objects, in the same order."""
    return len(got) == len(given) and all(one is other for one, other in zip(got, given, strict=True))


@pytest.mark.slow
@pytest.mark.parametrize("game", WITH_CLIP)
@pytest.mark.parametrize(("view", "views"), [(0, 1), (0, 2), (1, 3)])
def test_one_view_of_a_clip_passes_as_it_is_look_by_look(game: str, view: int, views: int) -> None:
    """Also where there are others that show nothing."""
    witnesses, passed = of_views(views, game), 0
    for one in looked(game)[1]:
        assert same(witnesses.hear(replace(one, view=view)), one.sightings)
        passed += len(one.sightings)
    assert passed > 10
    assert witnesses.end() == ()


TIMES = st.integers(0, 400).map(lambda tenths: tenths / 10)
PLACE = st.integers(0, PLACES - 1)
PROBABILITY = st.sampled_from([0.05, 0.3, 0.9, 0.99])
ODDS = st.sampled_from([(("gnao", 0.98), ("salta", 0.02)), (("salta", 0.97),), (("gnao", 0.5), ("salta", 0.5))])
WHY: st.SearchStrategy[Why] = st.sampled_from(["moved", "blocked", "dark", "frozen", "gap", "stopped"])
SIGHTINGS = st.one_of(
    st.builds(Appeared, TIMES, PLACE),
    st.builds(Shown, TIMES, PLACE, st.integers(1, 5), ODDS, st.none() | TIMES),
    st.builds(Exchanged, TIMES, TIMES, st.tuples(PLACE, PLACE), PROBABILITY),
    st.builds(PedineSeen, TIMES, PLACE, st.integers(0, 3), PROBABILITY),
    st.builds(Cleared, TIMES),
    st.builds(Resumed, TIMES, TIMES, st.just((0,)), st.just(()), st.just((1,)), st.just(()), st.just(())),
    st.builds(Unseen, TIMES, TIMES, st.none() | st.just((0, 2)), WHY),
    st.builds(CameraMoved, TIMES, st.just(3.0)),
)
STOPPA = st.one_of(
    st.builds(stoppa.Dealt, TIMES, PLACE, st.none() | st.just(3)),
    st.builds(stoppa.Laid, TIMES, st.integers(1, 5), ODDS, st.just(((1, 0.9),)), st.integers(1, 3)),
    st.builds(stoppa.TakenBack, TIMES, st.none() | st.integers(1, 5), st.just(((1, 0.9),)), PROBABILITY),
    st.builds(stoppa.Shown, TIMES, PLACE, st.integers(1, 5), ODDS),
    st.builds(stoppa.Cleared, TIMES),
)


def any_testimonies(views: st.SearchStrategy[int], sightings: st.SearchStrategy[Any]) -> st.SearchStrategy[list[Statement]]:
    """Looks in order of time, of these views, each with sightings of any times."""
    hidden, blind = st.frozensets(PLACE, max_size=2), st.none() | st.none() | st.just("blocked")
    one = st.builds(Statement, views, TIMES, st.lists(sightings, max_size=3).map(tuple), hidden, blind)
    return st.lists(one, max_size=12).map(lambda looks: sorted(looks, key=lambda look: look.t))


@pytest.mark.parametrize(("game", "sightings"), [("stu", SIGHTINGS), ("stoppa", STOPPA)])
@given(data=st.data())
def test_whatever_one_view_tells_passes_as_it_is(game: str, sightings: st.SearchStrategy[Any], data: st.DataObject) -> None:
    testimonies = data.draw(any_testimonies(st.just(1), sightings))
    witnesses = of_views(2, game)
    for one in testimonies:
        assert same(witnesses.hear(one), one.sightings)
    assert witnesses.end() == ()


# Several views


def spoken(
    *lines: tuple[float, int, tuple[Sighting, ...]], views: int = 2, hidden: Sequence[Sequence[int]] = ((), ()),
    blind: Callable[[int, float], bool] = lambda view, t: False, until: float | None = None,
    bare: Callable[[int, float], frozenset[int]] = lambda view, t: frozenset(),
) -> list[Sighting]:  # fmt: skip
    """What the referee gets of what the views tell: times, views, sightings. All views look five times a second, from 0 to
    ``until`` seconds, or until nothing more can follow.

    ``hidden``: places that each never sees; ``blind``: whether a view sees nothing then; ``bare``: where it finds no card then.
    """
    witnesses, found = of_views(views), list[Sighting]()
    last = until if until is not None else max(t for t, *_ in lines) + 15
    for look in range(round(last * 5)):
        t = look / 5
        for view in range(views):
            now = tuple(one for at, of, told in lines if of == view and t - 0.2 < at <= t for one in told)
            why = "blocked" if blind(view, t) else None
            found += witnesses.hear(Statement(view, t, now, frozenset(hidden[view]), why, bare(view, t)))
    return found if until is not None else [*found, *witnesses.end()]


DEAL = tuple(Appeared(1.0, place) for place in range(PLACES))
LATER = tuple(Appeared(1.3, place) for place in range(PLACES))
GNAO, SALTA = (("gnao", 0.98), ("salta", 0.02)), (("salta", 0.97), ("gnao", 0.03))
SURE_GNAO = (("gnao", 0.999),)
AWAY = Exchanged(5.0, 6.0, (2, 3), 0.9)
EVEN, FAINT = replace(AWAY, probability=0.5), replace(AWAY, probability=0.06)


def test_a_card_that_both_see_come_is_told_once() -> None:
    assert spoken((1.4, 0, DEAL), (1.6, 1, LATER)) == list(DEAL)


def test_a_card_that_one_sees_come_is_told() -> None:
    assert spoken((1.4, 0, DEAL[:4]), (1.6, 1, LATER[2:])) == [*DEAL[:4], *LATER[4:]]


def test_a_card_that_is_laid_down_again_is_told_again() -> None:
    again = Appeared(9.0, 2), Appeared(9.2, 2)
    assert spoken((1.4, 0, DEAL), (1.4, 1, DEAL), (9.4, 0, again[:1]), (9.6, 1, again[1:])) == [*DEAL, again[1]]


def test_a_deal_after_a_hand_that_nobody_saw_gathered_is_told_once_the_views_agree() -> None:
    """Also where an arm was in the way of one of them."""
    deals = tuple(replace(one, t=30.0) for one in DEAL), tuple(replace(one, t=33.0) for one in DEAL)
    assert spoken((1.4, 0, DEAL), (1.4, 1, DEAL), (30.4, 0, deals[0]), (33.4, 1, deals[1])) == [*DEAL, *deals[1]]


def test_a_card_that_one_sees_come_late_where_the_other_has_seen_it_lie_is_no_other() -> None:
    late = Appeared(9.0, 2)
    assert spoken((1.4, 0, DEAL), (1.4, 1, DEAL), (9.4, 1, (late,))) == list(DEAL)
    assert spoken((1.4, 0, DEAL), (1.4, 1, DEAL), (9.4, 1, (late,)), blind=lambda view, t: view == 0 and t > 3)[-1] == late


def faces(*told: tuple[float, int, Sighting]) -> list[Shown]:
    found = spoken((1.4, 0, DEAL), (1.4, 1, DEAL), *((t, view, (one,)) for t, view, one in told))
    return [one for one in found if isinstance(one, Shown)]


def test_one_face_of_two_views_is_one_episode_and_surer_than_either() -> None:
    first, both = faces((5.5, 0, Shown(5.0, 2, 1, GNAO)), (5.7, 1, Shown(5.3, 2, 4, GNAO)))
    assert first == Shown(5.0, 2, 1, GNAO)
    assert (both.t, both.place, both.episode) == (5.0, 2, 1)
    assert 0.98 < dict(both.alternatives)["gnao"] < 1


def test_two_sure_readings_of_one_card_leave_both_possible() -> None:
    *_, both = faces((5.5, 0, Shown(5.0, 2, 1, GNAO)), (5.7, 1, Shown(5.3, 2, 1, SALTA)))
    assert both.episode == 1
    assert set(dict(both.alternatives)) == {"gnao", "salta"}
    assert all(p < SURE_FROM for _, p in both.alternatives)


def test_a_view_that_sees_a_strip_of_a_card_does_not_outvote_one_that_sees_it_whole() -> None:
    strip = (("gnao", 0.6), ("bragon", 0.35), ("nulla", 0.05))
    *_, both = faces((5.5, 0, Shown(5.0, 2, 1, strip)), (5.7, 1, Shown(5.3, 2, 1, (("salta", 0.995), ("gnao", 0.005)))))
    assert both.alternatives[0][0] == "salta"
    assert SURE_FROM < both.alternatives[0][1] < 0.995


def test_a_face_that_one_view_sees_much_later_is_the_same_where_it_is_of_that_kind() -> None:
    *_, late = faces((5.5, 0, Shown(5.0, 2, 1, GNAO)), (11.0, 1, Shown(10.5, 2, 1, GNAO)))
    assert (late.t, late.episode) == (5.0, 1)
    other = faces((5.5, 0, Shown(5.0, 2, 1, GNAO)), (11.0, 1, Shown(10.5, 2, 1, SALTA)))
    assert [(one.t, one.episode) for one in other] == [(5.0, 1), (10.5, 2)]


def test_faces_of_two_views_with_the_same_number_are_not_mixed_up() -> None:
    found = faces((5.5, 0, Shown(5.0, 2, 1, GNAO)), (5.5, 1, Shown(5.0, 3, 1, GNAO)), (6.0, 1, Shown(5.0, 3, 1, SURE_GNAO)))
    assert [(one.place, one.episode) for one in found] == [(2, 1), (3, 2), (3, 2)]


def exchange(*told: tuple[float, int, Exchanged], **how: Any) -> list[float]:
    """The probabilities with which exchanges are told, after a deal that both views have seen."""
    found = spoken((1.4, 0, DEAL), (1.4, 1, DEAL), *((t, view, (one,)) for t, view, one in told), **how)
    return [one.probability for one in found if isinstance(one, Exchanged)]


def lost(when: Callable[[float], bool]) -> Callable[[int, float], frozenset[int]]:
    """The second view finds no card in place 3 then."""
    return lambda view, t: frozenset({3} if view == 1 and when(t) else ())


@pytest.mark.parametrize(
    ("told", "how", "least", "most"),
    [
        pytest.param([(6.8, 0, AWAY), (7.6, 1, replace(AWAY, t=5.2))], {}, 0.97, 0.99, id="both tell"),
        pytest.param([(6.8, 0, EVEN), (7.6, 1, EVEN)], {}, 0.8, 0.9, id="both tell of what is as likely as not"),
        pytest.param([(6.8, 0, FAINT), (7.6, 1, FAINT)], {}, 0.06, 0.12, id="both tell of what looks a little like it"),
        pytest.param([(6.8, 0, EVEN), (10.8, 1, EVEN)], {}, 0.8, 0.9, id="the other tells late, having waited for a card"),
        pytest.param([(6.8, 0, EVEN), (11.6, 1, EVEN)], {}, 0.1, 0.2, id="the other tells too late"),
        pytest.param([(6.8, 0, EVEN), (7.6, 1, FAINT)], {}, 0.2, 0.3, id="one doubts what the other tells"),
        pytest.param([(6.8, 0, AWAY)], {}, 0.2, 0.5, id="the other could have seen it and is silent"),
        pytest.param([(6.8, 0, AWAY)], {"blind": lambda view, t: view == 1 and 4 < t < 8}, 0.9, 0.9, id="the other was blind"),
        pytest.param([(6.8, 0, AWAY)], {"hidden": ((), (3,))}, 0.9, 0.9, id="a place was hidden from the other"),
        pytest.param([(6.8, 1, AWAY)], {"hidden": ((), (3,))}, 0.05, 0.2, id="half seen, and the other is silent"),
        pytest.param([(6.8, 0, FAINT)], {}, 1, 0, id="hardly seen, and the other is silent"),
        pytest.param([(6.8, 0, AWAY)], {"bare": lost(lambda t: t > 4)}, 0.9, 0.9, id="the other has lost a card from sight"),
        pytest.param([(6.8, 0, AWAY)], {"bare": lost(lambda t: 5 < t < 6)}, 0.2, 0.5, id="the other saw it go and come back"),
        pytest.param([(6.8, 0, AWAY)], {"bare": lost(lambda t: round(5 * t) % 2 == 1)}, 0.2, 0.5,
                     id="the other overlooks it now and then"),
    ],
)
def test_an_exchange_is_as_sure_as_those_who_could_see_it(
    told: list[tuple[float, int, Exchanged]], how: dict[str, Any], least: float, most: float
) -> None:
    found = exchange(*told, **how)
    assert len(found) == (least <= most)
    assert all(least <= p <= most for p in found)


def test_an_exchange_of_other_places_or_another_time_is_another() -> None:
    assert len(exchange((6.8, 0, AWAY), (6.8, 1, replace(AWAY, places=(3, 4))))) == 2
    assert len(exchange((6.8, 0, AWAY), (12.8, 1, replace(AWAY, t=11.0, until=12.0)))) == 2


def test_what_a_second_view_tells_after_all_is_not_told_twice() -> None:
    assert len(exchange((6.8, 0, AWAY), (9.8, 1, AWAY))) == 1
    assert len(exchange((6.8, 0, AWAY), (12.8, 1, AWAY))) == 1


def test_no_view_that_cannot_have_seen_an_exchange_is_waited_for_longer() -> None:
    deal = (1.4, 0, DEAL), (1.4, 1, DEAL[:3])
    assert AWAY in spoken(*deal, (6.8, 0, (AWAY,)), until=8.6)
    assert AWAY not in spoken((1.4, 0, DEAL), (1.4, 1, DEAL), (6.8, 0, (AWAY,)), until=8.6)


def test_the_hand_is_over_once_the_views_agree_with_all_that_was_held() -> None:
    found = spoken((1.4, 0, DEAL), (1.4, 1, DEAL), (19.4, 0, (replace(AWAY, t=18.0, until=19.0),)), (20.0, 0, (Cleared(19.0),)),
                   (20.4, 1, (Cleared(19.2),)))  # fmt: skip
    assert [type(one) for one in found[PLACES:]] == [Exchanged, Cleared]
    assert found[-1] == Cleared(19.2)


def test_the_view_that_has_seen_no_card_where_some_lie_does_not_end_the_hand_alone() -> None:
    half = (1.4, 0, DEAL[:3]), (1.4, 1, DEAL), (20.0, 0, (Cleared(19.0),))
    assert spoken(*half, (25.0, 1, (Cleared(24.0),)))[-1] == Cleared(24.0)
    assert Cleared(19.0) not in spoken(*half, until=25)
    assert spoken(*half, until=40)[-1] == Cleared(19.0)


def test_the_next_hand_is_not_given_up_for_a_view_that_sees_the_last_one_gathered_late() -> None:
    """A `Cleared` after the next deal would take its cards away."""
    deal = tuple(replace(one, t=24.0) for one in DEAL)
    found = spoken((1.4, 0, DEAL), (1.4, 1, DEAL), (20.0, 0, (Cleared(19.0),)), (24.4, 0, deal), (26.0, 1, (Cleared(25.0),)),
                   (40.0, 0, (Cleared(39.0),)), (40.0, 1, (Cleared(39.0),)))  # fmt: skip
    assert found == [*DEAL, Cleared(19.0), *deal, Cleared(39.0)]


def test_a_view_that_saw_nothing_gathered_may_be_the_first_to_see_the_next_deal() -> None:
    """Then what the other has seen gathered comes before it."""
    deal = tuple(replace(one, t=20.1) for one in DEAL)
    found = spoken((1.4, 0, DEAL), (1.4, 1, DEAL), (20.0, 0, (Cleared(19.0),)), (20.4, 1, deal[:3]), (20.6, 0, deal))
    assert found == [*DEAL, Cleared(19.0), *deal]


def test_a_face_where_the_view_that_tells_of_bare_places_never_saw_a_card_is_of_this_hand() -> None:
    face = Shown(20.2, 5, 1, GNAO)
    found = spoken((1.4, 0, DEAL[:3]), (1.4, 1, DEAL), (20.0, 0, (Cleared(19.0),)), (20.6, 1, (face,)), (25.0, 1,
                                                                                                         (Cleared(24.0),)))
    assert found[PLACES:] == [face, Cleared(24.0)]


def blind_from(*spans: tuple[int, float, float]) -> Callable[[int, float], bool]:
    return lambda view, t: any(view == of and since <= t < until for of, since, until in spans)


def test_what_the_other_view_saw_is_not_unseen() -> None:
    hole = Unseen(5.0, 9.0, None, "blocked"), Resumed(5.0, 9.0, (0,), (), (), (), ())
    deal = (1.4, 0, DEAL), (1.4, 1, DEAL)
    assert spoken(*deal, (9.0, 0, hole[:1]), (10.0, 0, hole[1:]), blind=blind_from((0, 5, 9))) == list(DEAL)
    both = spoken(*deal, (9.0, 0, hole[:1]), (10.0, 0, hole[1:]), (12.0, 1, (Unseen(7.0, 12.0, None, "dark"),)),
                  blind=blind_from((0, 5, 9), (1, 7, 12)))  # fmt: skip
    (gap, after) = both[PLACES:]
    assert (gap.t, gap.until, gap.places) == (pytest.approx(6.8), 9.0, None)
    assert (after.t, after.until, after.same) == (gap.t, gap.until, (0,))


def test_a_place_that_the_other_view_never_sees_is_unseen() -> None:
    gap = Unseen(5.0, 9.0, None, "blocked")
    found = spoken((1.4, 0, DEAL), (1.4, 1, DEAL[:4]), (9.0, 0, (gap,)), blind=blind_from((0, 5, 9)))
    assert found[PLACES:] == [replace(gap, places=(4, 5))]


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(1, 6))))
def test_no_two_numbers_of_views_become_one(numbers: list[tuple[int, int]]) -> None:
    ours = Numbers()
    given = {one: ours.of(*one) for one in numbers}
    assert len(set(given.values())) == len(given)
    assert all(ours.of(*one) == number for one, number in given.items())


@given(any_testimonies(st.integers(0, 2), SIGHTINGS))
def test_whatever_views_tell_nothing_is_told_that_none_has_seen(testimonies: list[Statement]) -> None:
    """Places and kinds are some view's, and no exchange is much surer than any of them says."""
    witnesses, seen = of_views(3), [one for testimony in testimonies for one in testimony.sightings]
    for got in heard(witnesses, testimonies):
        assert any(type(one) is type(got) for one in seen)
        if isinstance(got, Shown):
            kinds = {kind for one in seen if isinstance(one, Shown) and one.place == got.place for kind, _ in one.alternatives}
            assert {kind for kind, _ in got.alternatives} <= kinds
            assert sum(p for _, p in got.alternatives) <= 1 + 1e-9
        if isinstance(got, Exchanged):
            told = [one for one in seen if isinstance(one, Exchanged) and set(one.places) == set(got.places)]
            assert 0 < got.probability <= max(max(one.probability for one in told), 0.999)


# Two views of a clip


@pytest.mark.slow
@pytest.mark.parametrize("game", ["stu", "stoppa"])
def test_two_views_that_tell_the_very_same_are_as_sure_as_one(game: str) -> None:
    """What is left over when odds are joined is nothing that was seen."""
    alone = [line for one in looked(game)[1] for line in one.sightings]
    both = heard(of_views(2, game), [replace(one, view=view) for one in looked(game)[1] for view in (0, 1)])
    one, two = logged(alone, game), logged(both, game)
    assert [line.event for line in two] == [line.event for line in one]
    for line, other in zip(one, two, strict=True):
        assert (other.confidence or 1) >= (line.confidence or 1) - 0.002


@pytest.mark.slow
def test_two_views_that_each_miss_places_rule_as_one_that_sees_all() -> None:
    """From each, two of five places are out of sight: then something is wrong, and nothing is sure."""
    seen, whole = looked("stu")
    alone = [list(told(without_places(seen, places), "stu", view)) for view, places in enumerate(([0, 1], [3, 4]))]
    true = rulings((one for testimony in whole for one in testimony.sightings), "stu")
    assert all(sure for _, sure in true)
    for testimonies in alone:
        found = rulings((one for testimony in testimonies for one in testimony.sightings), "stu")
        assert found != true
        assert not any(sure for _, sure in found)
    both = [one for pair in zip(*alone, strict=True) for one in pair]
    assert rulings(heard(of_views(2), both), "stu") == true
