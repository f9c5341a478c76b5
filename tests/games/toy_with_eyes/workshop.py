"""The workshop of Bassa: its film, streams of its sightings, its bench and its soak."""

from dataclasses import dataclass
from random import Random

from companion.decks.stu import KINDS
from companion.eyes.sighting import Cleared, Shown
from companion.games.simulation import Evening as Played
from companion.referee import Evening, at_the_end, observe
from companion.table.log import Line
from toy_with_eyes import BASSA, rules
from toy_with_eyes.rules import HandLine, Show
from workshop.bench.betting.report import measure
from workshop.bench.betting.run import Betting, ruled
from workshop.bench.betting.scoring import Counted, other_end
from workshop.choreography import gestures, script
from workshop.choreography.director import STILL, Director
from workshop.choreography.ensemble import Card
from workshop.choreography.layout import plan_table
from workshop.choreography.motion import Track
from workshop.choreography.script import HandScript, OpenHand, Reading
from workshop.choreography.stu import clearing
from workshop.choreography.stu.gestures import StuGestures, taken
from workshop.games import GameWorkshop, Streams
from workshop.scoring import verdicts_on

# The film.


@dataclass(frozen=True, slots=True)
class Dealt(HandScript):
    """``cards``: seat → id of its card."""

    cards: dict


class Open(OpenHand):
    def __init__(self, index, state):
        self.index, self.state, self.acts, self.cards = index, state, [], {}

    def follow(self, index, event, before, after):
        if isinstance(event, Show):
            seat, taken = before.players.index(event.by), set(self.cards.values())
            self.cards[seat] = next(card for card in (f"{event.card}.0", f"{event.card}.1") if card not in taken)
            self.acts.append(script.Show(index, seat, (self.cards[seat],)))
        else:
            self.acts.append(script.Over(index))

    def close(self, rng):
        seats, dealer = range(len(self.state.players)), self.state.hand.dealer
        for seat in seats:
            self.cards.setdefault(seat, rng.choice([f"{kind}.0" for kind in KINDS if f"{kind}.0" not in self.cards.values()]))
        return Dealt(self.index, dealer, (*seats[dealer + 1 :], *seats[: dealer + 1]), tuple(self.acts), self.cards)


class BassaReading(Reading):
    NAME, RULES, GAME, HAND = "Bassa", rules, rules.Begin, HandLine

    def opened(self, index, before, after):
        return Open(index, after)


class BassaDirector(Director):
    def lay_the_table(self):
        e = self.ensemble
        e.deck.first = self.plan.deck(self.script.first_dealer, self.rng)
        for card in (f"{kind}.{copy}" for kind in KINDS for copy in range(2)):
            track = Track(e.deck.first)
            track.put(float("-inf"), "deck")
            e.cards[card] = Card(("stu", card.partition(".")[0]), track)

    def between(self, act):
        self.mark(act.line)

    def hand(self, hand, following, last):
        self.mark(hand.line)
        for seat in hand.order:
            self.now = self.gestures.deal(self.now, hand.dealer, seat, hand.cards[seat])[0]
        self.hands_home(hand.dealer)
        for act in hand.acts:
            self.pause(0.8)
            if isinstance(act, script.Show):
                self.now = self.gestures.show(self.now, act.seat)
            self.mark(act.line)
        self.now += STILL
        if not last:
            self.now = clearing.clear(self.gestures, self.now, following)
            to = self.plan.deck(following, self.rng)
            self.now = gestures.pass_deck(self.gestures, self.now, following, to)
            self.pause(1.5)


def direct(lines, *, seed, tempo=1.0, level="medium", shape=None, lifts=0.0):
    read = BassaReading().script(lines, Random(f"faces {seed}"))
    plan = plan_table(read.players, Random(f"table {seed}"), shape)
    return BassaDirector(read, plan, StuGestures, seed, 1 / tempo, level, taken(plan)).play()


# Hands of a log, and what eyes that see everything report of it.


@dataclass(frozen=True, slots=True)
class PlayedHand:
    start: float
    end: float
    over: bool
    void: bool
    payments: tuple
    confidence: float | None


def played(lines):
    state, start, found = rules.begin(lines[0].event), 0.0, []
    for line in lines[1:]:
        was, state = state, rules.apply(state, line.event)
        start = line.t if isinstance(line.event, HandLine) else start
        if was.hand is not None and state.hand is None:
            paid = state.ruled[-1]
            found.append(PlayedHand(start, line.t, True, not paid[0], (paid,), line.confidence))
    return tuple(found)


def timed(lines, rng):
    t, found = 0.0, [lines[0]]
    for line in lines[1:]:
        t += rng.uniform(0.6, 1.8) * (4.0 if isinstance(line.event, HandLine) else 1.0)
        found.append(Line(line.event, round(t, 3)))
    return tuple(found)


def ideal(lines):
    names, found = lines[0].event.players, []
    for number, line in enumerate(lines[1:]):
        if isinstance(line.event, Show):
            found.append(Shown(line.t, names.index(line.event.by), number, ((line.event.card, 1.0),)))
        elif not isinstance(line.event, HandLine):
            found.append(Cleared(line.t + 0.4))
    return tuple(found)


def spoilt(seen, share, rng):
    """The sightings with another kind likelier than the true one, for a ``share`` of the faces."""
    for one in seen:
        doubted = isinstance(one, Shown) and rng.random() < share
        kind = one.alternatives[0][0] if doubted else ""
        yield Shown(one.t, one.place, one.episode, ((rng.choice(KINDS), 0.6), (kind, 0.4))) if doubted else one


def log_of(first, seen):
    evening = Evening.of(BASSA, first)
    for one in seen:
        evening = observe(evening, one)
    return at_the_end(evening).log


def compare(truth, log):
    return verdicts_on(played(truth), played(log), lambda true, seen: ())


@dataclass(frozen=True)
class Figures:
    hands: int
    right: float
    sure_but_wrong: float


def figures(verdicts):
    hands = sum(one.true is not None for one in verdicts)
    wrong = sum(one.sure and not one.right for one in verdicts)
    return Figures(hands, sum(one.right for one in verdicts) / hands, wrong / hands)


BENCH = Betting("bassa", played, lambda true, seen: (), lambda verdict: {"hands": Counted(1, verdict.seen is not None,
                                                                                          verdict.right)},
                other_end, ideal, {"recall hands": "hands ruled right"}, {})
NOISE = {"none": 0.0, "easy": 0.02, "medium": 0.05, "hard": 0.2}


class BassaWorkshop(GameWorkshop):
    clip_players = (2, 6)
    direct = staticmethod(direct)

    def bots(self, people, hands, seed):
        return BASSA.simulation.simulate(Played(people, hands, seed, 1, None, True))

    def streams(self, hands, noise, seed):
        def evenings():
            for left in range(hands, 0, -2):
                rng = Random(f"bassa {seed} {left}")
                true = timed(self.bots(BASSA.simulation.seated(rng.randint(2, 6)), min(2, left), seed + left), rng)
                yield compare(true, log_of(true[0].event, spoilt(ideal(true), NOISE[noise], rng)))

        return Streams(evenings(), figures)

    def clip_log(self, clip):
        return self.bots(BASSA.simulation.seated(clip.players), clip.hands, clip.seed)

    def measure(self, run):
        return measure(BENCH, run)

    def ruled(self, clip, truth, first, stream):
        return ruled(BENCH, clip, truth, first, stream)

    def terms(self, dealer):
        return {}


WORKSHOP = BassaWorkshop("bassa")
