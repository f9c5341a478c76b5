"""What was ruled beside what happened: hands matched by time, payments equal to the last key, and why they are not."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from companion.table.log import Line
from companion.table.sure import SURE_FROM
from companion.workshop.bench.telling import Told
from companion.workshop.hands import Deed, PlayedHand, alike, matched, played
from companion.workshop.hands import common as in_common

NEAR_SECONDS = 10.0
"""An exchange of the same players in the same hand, told this much before or after it happened, is the same one: the rules may
find out about it only by what was done next."""


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
    true, seen = played(truth), played(told[-1].log)
    pairs = matched(true, seen)
    scores: list[HandScore] = []
    for number, hand in enumerate(true):
        partner = pairs.get(number)
        scores.append(_score(number, hand, None if partner is None else seen[partner], _after_error(scores)))
    ruled = [i for i, score in enumerate(scores) if score.right]
    waits = latencies([(pairs[i], seen[pairs[i]], true[i].last_face) for i in ruled], told)
    scores = [
        msgspec.structs.replace(score, latency=waits.get(pairs[i])) if i in pairs and score.right else score
        for i, score in enumerate(scores)
    ]
    free = set(range(len(seen))) - set(pairs.values())
    invented = tuple(seen[i].confidence or 0.0 for i in sorted(free) if seen[i].over and seen[i].payments)
    return ClipScore(tuple(scores), invented)


def _after_error(before: Sequence[HandScore]) -> bool:
    return bool(before) and not before[-1].right


def _score(number: int, true: PlayedHand, seen: PlayedHand | None, after_error: bool) -> HandScore:
    exchanges, draws = _of(true, "exchange"), _of(true, "draw")
    if seen is None:
        return HandScore(
            number + 1, true.start, False, False, None, len(exchanges), 0, 0, len(draws), 0, 0, None,
            ("hand not seen",), ("no hand of the log lies over it in time",),
        )  # fmt: skip
    right = alike(true, seen)
    causes = [] if right else compare(true, seen, after_error)
    return HandScore(
        number + 1, true.start, True, right, seen.confidence,
        len(exchanges), len(_of(seen, "exchange")), len(_common(exchanges, _of(seen, "exchange"))),
        len(draws), len(_of(seen, "draw")), len(_common(draws, _of(seen, "draw"))), None,
        tuple(dict.fromkeys(cause for cause, _ in causes)), tuple(said for _, said in causes),
    )  # fmt: skip


def _common(true: Sequence[Deed], seen: Sequence[Deed]) -> list[tuple[int, int]]:
    return in_common(true, seen, NEAR_SECONDS)


def _of(hand: PlayedHand, kind: str) -> list[Deed]:
    return [deed for deed in hand.deeds if deed.kind == kind]


def compare(true: PlayedHand, seen: PlayedHand, after_error: bool) -> list[tuple[str, str]]:
    """(cause, what differs in words), in the order in which they came about where that can be told."""
    found: list[tuple[float, str, str]] = []
    if set(true.order) != set(seen.order):
        extra, missing = sorted(set(seen.order) - set(true.order)), sorted(set(true.order) - set(seen.order))
        cause = "wrong standing carried on" if after_error else "wrong players"
        said = "; ".join(f"{what} {', '.join(who)}" for what, who in (("wrongly in it:", extra), ("left out:", missing)) if who)
        found.append((true.start, cause, said))
    elif true.dealer != seen.dealer:
        found.append((true.start, "wrong dealer", f"dealt by {true.dealer}, taken for {seen.dealer}'s deal"))
    for kind in ("exchange", "draw"):
        a, b = _of(true, kind), _of(seen, kind)
        pairs = _common(a, b)
        lost = [deed for i, deed in enumerate(a) if i not in {i for i, _ in pairs}]
        false = [deed for j, deed in enumerate(b) if j not in {j for _, j in pairs}]
        for what, deeds in (("missed", lost), ("invented", false)):
            said = f"{kind} {what}"
            found += [(deed.t, said, f"{said}: {' and '.join(deed.who)} at {deed.t:.1f} s") for deed in deeds]
    found += _faces(true, seen)
    if seen.void:
        found.append((true.end, "given up", "ended void: a face was never seen"))
    elif not seen.over:
        found.append((true.end, "not ended", "the hand has no end in the log"))
    if not found:
        found.append((true.end, "told in another order", _payments(true, seen)))
    return [(cause, said) for _, cause, said in sorted(found, key=lambda entry: entry[0])]


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


def latencies(hands: Sequence[tuple[int, PlayedHand, float | None]], told: Sequence[Told]) -> dict[int, float]:
    """Index of a seen hand → seconds from its true last face to when the log ruled as in the end, and never again otherwise.

    ``hands``: (index, the hand as told in the end, when its last face was shown).
    """
    since: dict[int, float] = {}
    wanted = {index: hand for index, hand, _ in hands}
    for moment in told:
        now = played(moment.log)
        for index, hand in wanted.items():
            same = index < len(now) and now[index].over and now[index].payments == hand.payments
            if not same:
                since.pop(index, None)
            elif index not in since:
                since[index] = moment.t
    return {index: round(since[index] - face, 3) for index, _, face in hands if face is not None and index in since}


def causes_in_order(scores: Sequence[HandScore]) -> dict[str, int]:
    """How many hands went wrong first by which cause, the commonest first."""
    counts: dict[str, int] = {}
    for one in scores:
        if not one.right and one.causes:
            counts[one.causes[0]] = counts.get(one.causes[0], 0) + 1
    return dict(sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])))
