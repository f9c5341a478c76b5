"""What is known of the cards: a face once seen tells where its card was before and after.

This is also where mistakes come to light: an act leaves a `Suspicion`, and the face that proves it makes it an
irregularity.
"""

from __future__ import annotations

from msgspec.structs import replace

from companion.decks.stu import COPIES, KINDS, RANK, Kind
from companion.games.stu.rules import reasons
from companion.games.stu.rules.state import (
    Faces,
    Hand,
    Irregularity,
    IrregularityKind,
    Position,
    Suspicion,
    Suspicions,
    Table,
    Token,
)
from companion.table.errors import Contradictory
from companion.table.seats import put


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
    """The kinds with a copy in the deck of this hand that has not been seen."""
    faces = hand.faces
    gone = {kind for kind in faces if kind is not None and faces.count(kind) >= copies(hand, kind)}
    return tuple([kind for kind in KINDS if kind not in gone]) if gone else KINDS


def learned(hand: Hand, token: Token, kind: Kind, whose: str) -> tuple[Faces, Suspicions]:
    """The hand's faces and suspicions, now that this card is known to be of this kind; ``whose``: the card's player, for the
    message. `proven` settles what was suspected of the card.

    Raises:
        Contradictory: the card is known to be another, or all copies of the kind are elsewhere (rule 3).
    """
    faces, suspicions = hand.faces, hand.suspicions
    face = faces[token]
    if face == kind:
        return faces, suspicions
    if face is not None:
        raise Contradictory(reasons.SEEN_DIFFERENT, expected=face, player=whose, seen=face, card=kind)
    if faces.count(kind) >= (many := copies(hand, kind)):
        raise Contradictory(reasons.ONE_TOO_MANY if many > 1 else reasons.ONE_TOO_MANY_OF_ONE, rule=3, card=kind)
    return put(faces, token, kind), put(suspicions, token, ()) if suspicions[token] else suspicions


def proven(table: Table, hand: Hand, suspicions: tuple[Suspicion, ...], kind: Kind) -> Hand:
    """The hand with the suspected mistakes noted that a card of this kind proves."""
    for suspicion in suspicions:
        if RANK[kind] >= suspicion.rank:
            hand = note(table, hand, suspicion.kind, suspicion.position)
    return hand


def suspect(table: Table, hand: Hand, kind: IrregularityKind, position: Position, token: Token, rank: int) -> Hand:
    """Note a suspicion: this act was a mistake if the card turns out to have this rank or a higher one."""
    face = hand.faces[token]
    if face is not None:
        return note(table, hand, kind, position) if RANK[face] >= rank else hand
    suspicions = hand.suspicions
    more = suspicions[token] + (Suspicion(kind, position, rank),)
    return replace(hand, suspicions=put(suspicions, token, more))


def note(table: Table, hand: Hand, kind: IrregularityKind, position: Position) -> Hand:
    """The hand with this irregularity, each once a hand and player."""
    found = Irregularity(kind, table.names[hand.order[position]])
    if found in hand.irregularities:
        return hand
    return replace(hand, irregularities=(*hand.irregularities, found))


def note_early(table: Table, hand: Hand) -> Hand:
    """Somebody acts: players who have shown a card unasked until now have shown it early."""
    if not hand.early:
        return hand
    for position in hand.early:
        hand = note(table, hand, "exposed_early", position)
    return replace(hand, early=())
