"""What the pages ask of a game: a plain protocol, which a module may be. `companion.pages.plain` has answers for a game that says
little of its own.

Templates and scripts go by the game's id: `web/templates/games/ID/`, and `web/static/games/ID/tv.js`, `tv.css`, `organiser.js`
where they are there.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from typing import Any, Protocol

from msgspec import Struct

from companion.pages.moments import Moment
from companion.pages.phone import Act, ChoiceText, Difference, HandSummary, Next, Offer, Score
from companion.pages.rows import Rows
from companion.pages.season import Season
from companion.pages.setup import Setup
from companion.pages.view import AnnouncementView, Figure, Ranked, View, ViewSettings
from companion.table.errors import Illegal, Reason
from companion.table.game import State
from companion.table.language import Lang
from companion.table.log import Event, Line
from companion.table.story import ALL_SURE, Doubts

Moviola = Callable[[Sequence[Moment], Lang], Struct | None]
"""The last hand that is over, step by step: the JSON of `/api/moviola`; None before there is one."""

Chances = Callable[[Sequence[Moment]], dict[str, float]]
"""Player → chance (0…1) of paying in the hand in progress, or of what `own.chance` of `tv.js` says; empty between hands."""


class Charts(Protocol):
    """The evening in figures, with the template `games/ID/charts.html`."""

    def figures(self, moments: Sequence[Moment], lang: Lang, /) -> Struct:
        """The JSON of `/api/charts`."""

    def drawing(self, figures: Any, lang: Lang, /) -> str:
        """The figures as an `<svg>` element."""


class Outcomes(Protocol):
    """Hands with nothing known but their outcome: a number for each player, what they paid or had left."""

    @property
    def in_money(self) -> bool:
        """Whether the numbers are sums of money in minor units, which have a pad on the phone; else they are few."""

    @property
    def no_such(self) -> Reason:
        """Why no hand comes to an outcome for which `stated` has found none: what the rules allow, in the game's words."""

    def most(self, state: State, /) -> int:
        """The largest number that can be said of a player in a hand begun after ``state``."""

    def comes_to(self, before: State, after: State, /) -> Mapping[str, int]:
        """Player → their number (negative: gained) in the hand that was begun after ``before``, as far as it has come by
        ``after``; only those for whom it is not 0."""

    def stated(
        self, before: State, told: Sequence[Event], paid: Mapping[str, int], faces: Mapping[str, str], /
    ) -> tuple[Event, ...] | None:
        """The plainest hand, from its opening line to its end, in which just these are the numbers; None where the rules allow
        none. It stands for the outcome in the log, and nothing of it is ever shown: `untold`, `laid`.

        ``before``: the state before it. ``told``: the hand as it is known so far, from its opening line on. ``faces``: player →
        card that they are known to have shown in the end: taken into account where that is possible.

        Raises Illegal where something that decides who has what was not told, such as who takes a pot; the error says what to
        tell first."""

    def meant(self, before: State, event: Event, after: State, /) -> Hashable:
        """What a line says in its place, whatever it costs: equal for two lines that are the same kind of act there. A card that
        refused a passo is none that somebody shows in the end."""

    def alone(self, event: Event, /) -> bool:
        """Whether a line says the same wherever it stands in its hand: a card that is shown, a penalty. Any other line that was
        told stays only before the first invented one, on which it would rest."""

    def untold(self, told: State, over: State, /) -> State:
        """``over`` without the invented details of a hand whose outcome alone is known: no reason, rule, card or mistake that
        nobody has stated. ``told``: the game before the first invented line; ``over``: after the hand."""

    def given(self, before: State, over: State, lang: Lang, /) -> tuple[str, ...]:
        """What the rules give to somebody in such a hand beside the numbers that were stated, a sentence each: people are told
        before they agree. ``before``: the game before the hand; ``over``: after it, as `untold` leaves it."""

    def laid(self, laid: Any, event: Event | None, state: State, /) -> Any:
        """What lies on the table in such a hand, or after it, in the game's own terms. ``laid``: what lay there before;
        ``event``: what was said, None where the line stands in; ``state``: the game after it, as it is shown."""


