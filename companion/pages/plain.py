"""Pages for a game that says little of its own: derive from `PlainPages`, give it a title, and say what a player has, what a hand
made them pay, and what has just happened. All else is read off the game's rules.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from typing import Any

from companion.pages.commentary import won
from companion.pages.doubts import doubtful_mistakes
from companion.pages.moments import Moment, hands_played, is_tagged, ruling_sure
from companion.pages.phone import Act, ChoiceText, Difference, HandSummary, Next, Offer, PlayerView, Score
from companion.pages.protocol import Chances, Charts, Moviola, Outcomes
from companion.pages.rows import Row, Rows, before_hand
from companion.pages.ruling import ruling_view
from companion.pages.season import PlainSeason, Season
from companion.pages.setup import Fact, Own, Setup, Step
from companion.pages.view import (
    AnnouncementView,
    Figure,
    PaymentView,
    Ranked,
    Role,
    RulingView,
    SeatView,
    View,
    ViewSettings,
    no_game,
)
from companion.table.errors import Illegal
from companion.table.game import Over, Rules, State, Turn
from companion.table.language import N_, Lang, catalogue
from companion.table.log import Event, Line, tag
from companion.table.money import money
from companion.table.story import ALL_SURE, Doubts, nothing_paid
from companion.table.text import perhaps, sentence, signed

STEPS: dict[str, tuple[str, Role]] = {
    "answer": (N_("{player} to answer"), "asked"),
    "bet": (N_("{player} to bet"), "bets"),
    "decide": (N_("{player} to decide"), "decides"),
    "draw": (N_("{player} to draw a card"), "draws"),
    "lay": (N_("{player} to lay a card"), "lays"),
    "show": (N_("{player} to show"), "shows"),
    "speak": (N_("{player} to speak"), "bets"),
}
"""`Turn.step` → what the table waits for, of one player, and what stands on that player's plate."""
OTHER_STEP: tuple[str, None] = N_("{player}’s turn"), None
"""What the table waits for, and stands on the plate, in a step with another name."""


class PlainSetup:
    """A game that asks for nothing but its players: its first line is ``{"e":"game","v":1,"game":ID,"players":[…]}``."""

    first_places = 2
    people = N_("The game goes on with other people, between two hands.")
    late: str | None = None
    steps: Sequence[Step] = ()

    def __init__(self, game_id: str, rules: Rules, most_players: int) -> None:
        self.most_players = most_players
        self._game_id, self._rules = game_id, rules

    def fresh(self, *, late: bool) -> Own:
        return None

    def again(self, first: Event, state: State) -> Own:
        return None

    def continued(self, first: Event, state: State) -> Own:
        return None

    def seated(self, own: Own, before: tuple[str, ...], names: tuple[str, ...]) -> Own:
        return own

    def game_line(self, names: tuple[str, ...], own: Own) -> Event:
        return self._rules.LOG.event({"e": "game", "v": 1, "game": self._game_id, "players": list(names)})

    def said_at_once(self, own: Own) -> Sequence[Event]:
        return ()

    def sums(self, own: Own) -> frozenset[int]:
        return frozenset()

    def facts(self, names: tuple[str, ...], own: Own, lang: Lang) -> tuple[Fact, ...]:
        return ()


