"""What was ruled beside what happened: hands matched by time, payments equal to the last key, and why they are not."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

import msgspec

from companion.table.log import Line
from companion.table.sure import SURE_FROM
from companion.workshop.bench.telling import Told
from companion.workshop.hands import Deed, DeedKind, PlayedHand, played
from companion.workshop.scoring import Verdict, compared, moves

NEAR_SECONDS = 10.0
"""An exchange of the same players in the same hand, told this much before or after it happened, is the same one: the rules may
find out about it only by what was done next."""
MOVES: Final[tuple[DeedKind, ...]] = ("exchange", "draw")


class HandScore(msgspec.Struct, frozen=True):
    """One true hand (``number`` from 1, ``start`` seconds) and what was made of it.

    ``found``: some hand of the log lies over it in time. ``right``: its payments are the true ones. ``confidence``: of its
    ruling, None where there is none. ``exchanges``, ``told``, ``both``: true exchanges between players, told ones, and how many
    of them are the same. ``latency``: seconds of the source from the last face shown to the lasting ruling, of right hands.
    ``causes``: what went wrong, the first of them first; ``differences``: the same in words. Empty for right hands.
    """

    number: int
    start: float
    found: bool
    right: bool
    confidence: float | None
    exchanges: int
    told: int
    both: int
    draws: int
    draws_told: int
    draws_both: int
    latency: float | None
    causes: tuple[str, ...]
    differences: tuple[str, ...]

    @property
    def wrong_as_sure(self) -> bool:
        """The worst that can happen."""
        return self.found and not self.right and (self.confidence or 0.0) >= SURE_FROM


class ClipScore(msgspec.Struct, frozen=True):
    """A clip's hands; ``invented``: the confidences of rulings on hands that were never played."""

    hands: tuple[HandScore, ...]
    invented: tuple[float, ...]


def score(truth: Sequence[Line], told: Sequence[Told]) -> ClipScore:
    """Compare what the referee told, in the end and on the way, with the timed true log."""
    verdicts = compared(played(truth), played(told[-1].log), NEAR_SECONDS)
    waits = latencies([verdict for verdict in verdicts if verdict.right], told)
    scores: list[HandScore] = []
    for number, verdict in enumerate((one for one in verdicts if one.true is not None), start=1):
        after_error = bool(scores) and not scores[-1].right
        latency = waits.get(verdict.index) if verdict.right and verdict.index is not None else None
        scores.append(_score(number, verdict, after_error, latency))
    invented = (one for one in verdicts if one.true is None and one.seen is not None and one.seen.payments)
    return ClipScore(tuple(scores), tuple(one.confidence for one in invented if one.confidence is not None))


def _score(number: int, verdict: Verdict, after_error: bool, latency: float | None) -> HandScore:
    true, seen = verdict.true, verdict.seen
    assert true is not None
    counts = {kind: len(_of(true, kind)) for kind in MOVES}
    if seen is None:
        return HandScore(
            number, true.start, False, False, None, counts["exchange"], 0, 0, counts["draw"], 0, 0, None,
            ("hand not seen",), ("no hand of the log lies over it in time",),
        )  # fmt: skip
    told = {kind: len(_of(seen, kind)) for kind in MOVES}
    kinds = [moves(true)[i].kind for i, _ in verdict.found]
    causes = [] if verdict.right else differences(verdict, after_error)
    return HandScore(
        number, true.start, True, verdict.right, verdict.confidence,
        counts["exchange"], told["exchange"], kinds.count("exchange"),
        counts["draw"], told["draw"], kinds.count("draw"), latency,
        tuple(dict.fromkeys(cause for cause, _ in causes)), tuple(said for _, said in causes),
    )  # fmt: skip


def _of(hand: PlayedHand, kind: DeedKind) -> list[Deed]:
    return [deed for deed in hand.deeds if deed.kind == kind]


def differences(verdict: Verdict, after_error: bool) -> list[tuple[str, str]]:
    """(cause, what differs in words) of a hand that was found, in the order in which they came about where that can be told."""
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
        found.append((true.end, "told in another order", _payments(true, seen)))
    return [(cause, said) for _, cause, said in sorted(found, key=lambda entry: entry[0])]


def _without(deeds: Sequence[Deed], indices: Collection[int]) -> list[Deed]:
    return [deed for index, deed in enumerate(deeds) if index not in indices]


def _faces(true: PlayedHand, seen: PlayedHand) -> list[tuple[float, str, str]]:
    """Faces that were read otherwise, refusals missed and invented."""
    found = []
    shown, read = _last_faces(true), _last_faces(seen)
    for who, deed in shown.items():
        other = read.get(who)
        if other is None:
            found.append((deed.t, "face not seen", f"{who}'s {deed.card} at {deed.t:.1f} s not seen"))
        elif other.card != deed.card:
            found.append((deed.t, "face misread", f"{who}'s {deed.card} at {deed.t:.1f} s taken for {other.card}"))
    refused, told = ({(deed.who[0], deed.card) for deed in _of(hand, "refusal")} for hand in (true, seen))
    for who, card in sorted(refused - told, key=str):
        if who not in read or read[who].card == card:
            found.append((true.end, "refusal missed", f"{who}'s {card} was shown to refuse, and not told so"))
    for who, card in sorted(told - refused, key=str):
        if who not in shown or shown[who].card == card:
            found.append((true.end, "refusal invented", f"{who}'s {card} did not refuse anybody"))
    return found


def _last_faces(hand: PlayedHand) -> dict[str, Deed]:
    return {deed.who[0]: deed for deed in hand.deeds if deed.card is not None}


def _payments(true: PlayedHand, seen: PlayedHand) -> str:
    def words(hand: PlayedHand) -> str:
        return ", ".join(f"{p['player']} {p['delta']:+d} {p['cause']}" for p in hand.payments) or "nobody"

    return f"pays: {words(true)}; told: {words(seen)}"


def latencies(right: Sequence[Verdict], told: Sequence[Told]) -> dict[int, float]:
    """Index of a seen hand → seconds from its true last face until the log ruled as it does in the end, and kept to that.

    ``right``: verdicts on hands that are right in the end; those without a face are left out.
    """
    since: dict[int, float] = {}
    wanted = {one.index: (one.seen, one.true.last_face) for one in right if one.index is not None and one.seen and one.true}
    for moment in told:
        now = played(moment.log)
        for index, (hand, _) in wanted.items():
            same = index < len(now) and now[index].over and now[index].payments == hand.payments
            if not same:
                since.pop(index, None)
            elif index not in since:
                since[index] = moment.t
    return {
        index: round(since[index] - face, 3) for index, (_, face) in wanted.items() if face is not None and index in since
    }


def causes_in_order(scores: Sequence[HandScore]) -> dict[str, int]:
    """How many hands went wrong first by which cause, the commonest first."""
    counts: dict[str, int] = {}
    for one in scores:
        if not one.right and one.causes:
            counts[one.causes[0]] = counts.get(one.causes[0], 0) + 1
    return dict(sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])))
