"""What is known of the cards: a face once seen is known for all that its card went through, before and after.

This is also where mistakes come to light: an act leaves a `Suspicion`, and the face that proves it makes it an
irregularity.
"""

from __future__ import annotations

from msgspec.structs import replace

from companion.decks.stu import COPIES, KINDS, RANK, Kind
from companion.games.stu.rules import reasons
from companion.games.stu.rules.state import Hand, Irregularity, IrregularityKind, Position, Suspicion, Table, Token
from companion.table.errors import Contradictory


def copies(hand: Hand, kind: Kind) -> int:
    """How many cards of this kind the deck of this hand has."""
    return hand.matti if kind == "matto" else COPIES


def possible_faces(hand: Hand, token: Token) -> tuple[Kind, ...]:
    """The faces that this card can still prove to have: its own if it is known, else every kind with a copy unseen."""
    face = hand.faces[token]
    if face is not None:
        return (face,)
    return unseen_kinds(hand)


def unseen_kinds(hand: Hand) -> tuple[Kind, ...]:
    """The kinds of which the deck of this hand has a copy that has not been seen."""
    return tuple(kind for kind in KINDS if hand.faces.count(kind) < copies(hand, kind))


def with_face(hand: Hand, token: Token, kind: Kind, whose: str) -> tuple[Kind | None, ...]:
    """The faces of the hand, now that this card is known to be of this kind; ``whose`` it is goes into the message. Once they
    are in the hand, `bring_to_light` finds the mistakes that they prove.

    Raises:
        Contradictory: the card is known to be another, or all copies of the kind are elsewhere (rule 3).
    """
    face = hand.faces[token]
    if face == kind:
        return hand.faces
    if face is not None:
        raise Contradictory(reasons.SEEN_DIFFERENT, expected=face, player=whose, seen=face, card=kind)
    if hand.faces.count(kind) >= copies(hand, kind):
        one = copies(hand, kind) == 1
        raise Contradictory(reasons.ONE_TOO_MANY_OF_ONE if one else reasons.ONE_TOO_MANY, rule=3, card=kind)
    return (*hand.faces[:token], kind, *hand.faces[token + 1 :])


def bring_to_light(table: Table, hand: Hand) -> Hand:
    """The hand with the mistakes noted that the faces now known prove, and the suspicions gone that they settle."""
    faces = hand.faces
    settled = [suspicion for suspicion in hand.suspicions if faces[suspicion.token] is not None]
    if not settled:
        return hand
    hand = replace(hand, suspicions=tuple([s for s in hand.suspicions if faces[s.token] is None]))
    for suspicion in settled:
        if RANK[faces[suspicion.token]] >= suspicion.rank:  # type: ignore[index]
            hand = note(table, hand, suspicion.kind, suspicion.position)
    return hand


def suspect(table: Table, hand: Hand, kind: IrregularityKind, position: Position, token: Token, rank: int) -> Hand:
    """Remember that this act was a mistake if the card proves to have this rank or a higher one."""
    face = hand.faces[token]
    if face is None:
        return replace(hand, suspicions=(*hand.suspicions, Suspicion(kind, position, token, rank)))
    return note(table, hand, kind, position) if RANK[face] >= rank else hand


def note(table: Table, hand: Hand, kind: IrregularityKind, position: Position) -> Hand:
    """The hand with this irregularity, each once a hand and player."""
    found = Irregularity(kind, table.names[hand.order[position]])
    if found in hand.irregularities:
        return hand
    return replace(hand, irregularities=(*hand.irregularities, found))


def note_early(table: Table, hand: Hand) -> Hand:
    """Somebody acts: whoever showed a card unasked until now has shown it early."""
    if not hand.early:
        return hand
    for position in hand.early:
        hand = note(table, hand, "exposed_early", position)
    return replace(hand, early=())