class PlainPages:
    """See `companion.pages.protocol.Pages`. A log that holds faces nobody has seen needs a `public` of the game's own."""

    title: str
    clockwise: bool = False
    pots: bool = False
    moviola: Moviola | None = None
    charts: Charts | None = None
    chances: Chances | None = None
    outcomes: Outcomes | None = None

    def __init__(self, game_id: str, rules: Rules, *, most_players: int = 12) -> None:
        self.game_id, self.rules = game_id, rules
        self.setup: Setup = PlainSetup(game_id, rules, most_players)
        self.season: Season = PlainSeason(rules, self.winner)

    # What a game says of its own.

    def has(self, state: State, player: str, lang: Lang) -> str:
        """What a player has, in words."""
        return ""

    def payments(self, state: State, lang: Lang) -> tuple[PaymentView, ...]:
        """What the hand in progress made the players pay so far; between hands, what the last one did."""
        return ()

    def comment(self, before: State, event: Event, after: State, lang: Lang) -> str | None:
        """The sentence for what has just happened between two states, None for what is not worth one."""
        return None

    def amount(self, state: State, minor: int, lang: Lang, /) -> str:
        """A sum of this table, not negative."""
        return money(minor, lang)

    def winner(self, state: State) -> str | None:
        """The winner of a game that is over; None for none."""
        return None

    def waits_for(self, turn: Turn, lang: Lang) -> str:
        """What the table waits for in a hand, in words. Of a step that is not in `STEPS` it says whose turn it is, no more."""
        _ = catalogue(lang).gettext
        if turn.who is None:
            return _("Show the cards") if turn.step == "show" else _("Everybody’s turn")
        message, _role = STEPS.get(turn.step, OTHER_STEP)
        return _(message).format(player=turn.who)

    # What is read off the rules.

    def public(self, known: State, seen: State, line: Line, /) -> tuple[Line, ...]:
        return (line,)

    def laid(self, laid: Any, before: State, event: Event, after: State, /) -> Any:
        return None

    def view(self, moments: Sequence[Moment], lang: Lang, settings: ViewSettings, /) -> View:
        if not moments:
            return View(**no_game(self.game_id, lang))
        now = moments[-1]
        score = self.score(now.seen, lang)
        ruling = self._ruling(moments, lang, settings)
        waiting = self.rules.waiting(now.seen)
        acts = {waiting.who: STEPS.get(waiting.step, OTHER_STEP)[1]} if isinstance(waiting, Turn) else {}
        change: dict[str, int] = {}
        for paid in ruling.payments if ruling is not None else ():
            change[paid.player] = change.get(paid.player, 0) + paid.delta
        seats = tuple(
            SeatView(
                name=player.name, in_play=player.in_play, in_hand=self.rules.in_hand(now.seen), dealer=player.dealer,
                has=player.has, role=acts.get(player.name), change=change.get(player.name),
                believed=ruling is not None and not ruling.sure and player.name in change, winner=player.name == score.winner,
            )
            for player in score.players
        )  # fmt: skip
        return View(
            lang=lang, game_id=self.game_id, status=score.phase, hand=self._number(now.seen), seats=seats, ruling=ruling,
            happened=self._happened(moments, lang, settings.happened), message=score.status, winner=score.winner,
        )  # fmt: skip

    def announcements(
        self, before: State, event: Event, after: State, lang: Lang, sure: bool = True, /
    ) -> Iterable[AnnouncementView]:
        """The announcement that somebody has won, if the event has ended the game."""
        was, now = (self.winner(state) if isinstance(self.rules.waiting(state), Over) else None for state in (before, after))
        return won(was, now, catalogue(lang).gettext("The winner"))

    def won_before(self, state: State, /) -> Mapping[str, int] | None:
        return {}

    def standing(self, state: State, doubtful: Collection[str], lang: Lang, /) -> tuple[Figure, ...]:
        return ()

    def hangs(self, before: State, event: Event, after: State, /) -> int:
        return 0

    def ranked(self, state: State, lang: Lang, /) -> tuple[Ranked, ...]:
        return ()

    def calls(self, moments: Sequence[Moment], view: View, lang: Lang, /) -> tuple[str, ...]:
        _ = catalogue(lang).gettext
        if view.ruling is not None and not view.ruling.sure:
            return (_("Not sure: check it yourselves."),)
        told = [payment.text for payment in view.ruling.payments] if view.ruling is not None else []
        return (*told, *((view.message,) if view.winner is not None else ()))

    def tv_words(self, lang: Lang, /) -> dict[str, str]:
        return {}

    def score(self, state: State, lang: Lang, /) -> Score:
        say = catalogue(lang)
        _ = say.gettext
        waiting = self.rules.waiting(state)
        winner = self.winner(state) if isinstance(waiting, Over) else None
        if isinstance(waiting, Over):
            won = say.pgettext("any game", "{winner} has won").format(winner=winner)
            phase, status = "won", won if winner is not None else _("The game is over")
        elif not isinstance(waiting, Turn):
            phase, status = "in_play", _("Between hands")
        else:
            phase = "hand_in_progress"
            status = self.waits_for(waiting, lang)
        players = tuple(
            PlayerView(name=name, has=self.has(state, name, lang), in_play=True, dealer=False) for name in self.rules.names(state)
        )
        return Score(phase=phase, status=status, players=players, winner=winner)

    def offers(self, state: State, lang: Lang, /, *, just_over: bool = False, perhaps: Sequence[int] = ()) -> Next:
        found = [event for event in self.rules.legal_acts(state) if tag(event) != "void"]
        offers = tuple(Offer(self.line_text(state, event, self.rules.apply(state, event), lang), (event,)) for event in found)
        title, void = self.score(state, lang).status, just_over or self.rules.in_hand(state)
        return Next(title=title, offers=offers, likely=len(offers) == 1, void=void)

    def exchanges(self, state: State, /) -> tuple[tuple[Event, ...], ...]:
        return ()

    def whole_acts(self, state: State, done: Event, lang: Lang, /) -> tuple[Offer, ...]:
        return ()

    def bridge(self, state: State, /) -> tuple[Event, ...]:
        return ()

    def due(self, state: State, /) -> bool:
        return False

    def spelt_out(self, before: State, event: Event, /) -> tuple[Event, ...]:
        return (event,)

    def sense(self, before: State, event: Event, after: State, /) -> Hashable:
        waits = self.rules.waiting(before)
        return waits.step if isinstance(waits, Turn) else ""

    def named(self, state: State, cards: Sequence[str], lang: Lang, /) -> str:
        return ""

    def mistold(self, event: Event, /) -> Illegal | None:
        return None

    def by_itself(self, state: State, event: Event, /) -> Event | None:
        left = [act for act in self.rules.legal_acts(state) if tag(act) != "void"]
        return left[0] if self.rules.in_hand(state) and [tag(act) for act in left] == ["end"] else None

    def order(self, state: State, /) -> tuple[str, ...]:
        return self.rules.names(state)

    def line_text(self, before: State, event: Event, after: State, lang: Lang, /) -> str:
        return self.comment(before, event, after, lang) or tag(event)

    def set_parts(self, after: State, event: Event, lang: Lang, /) -> tuple[str, ...]:
        return ()

    def together(self, events: Sequence[Event], index: int, /) -> tuple[int, int]:
        return index, index + 1

    def hand(self, before: State, after: State, lang: Lang, doubtful: Collection[Any] = (), /) -> HandSummary:
        _ = catalogue(lang).gettext
        n, payments = self.rules.hands(before) + 1, self.payments(after, lang)
        payers = ", ".join(f"{paid.player} {signed(paid.delta)}" for paid in payments)
        nothing = nothing_paid(lang, over=n <= self.rules.hands(after))
        paid = tuple(paid.text for paid in payments) or (nothing,)
        return HandSummary(n, _("Hand {n}").format(n=n), paid, (), payers or nothing, bool(payments), bool(doubtful))

    def doubtful(self, moments: Sequence[Moment], sure_from: float, /) -> frozenset[Any]:
        return doubtful_mistakes(self.rules, moments, sure_from)

    def hand_rows(self, moments: Sequence[Moment], lang: Lang, doubts: Doubts = ALL_SURE, /) -> Rows:
        _ = catalogue(lang).gettext
        columns = _("Hand"), _("Player"), _("Before"), _("After"), _("Who pays, and why")
        found: list[Row] = []
        for before, after, told in hands_played(self.rules, moments):
            doubtful = doubts.get(self.rules.hands(before) + 1, ())
            summary = self.hand(before, told, lang, doubtful)
            was, now = self.score(before, lang), self.score(after, lang)
            for one, other in zip(was.players, now.players, strict=True):
                cells = summary.n, one.name, one.has, other.has, "; ".join(summary.paid)
                found.append(Row(summary.n, cells, doubtful=bool(doubtful)))
        return Rows(columns, tuple(found))

    def money_rows(
        self, moments: Sequence[Moment], lang: Lang, unsure: Collection[int] = (), believed: Collection[str] = (), /
    ) -> Rows:
        _ = catalogue(lang).gettext
        if not moments:
            return Rows((_("Player"), _("In the end")), ())
        state, what = moments[-1].seen, _("In the end")
        if self.rules.in_hand(state):
            state = list(hands_played(self.rules, moments))[-1].before
            what = sentence(before_hand(self.rules.hands(state) + 1, lang))
        n = self.rules.hands(state)
        has = [(one.name, perhaps(one.has, sure=one.name not in believed)) for one in self.score(state, lang).players]
        return Rows((_("Player"), what), tuple(Row(n, cells) for cells in has))

    def differences(self, now: State, then: State, lang: Lang, /) -> tuple[Difference, ...]:
        was, would = self.score(now, lang), self.score(then, lang)
        rows = [(one.name, one.has, other.has) for one, other in zip(was.players, would.players, strict=True)]
        rows.append((catalogue(lang).gettext("Game"), was.winner or "", would.winner or ""))
        return tuple(Difference(*row) for row in rows if row[1] != row[2])

    def acts(self, lang: Lang, /) -> tuple[Act, ...]:
        return ()

    def cards(self, lang: Lang, /) -> tuple[tuple[str, str], ...]:
        return ()

    def question(self, asked: Any, lang: Lang, /) -> str:
        return ""

    def choice(self, asked: Any, choice: str | None, names: tuple[str, ...], lang: Lang, /) -> ChoiceText:
        return ChoiceText(choice or "")

    def notices(self, evening: Any, lang: Lang, /) -> tuple[str, ...]:
        return ()

    def phone_words(self, lang: Lang, /) -> dict[str, str]:
        return {}

    def _number(self, state: State) -> int:
        return self.rules.hands(state) + self.rules.in_hand(state)

    def _ruling(self, moments: Sequence[Moment], lang: Lang, settings: ViewSettings) -> RulingView | None:
        now = moments[-1]
        final, payments = not self.rules.in_hand(now.seen), self.payments(now.seen, lang)
        if not self._number(now.seen) or not (final or payments):
            return None
        ends = (moment for moment in reversed(moments) if is_tagged(moment, "hand", "end", "void"))
        void = final and (end := next(ends, None)) is not None and is_tagged(end, "void")
        sure = ruling_sure(now, settings.sure_from)
        return ruling_view(
            self._number(now.seen), () if void else payments, lang, final=final, sure=sure, confidence=now.confidence, void=void
        )

    def _happened(self, moments: Sequence[Moment], lang: Lang, most: int) -> tuple[str, ...]:
        told: list[str] = []
        for at in range(len(moments) - 1, 0, -1):
            event = moments[at].event
            said = self.comment(moments[at - 1].seen, event, moments[at].seen, lang) if event is not None else None
            if said is not None:
                told.append(said)
            if len(told) == most:
                break
        return tuple(reversed(told))
