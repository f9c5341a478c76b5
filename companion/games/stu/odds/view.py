"""What everybody at the table can see of a hand in progress: the faces shown, who asked whom, who stayed, what was exchanged."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct
from msgspec.structs import replace

from companion.games.stu.rules import Malformed, apply, begin, log
from companion.games.stu.rules.log import Event, HouseRules
from companion.games.stu.rules.run import must_hand_back
from companion.games.stu.rules.state import NOBODY, Hand, Mask, Position, State, Token
from companion.table.log import Line
from companion.table.seats import NO_GAME_LINE


class Act(Struct, frozen=True):
    """Somebody stayed with ``token``, or passed it on (the dealer: to the deck), having given ``given`` away (-1: nothing)."""

    stayed: bool
    token: Token
    given: Token = NOBODY


class Heard(Struct, frozen=True):
    """What everybody heard and saw happen in this hand, beyond how the cards lie now.

    Attributes:
        acts: every sto and passo, in order.
        yielded: tokens that were exchanged by an asked player, and so refused nothing.
        seen: tokens whose face was shown to all, also if they went under the deck since.
        gave: per position the token given away in its last exchange, -1 for none.
        showing: somebody showed a card unasked, and nobody has acted since: the showdown, as far as anybody can tell.
    """

    acts: tuple[Act, ...] = ()
    yielded: Mask = 0
    seen: Mask = 0
    gave: tuple[Token, ...] = ()
    showing: bool = False


class PublicHand(Struct, frozen=True):
    """A hand with the hidden faces left out.

    Attributes:
        names: players in the order of play. pedine: how many each of them has now.
        hand: as the engine keeps it, ``faces`` None for every card that was not shown; without suspicions and irregularities,
            which hidden faces decide.
    """

    names: tuple[str, ...]
    pedine: tuple[int, ...]
    house: HouseRules
    hand: Hand
    heard: Heard


def public_hand(state: State, heard: Heard | None = None) -> PublicHand | None:
    """The hand in progress as the table sees it; None between hands.

    A state does not remember who stayed and who passed: `look` finds that in the log. Without it the odds know less.
    """
    hand = state.hand
    if hand is None:
        return None
    heard = heard or Heard(gave=(NOBODY,) * len(hand.order), showing=bool(hand.early))
    seen = heard.seen | hand.shown
    faces = tuple(kind if seen >> token & 1 else None for token, kind in enumerate(hand.faces))
    return PublicHand(
        names=tuple(state.table.names[seat] for seat in hand.order),
        pedine=tuple(state.pedine[seat] for seat in hand.order),
        house=state.table.house,
        hand=replace(hand, faces=faces, early=(), suspicions=(), irregularities=()),
        heard=heard,
    )


def look(lines: Iterable[Line]) -> PublicHand | None:
    """The hand in progress at the end of this log, as the table saw it; None between hands.

    Faces in a `deal` or a `draw` of the log were seen by nobody or by one player, and are left out.

    Raises:
        GameError: the log cannot have happened.
    """
    events = iter(lines)
    first = next(events, None)
    if first is None or not isinstance(first.event, log.Game):
        raise Malformed(NO_GAME_LINE, expected="a log that begins with its game line", line=1)
    state = begin(first.event)
    heard = Heard()
    for line in events:
        event = _unseen(line.event)
        before, state = state, apply(state, event)
        heard = listen(heard, before, state, event)
    return public_hand(state, heard)


def _unseen(event: Event) -> Event:
    if isinstance(event, log.Deal):
        return log.Deal(to=event.to)
    if isinstance(event, log.Draw):
        return log.Draw(by=event.by)
    return event


def listen(heard: Heard, before: State, state: State, event: Event) -> Heard:
    """What is known after this event, which led from one state to the other."""
    if isinstance(event, log.Hand):
        return Heard(gave=(NOBODY,) * len(state.hand.order)) if state.hand else Heard()
    was, now = before.hand, state.hand
    if was is None or now is None or state is before:
        return heard
    heard = replace(heard, seen=heard.seen | now.shown)
    if isinstance(event, log.Reveal):
        asked = was.asking is not None and event.by == before.table.names[was.order[was.asking.asked]]
        return heard if asked else replace(heard, showing=was.asking is None)
    if isinstance(event, log.Sto | log.Passo | log.Draw):
        position = was.order.index(before.table.names.index(event.by))
        return _decided(heard, was, event, position)
    if isinstance(event, log.Swap | log.Taverna) and (ask := was.asking) is not None:
        given, got = was.holds[ask.asker], was.holds[ask.asked]
        gave = list(heard.gave)
        gave[ask.asker], gave[ask.asked] = given, got
        forced = isinstance(event, log.Taverna) or (ask.back and must_hand_back(was, ask.asker, ask.asked))
        return replace(heard, gave=tuple(gave), yielded=heard.yielded | (0 if forced else 1 << got))
    return heard


def _decided(heard: Heard, was: Hand, event: log.Sto | log.Passo | log.Draw, position: Position) -> Heard:
    """A sto, a passo, or the dealer's draw. Everybody in turn before this player has stayed."""
    acts = list(heard.acts)
    if was.drawing == NOBODY and position != was.back:
        acts += [_act(heard, was, p, True) for p in was.positions() if was.turn <= p < position]
    if isinstance(event, log.Draw):
        if position == was.dealer_position:
            acts.append(_act(heard, was, position, False))
    elif isinstance(event, log.Sto) or position != was.dealer_position:
        acts.append(_act(heard, was, position, isinstance(event, log.Sto)))
    return replace(heard, acts=tuple(acts), showing=False)


def _act(heard: Heard, hand: Hand, position: Position, stayed: bool) -> Act:
    return Act(stayed, hand.holds[position], heard.gave[position])