class ForEverybody(Protocol):
    """What everybody at the table is shown: the TV, spectators, the voice. It is made of `Moment.seen`, `Moment.laid` and public
    lines alone."""

    @property
    def moviola(self) -> Moviola | None:
        """None where the game has none."""

    @property
    def charts(self) -> Charts | None:
        """None where the game has none."""

    @property
    def chances(self) -> Chances | None:
        """None where the game has none."""

    @property
    def season(self) -> Season:
        """What the season shows of the game; `PlainSeason` where the game has no columns of its own."""

    @property
    def pots(self) -> bool:
        """Whether a ruling may say what somebody has taken of a pot, what they had put in themselves not taken off."""

    def public(self, known: State, seen: State, line: Line, /) -> tuple[Line, ...]:
        """What everybody saw of a line, which comes after ``known`` (as the log tells the game) and ``seen`` (as everybody has
        seen it): the line without an unseen face, after lines for what it lays open. At least one line."""

    def laid(self, laid: Any, before: State, event: Event, after: State, /) -> Any:
        """What lies on the table after a public event, in the game's own terms; ``laid``: what lay there before it, None at
        first."""

    def view(self, moments: Sequence[Moment], lang: Lang, settings: ViewSettings, /) -> View:
        """What a page shows of a game that has come this far; of no game, when there are no moments."""

    def announcements(
        self, before: State, event: Event, after: State, lang: Lang, sure: bool = True, /
    ) -> Iterable[AnnouncementView]:
        """What fills the TV's screen for some seconds when this event has led from one state to the other: who is out by it, who
        has come back by it, who has won. ``sure``: so is the ruling that stands then; what follows from it is a question
        elsewhere."""

    def hangs(self, before: State, event: Event, after: State, /) -> int:
        """How much money hangs on an event beside what the hand's ruling takes, in minor units: what somebody pays to come back,
        say. 0 where none does. Of two events that are announced in the same way, the one with more counts for more."""

    def amount(self, state: State, minor: int, lang: Lang, /) -> str:
        """A sum of this table in minor units, not negative, as people write it."""

    def won_before(self, state: State, /) -> Mapping[str, int] | None:
        """Player → what they had won or lost (minor units, or points) when the game went on with other people, as far as that one
        does not hold it: empty where it holds all, such as a pot that is still played for. None where nobody can know."""

    def standing(self, state: State, doubtful: Collection[str], lang: Lang, /) -> tuple[Figure, ...]:
        """How the game stands between two hands, beside the figures above the table: who leads, say. ``doubtful``: the players
        for whom it is not sure what they have."""

    def ranked(self, state: State, lang: Lang, /) -> tuple[Ranked, ...]:
        """What each player has, by place, as the game ranks them while it goes on; () where nothing does, or it is not known."""

    def set_parts(self, after: State, event: Event, lang: Lang, /) -> tuple[str, ...]:
        """What a `set` line, after which the game is in this state, says of each player and of the money, a few words each."""

    def calls(self, moments: Sequence[Moment], view: View, lang: Lang, /) -> tuple[str, ...]:
        """Sentences for the voice about a view that was made of these moments. Only those that were not in it before are spoken.
        An unsure one says that it is unsure."""

    def doubtful(self, moments: Sequence[Moment], sure_from: float, /) -> frozenset[Any]:
        """What is not sure of the ruling of the hand in progress or, between hands, of the last one, as the game's rules have it:
        payments and pots that name a card which may be another, mistakes that may have been misread. ``sure_from``: probability
        from which a line is sure."""

    def tv_words(self, lang: Lang, /) -> dict[str, str]:
        """What `tv.js` of the game says, by the names it calls it by."""


class ForThePhone(Protocol):
    """What an organiser's phone shows, and what can be tapped there."""

    def score(self, state: State, lang: Lang, /) -> Score:
        """How the game stands."""

    def offers(self, state: State, lang: Lang, /, *, just_over: bool = False, perhaps: Sequence[int] = ()) -> Next:
        """What may come next. ``just_over``: a hand has just ended and can still be void; ``perhaps``: by place, how many more
        chips players may have than is thought, as a hand before was not sure."""

    def named(self, state: State, cards: Sequence[str], lang: Lang, /) -> str:
        """What these cards come to, as people call it; "" where there is nothing to say."""

    def line_text(self, before: State, event: Event, after: State, lang: Lang, /) -> str:
        """A line of the log as a sentence, with the states around it."""

    def hand(self, before: State, after: State, lang: Lang, doubtful: Collection[Any] = (), /) -> HandSummary:
        """What the hand came to that was begun after ``before`` and has come as far as ``after``; ``doubtful``: what of its
        ruling is not sure, as `doubtful` says it. It has a question mark."""

    def differences(self, now: State, then: State, lang: Lang, /) -> tuple[Difference, ...]:
        """What differs between two states: what everybody has, money, who has won."""

    def acts(self, lang: Lang, /) -> tuple[Act, ...]:
        """What a line put in by hand can say."""

    def cards(self, lang: Lang, /) -> tuple[tuple[str, str], ...]:
        """The kinds of cards, low to high: id and name; those of the cards' drawings. Empty: there is no grid of them."""

    def question(self, asked: Any, lang: Lang, /) -> str:
        """A `companion.referee.questions.Question` as a sentence."""

    def choice(self, asked: Any, choice: str | None, names: tuple[str, ...], lang: Lang, /) -> ChoiceText:
        """An answer to it, by its id; None: "don't know". ``names``: of all players, by place."""

    def notices(self, evening: Any, lang: Lang, /) -> tuple[str, ...]:
        """What organisers should look at in a `companion.referee.Evening`, as sentences."""

    def phone_words(self, lang: Lang, /) -> dict[str, str]:
        """What `organiser.js` of the game says, by the names it calls it by."""


