"""The adversary: spoils a stream of sightings as eyes do, at given rates, which may be worse than theirs.

Probabilities stay honest, except where a rate says so: of the faces reported with 0.8, one in five is another kind, and for every
four exchanges reported with 0.8 a false one is invented.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random

from companion.decks.stu import KINDS, as_kind
from companion.games.stu.rules.trumps import TRUMPS
from companion.games.stu.sightings import Appeared, Cleared, DeckExchanged, Exchanged, Shown, Sighting
from workshop.streams.adversary import by_hand, poisson, read

Moved = Exchanged | DeckExchanged


@dataclass(frozen=True, slots=True)
class Noise:
    """How often the eyes are wrong; ``Noise()`` makes them perfect. Rates are shares of the sightings concerned, 0 to 1.

    ``face_doubted``: faces whose most likely kind has a probability between 0.4 and 0.98 (an honest one). ``face_misread``:
    another kind is reported as sure, and the true one is not even among the alternatives. ``face_unseen``: never reported.
    ``covered``: reported two to six seconds late, because a hand rests on it. ``rested``: faces reported in time whose back was
    out of view for a while before. ``stray``: hands after which a card that is being gathered is taken for one dealt and shown.
    ``twice``: faces lost from view and reported again, as another episode; cards taken up and put down again. ``late``: mean of
    an exponential delay of a face's ``t``, seconds. ``shaken``: standard deviation of the other times, seconds.
    ``exchange_missed``: never reported. ``exchange_doubted``: reported with 0.5 to 0.97 (honestly), the others with 0.97 to
    0.995. ``merged``: of two exchanges within two seconds only the first is reported. ``invented``: exchanges per hand that
    never happened, reported with 0.5 to 0.9. ``deal_unseen``: cards dealt that are not reported. ``blocked``: hands in which
    some places are out of view for a while. ``uncleared``: hands whose clearing is not reported. ``lifted``: hands after whose
    deal everybody lifts their own card at once to look: a neighbours' exchange that never happened is reported with 0.05 to 0.3.
    """

    face_doubted: float = 0.0
    face_misread: float = 0.0
    face_unseen: float = 0.0
    covered: float = 0.0
    rested: float = 0.0
    twice: float = 0.0
    stray: float = 0.0
    late: float = 0.0
    shaken: float = 0.0
    exchange_missed: float = 0.0
    exchange_doubted: float = 0.0
    merged: float = 0.0
    invented: float = 0.0
    deal_unseen: float = 0.0
    blocked: float = 0.0
    uncleared: float = 0.0
    lifted: float = 0.0

    @classmethod
    def easy(cls) -> Noise:
        """A well-lit table of four, in a sharp picture."""
        return cls(face_doubted=0.005, face_misread=0.00005, face_unseen=0.001, covered=0.01, rested=0.02,
                   twice=0.1, stray=0.2, late=0.1,
                   shaken=0.1, exchange_missed=0.03, exchange_doubted=0.35, merged=0.02, invented=0.01, deal_unseen=0.002,
                   blocked=0.005, lifted=0.05)  # fmt: skip

    @classmethod
    def medium(cls) -> Noise:
        """A table of six in the evening, with glasses and sleeves."""
        return cls(face_doubted=0.015, face_misread=0.0002, face_unseen=0.003, covered=0.02, rested=0.07,
                   twice=0.15, stray=0.3, late=0.15,
                   shaken=0.2, exchange_missed=0.05, exchange_doubted=0.5, merged=0.05, invented=0.03, deal_unseen=0.01,
                   blocked=0.02, lifted=0.1)  # fmt: skip

    @classmethod
    def hard(cls) -> Noise:
        """A table of ten, with small cards and hands everywhere."""
        return cls(face_doubted=0.03, face_misread=0.0005, face_unseen=0.006, covered=0.05, rested=0.2,
                   twice=0.2, stray=0.4, late=0.2,
                   shaken=0.3, exchange_missed=0.08, exchange_doubted=0.6, merged=0.1, invented=0.1, deal_unseen=0.02,
                   blocked=0.05, uncleared=0.002, lifted=0.2)  # fmt: skip


LEVELS = {"none": Noise(), "easy": Noise.easy(), "medium": Noise.medium(), "hard": Noise.hard()}
"""The named adversaries. Four filmed clips with eleven hands had 41 faces, none of them in doubt, four never seen and one covered
for five seconds, 0.16 s early on average, and a stray face at every second clearing. Exchanges are as simulated eyes see them
(3 to 6 % missed, a third to two thirds in doubt). Of 38 faces in a hard clip 9 had lain under a hand or come from one, of 65 in
easier clips 3. Rates that no clip was long enough to show (misread, blocked) are guesses."""


def corrupt(stream: Sequence[Sighting], noise: Noise, players: int, rng: Random) -> tuple[Sighting, ...]:
    """The stream as eyes with this noise report it, in the order in which they become sure, which is not quite that of time."""
    spoilt: list[Sighting] = []
    for hand in by_hand(stream, Cleared):
        seen = _blocked(list(hand), noise, players, rng)
        seen = _merged(seen, noise, rng)
        seen = [found for sighting in seen for found in _spoilt(sighting, noise, rng)]
        spoilt += [*seen, *_invented(hand, noise, players, rng), *_strays(hand, noise, rng), *_lifted(hand, noise, players, rng)]
    return _renumbered(sorted(spoilt, key=_sure_at))


def _sure_at(seen: Sighting) -> float:
    """When a sighting is reported, seconds: several looks have to agree, and traffic has to be over."""
    if isinstance(seen, Exchanged | DeckExchanged):
        return seen.until + 0.8
    return seen.t + (1.0 if isinstance(seen, Cleared) else 0.3)


def _renumbered(stream: Sequence[Sighting]) -> tuple[Sighting, ...]:
    """The stream with its episodes numbered as the eyes do, in the order of the reports; no two faces share one."""
    faces = (index for index in range(1, len(stream) + 1))
    return tuple(replace(seen, episode=next(faces)) if isinstance(seen, Shown) else seen for seen in stream)


def _blocked(seen: list[Sighting], noise: Noise, players: int, rng: Random) -> list[Sighting]:
    """Some places are out of view for 2 to 6 seconds: what lies there afterwards is seen then, what moved meanwhile is not."""
    if rng.random() >= noise.blocked or not seen:
        return seen
    start = rng.uniform(seen[0].t, seen[-1].t)
    end = start + rng.uniform(2, 6)
    places = set(range(players)) if rng.random() < 0.3 else set(rng.sample(range(players), max(1, players // 3)))
    kept: list[Sighting] = []
    for sighting in seen:
        at = (sighting.t + sighting.until) / 2 if isinstance(sighting, Exchanged | DeckExchanged) else sighting.t
        if not start <= at <= end or not places & _places(sighting):
            kept.append(sighting)
        elif isinstance(sighting, Shown | Appeared) and end < seen[-1].t:
            kept.append(replace(sighting, t=end))
    return kept


def _places(sighting: Sighting) -> set[int]:
    if isinstance(sighting, Exchanged):
        return set(sighting.places)
    return {sighting.place} if isinstance(sighting, Appeared | Shown | DeckExchanged) else set()


def _merged(seen: list[Sighting], noise: Noise, rng: Random) -> list[Sighting]:
    kept: list[Sighting] = []
    before: Moved | None = None
    for sighting in seen:
        if isinstance(sighting, Exchanged | DeckExchanged):
            if before and sighting.t - before.until < 2 and _places(before) & _places(sighting) and rng.random() < noise.merged:
                continue
            before = sighting
        kept.append(sighting)
    return kept


def _spoilt(sighting: Sighting, noise: Noise, rng: Random) -> Iterator[Sighting]:
    """What is reported of one sighting: nothing, itself with doubts and at another time, or itself twice."""
    match sighting:
        case Shown():
            if rng.random() < noise.face_unseen:
                return
            late = rng.expovariate(1 / noise.late) if noise.late else 0.0
            late += rng.uniform(2, 6) if rng.random() < noise.covered else 0.0
            rested = rng.uniform(0.5, 10) if rng.random() < noise.rested else rng.uniform(0.07, 0.35)
            before = sighting.t - rested if noise.late else None
            doubts = read(sighting.alternatives[0][0], KINDS, _lookalike, noise, rng)
            seen = replace(sighting, t=sighting.t + late, alternatives=doubts, not_before=before)
            yield seen
            if rng.random() < noise.twice:
                yield replace(seen, t=seen.t + rng.uniform(1.2, 2.5))
        case Exchanged() | DeckExchanged():
            if rng.random() < noise.exchange_missed:
                return
            moved = _shaken(sighting, noise, rng)
            if not noise.exchange_doubted:
                yield moved
                return
            yield replace(moved, probability=_doubt(noise, rng))
        case Appeared():
            if rng.random() >= noise.deal_unseen:
                yield replace(sighting, t=sighting.t + abs(rng.gauss(0, noise.shaken)))
            if rng.random() < noise.twice:
                yield replace(sighting, t=sighting.t + rng.uniform(2, 6))
        case Cleared():
            if rng.random() >= noise.uncleared:
                yield sighting


def _shaken(sighting: Moved, noise: Noise, rng: Random) -> Moved:
    start = sighting.t + rng.gauss(0, noise.shaken)
    return replace(sighting, t=start, until=max(start, sighting.until + rng.gauss(0, noise.shaken)))


def _doubt(noise: Noise, rng: Random) -> float:
    """The probability with which an exchange is reported."""
    return rng.uniform(0.5, 0.97) if rng.random() < noise.exchange_doubted else rng.uniform(0.97, 0.995)


def _lookalike(kind: str, rng: Random) -> str:
    """Another kind that it may be taken for: mostly a neighbour in rank, a trump for a trump; or any."""
    index = KINDS.index(as_kind(kind))
    near = [other for other in KINDS[max(0, index - 2) : index + 3] if other != kind and (other in TRUMPS) == (kind in TRUMPS)]
    return rng.choice(near) if rng.random() < 0.7 else rng.choice([other for other in KINDS if other != kind])


def _strays(hand: Sequence[Sighting], noise: Noise, rng: Random) -> Iterator[Sighting]:
    """After the clearing, a card that is being gathered seems to be dealt and shown."""
    faces = [seen for seen in hand if isinstance(seen, Shown)]
    if faces and isinstance(hand[-1], Cleared) and rng.random() < noise.stray:
        face, t = rng.choice(faces), hand[-1].t + rng.uniform(1.1, 1.5)
        yield Appeared(t, face.place)
        yield replace(face, t=t)


def _invented(hand: Sequence[Sighting], noise: Noise, players: int, rng: Random) -> Iterator[Sighting]:
    """Exchanges that never happened: as many of each probability as keep it honest, and the ``invented`` ones on top."""
    real = sum(isinstance(seen, Exchanged | DeckExchanged) for seen in hand)
    doubts = [_doubt(noise, rng) for _ in range(real)] if noise.exchange_doubted else []
    false = [doubt for doubt in doubts for _ in range(poisson((1 - doubt) / doubt, rng))]
    false += [rng.uniform(0.5, 0.9) for _ in range(poisson(noise.invented, rng))]
    for probability in false:
        t = rng.uniform(hand[0].t, hand[-1].t)
        until = t + rng.uniform(0.3, 2)
        place = rng.randrange(players)
        if rng.random() < 0.25:
            yield DeckExchanged(t, until, place, probability)
        else:
            yield Exchanged(t, until, (place, (place + 1) % players), probability)


def _lifted(hand: Sequence[Sighting], noise: Noise, players: int, rng: Random) -> Iterator[Exchanged]:
    """Right after the deal, everybody's card is away at once and put down again: two neighbours may seem to have exchanged."""
    dealt = [seen for seen in hand if isinstance(seen, Appeared)]
    if len(dealt) > 1 and rng.random() < noise.lifted:
        place, t = rng.choice(dealt).place, max(seen.t for seen in dealt) + rng.uniform(0.2, 1.5)
        yield Exchanged(t, t + rng.uniform(0.3, 1.5), (place, (place + 1) % players), rng.uniform(0.05, 0.3))
