"""The score of one clip of Lu Stù: which hands are ruled right, how soon, and why the others are wrong."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

import msgspec
from msgspec.structs import replace

from companion.table.log import Line
from workshop.bench.latency import LogVersion, latencies, taken_back
from workshop.bench.scoring import NOT_SEEN, HandRuled, in_words
from workshop.bench.stu.hands import Deed, DeedKind, PlayedHand, compared, moves, played
from workshop.scoring import Verdict

NEAR_SECONDS = 10.0
"""An exchange of the same players in the same hand, this long before or after it happened, is the same one: the referee may
infer it only from what was done next."""
MOVES: Final[tuple[DeedKind, ...]] = ("exchange", "draw")


class HandScore(HandRuled, frozen=True, kw_only=True):
    """One true hand of Lu Stù and how the log has it.

    ``exchanges``, ``exchanges_seen``, ``exchanges_found``: true exchanges between players, those in the log, and how many of
    these are true; ``draws`` in the same way. The last face shown decides a ruling.
    """

    exchanges: int = 0
    exchanges_seen: int = 0
    exchanges_found: int = 0
    draws: int = 0
    draws_seen: int = 0
    draws_found: int = 0


class ClipScore(msgspec.Struct, frozen=True):
    """A clip's hands; ``invented``: the confidences of rulings on hands that were never played."""

    hands: tuple[HandScore, ...]
    invented: tuple[float, ...]


def score(truth: Sequence[Line], versions: Sequence[LogVersion]) -> ClipScore:
    """Compare the log, its last version and those on the way, with the timed true log."""
    verdicts = compared(played(truth), played(versions[-1].log), NEAR_SECONDS)
    waits = latencies(verdicts, versions, played, lambda hand: hand.last_face)
    withdrawn = taken_back(verdicts, versions, played)
    scores: list[HandScore] = []
    for number, verdict in enumerate((one for one in verdicts if one.true is not None), start=1):
        after_error = bool(scores) and not scores[-1].right
        latency = waits.get(verdict.index) if verdict.right and verdict.index is not None else None
        scores.append(replace(_score(number, verdict, after_error, latency), taken_back=verdict.index in withdrawn))
    invented = (one for one in verdicts if one.true is None and one.seen is not None and one.seen.payments)
    return ClipScore(tuple(scores), tuple(one.confidence for one in invented if one.confidence is not None))


def _score(number: int, verdict: Verdict[PlayedHand], after_error: bool, latency: float | None) -> HandScore:
    true, seen = verdict.true, verdict.seen
    assert true is not None
    counts = {kind: len(_of(true, kind)) for kind in MOVES}
    if seen is None:
        return HandScore(
            number, true.start, False, False, None, *NOT_SEEN, exchanges=counts["exchange"], draws=counts["draw"]
        )
    log_counts = {kind: len(_of(seen, kind)) for kind in MOVES}
    kinds = [moves(true)[i].kind for i, _ in verdict.found]
    causes = [] if verdict.right else differences(verdict, after_error)
    return HandScore(
        number, true.start, True, verdict.right, verdict.confidence, *in_words(causes),
        exchanges=counts["exchange"], exchanges_seen=log_counts["exchange"], exchanges_found=kinds.count("exchange"),
        draws=counts["draw"], draws_seen=log_counts["draw"], draws_found=kinds.count("draw"), latency=latency,
    )  # fmt: skip


def _of(hand: PlayedHand, kind: DeedKind) -> list[Deed]:
    return [deed for deed in hand.deeds if deed.kind == kind]


def differences(verdict: Verdict[PlayedHand], after_error: bool) -> list[tuple[str, str]]:
    """(cause, what differs in words) of a hand that was found, in order of time."""
    true, seen = verdict.true, verdict.seen
    assert true is not None
    assert seen is not None
    found: list[tuple[float, str, str]] = []
    if set(true.order) != set(seen.order):
        extra, missing = sorted(set(seen.order) - set(true.order)), sorted(set(true.order) - set(seen.order))
        cause = "wrong standing carried on" if after_error else "wrong players"
        said = "; ".join(f"{what} {', '.join(who)}" for what, who in (("wrongly in it:", extra), ("left out:", missing)) if who)
        found.append((true.start, cause, said))
    elif true.dealer != seen.dealer:
        found.append((true.start, "wrong dealer", f"dealt by {true.dealer}, taken for {seen.dealer}'s deal"))
    lost = _without(moves(true), {i for i, _ in verdict.found})
    false = _without(moves(seen), {j for _, j in verdict.found})
    for kind in MOVES:
        for what, deeds in (("missed", lost), ("invented", false)):
            cause = f"{kind} {what}"
            found += [(one.t, cause, f"{cause}: {' and '.join(one.who)} at {one.t:.1f} s") for one in deeds if one.kind == kind]
    found += _faces(true, seen)
    if seen.void:
        found.append((true.end, "given up", "ended void: a face was never seen"))
    elif not seen.over:
        found.append((true.end, "not ended", "the hand has no end in the log"))
    if not found:
        found.append((true.end, "played in another order", _payments(true, seen)))
    return [(cause, said) for _, cause, said in sorted(found, key=lambda entry: entry[0])]


def _without(deeds: Sequence[Deed], indices: Collection[int]) -> list[Deed]:
    return [deed for index, deed in enumerate(deeds) if index not in indices]


def _faces(true: PlayedHand, seen: PlayedHand) -> list[tuple[float, str, str]]:
    """Faces that were missed or misread, refusals missed and invented."""
    found = []
    shown, read = _last_faces(true), _last_faces(seen)
    for who, deed in shown.items():
        other = read.get(who)
        if other is None:
            found.append((deed.t, "face not seen", f"{who}'s {deed.card} at {deed.t:.1f} s not seen"))
        elif other.card != deed.card:
            found.append((deed.t, "face misread", f"{who}'s {deed.card} at {deed.t:.1f} s taken for {other.card}"))
    refused, seen_refused = ({(deed.who[0], deed.card) for deed in _of(hand, "refusal")} for hand in (true, seen))
    for who, card in sorted(refused - seen_refused, key=str):
        if who not in read or read[who].card == card:
            found.append((true.end, "refusal missed", f"{who}'s {card} refused, and is a mere face in the log"))
    for who, card in sorted(seen_refused - refused, key=str):
        if who not in shown or shown[who].card == card:
            found.append((true.end, "refusal invented", f"{who}'s {card} refused nobody"))
    return found


def _last_faces(hand: PlayedHand) -> dict[str, Deed]:
    return {deed.who[0]: deed for deed in hand.deeds if deed.card is not None}


def _payments(true: PlayedHand, seen: PlayedHand) -> str:
    def words(hand: PlayedHand) -> str:
        return ", ".join(f"{p['player']} {p['delta']:+d} {p['cause']}" for p in hand.payments) or "nobody"

    return f"pays: {words(true)}; in the log: {words(seen)}"