class ForEditing(Protocol):
    """How a hand's acts belong together: what `companion.editing` asks when lines are told, changed or taken back."""

    @property
    def outcomes(self) -> Outcomes | None:
        """None where a hand cannot be told by its outcome alone."""

    def exchanges(self, state: State, /) -> tuple[tuple[Event, ...], ...]:
        """Acts of several events that could come next and that a camera misses as one thing."""

    def whole_acts(self, state: State, done: Event, lang: Lang, /) -> tuple[Offer, ...]:
        """Everything that the player who has ``done`` this after ``state`` could have done, each whole, with its answer and all
        that must follow at once: the likeliest first. Empty where a line says a whole act already."""

    def bridge(self, state: State, /) -> tuple[Event, ...]:
        """What must come before anything else can, in its plainest form: an answer that is awaited, say. Empty where nothing
        must."""

    def due(self, state: State, /) -> bool:
        """Whether something is due that belongs to the act before it: an answer, a draw."""

    def spelt_out(self, before: State, event: Event, /) -> tuple[Event, ...]:
        """The event, after the acts that it stands for and nobody has to say: a player who stays is left out where a later one
        acts. One after another they lead where the event alone leads."""

    def sense(self, before: State, event: Event, after: State, /) -> Hashable:
        """What an event says in its place, beyond its words: whom it answers, say, or what is paid for it. Where this is another
        value, the same line means something else."""

    def mistold(self, event: Event, /) -> Illegal | None:
        """Why nobody can mean this event, though a log may hold it: something that was typed would be passed over in silence.
        None for any other."""

    def by_itself(self, state: State, event: Event, /) -> Event | None:
        """What follows without being said, after this ``event`` has led to this ``state``: a hand's `end` once the last card was
        shown, or what the rules force. The hand may be over already. None while something else can follow."""

    def order(self, state: State, /) -> tuple[str, ...]:
        """Who plays in the hand in progress, in the order of play."""

    def together(self, events: Sequence[Event], index: int, /) -> tuple[int, int]:
        """Which of a hand's lines (start, stop) are deleted with this one, because one without the others seldom happens."""


class ForSheets(Protocol):
    """What a spreadsheet gets."""

    def hand_rows(self, moments: Sequence[Moment], lang: Lang, doubts: Doubts = ALL_SURE, /) -> Rows:
        """The hands for a spreadsheet, a row a hand and player or so; made of `Moment.seen` alone. ``doubts``: what of them is
        not sure (`companion.pages.doubts`); a row that tells of it is `Row.doubtful`."""

    def money_rows(
        self, moments: Sequence[Moment], lang: Lang, unsure: Collection[int] = (), believed: Collection[str] = (), /
    ) -> Rows:
        """The money for a spreadsheet, a row a sum; of a game without money, what everybody has in the end. ``unsure``: numbers
        of the hands whose rulings are not sure; ``believed``: the players for whom it is not sure what they have. What rests on
        one of them is a question."""


class Pages(ForEverybody, ForThePhone, ForEditing, ForSheets, Protocol):
    """How a game is shown to everybody, and kept by organisers. Pure."""

    @property
    def title(self) -> str:
        """What people call the game."""

    @property
    def clockwise(self) -> bool:
        """Whether play goes clockwise as seen from above: the players are named, and sit, in that direction."""

    @property
    def setup(self) -> Setup:
        """What the game asks for before it begins."""
