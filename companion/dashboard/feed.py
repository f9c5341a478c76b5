"""The way from the ledger to the pages: the newest version of the shown game, replayed once for all of them."""

from __future__ import annotations

import dataclasses
import logging
import threading
from bisect import bisect_right
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field

from msgspec.structs import replace

from companion.dashboard.settings import CurrentShows, Settings
from companion.games import Game, first_game, game_of_log
from companion.ledger import Ledger, Trouble
from companion.ledger.versions import common_start
from companion.line.chains import Stands, games_before, stands_before
from companion.line.recorder import MISSED, decode_missed
from companion.pages.commentary import MAX_HANDS, announced
from companion.pages.correcting import corrected, corrected_hand
from companion.pages.moments import Moment, follow, settled, told_lines
from companion.pages.ruling import as_sure_as_its_end, believed
from companion.pages.sets import sets_in
from companion.pages.settling import Before, accounts_of, settling, won_last
from companion.pages.view import SetView, View, ViewSettings
from companion.table.errors import GameError
from companion.table.language import LANGS, Lang, catalogue
from companion.table.log import Line, write_lines
from companion.table.people import name_key
from companion.table.setting import set_said
from companion.table.text import listed, not_seen

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Snapshot:
    """One game at one version of its log, with what its pages show.

    Attributes:
        revision: the version at which something shown was last corrected, or the first version that was shown; 0 where nothing
            can have been corrected.
        corrected: what the last correction has changed, as sentences in each language. corrected_hand: the number of its hand.
        missed: number of a hand → for how many seconds of it nothing could be seen.
        since: when the game was begun, Unix time, seconds.
        before: the games from which this one goes on with other people, the latest first; None: nobody has looked for them.
        was: the moments before the last correction, kept until a hand has ended since.
        hands_then, begun_then: how many hands were over, or had begun, at that correction.
    """

    game_id: int | None
    version: int
    game: Game
    moments: tuple[Moment, ...]
    settings: Settings
    revision: int = 0
    corrected: Mapping[Lang, tuple[str, ...]] = field(default_factory=dict)
    corrected_hand: int = 0
    missed: Mapping[int, float] = field(default_factory=dict)
    since: float = 0.0
    before: tuple[Before, ...] | None = None
    was: tuple[Moment, ...] = field(default=(), repr=False, compare=False)
    hands_then: int = field(default=0, repr=False, compare=False)
    begun_then: int = field(default=0, repr=False, compare=False)
    _views: dict[Lang, View] = field(default_factory=dict, init=False, repr=False, compare=False)

    @property
    def id(self) -> str:
        """The game and the version, such as "3.17"."""
        return named(self.game_id, self.version)

    @property
    def settled(self) -> Sequence[Moment]:
        """The moments, as far as a page shows them and the voice calls them (`companion.pages.moments.settled`)."""
        return settled(self.game.rules, self.moments)

    def view(self, lang: Lang) -> View:
        """The view of a page in this language, made once."""
        if lang not in self._views:
            self._views[lang] = self._view(lang)
        return self._views[lang]

    def _view(self, lang: Lang) -> View:
        moments = self.settled
        made = as_sure_as_its_end(self.game.pages.view(moments, lang, self.settings.view))
        missed = not_seen(self.missed.get(made.hand, 0.0), lang)
        news = announced(self.game.rules, self.game.pages, moments, made, lang, self.settings.view.sure_from)
        between = bool(moments) and not self.game.rules.in_hand(moments[-1].seen) and made.status != "won"
        stands = self.game.pages.standing(moments[-1].seen, believed(made), lang) if between else ()
        if made.accounts:
            accounts = accounts_of(self.game.pages, moments[-1].seen, made, self.before, lang)
            paid = settling(self.game.pages, moments[-1].seen, made, accounts.whole or accounts.own, lang)
            made = replace(made, accounts=accounts.own, whole=accounts.whole, part=accounts.part, settling=paid)
            if last := won_last(made.whole, made.winner, lang):
                title = catalogue(lang).gettext("The winner of the last part")
                made = replace(made, message=last)
                news = tuple(replace(one, title=title) if one.kind == "won" else one for one in news)
        others = self.before[0].players if self.before else ()
        if others and between and not self.game.rules.hands(moments[-1].seen):
            made = replace(made, happened=come_and_gone(others, self.game.rules.names(moments[-1].seen), lang))
        return replace(
            made, standing=stands, game=self.game_id or 0, revision=self.revision,
            corrected=self.corrected.get(lang, ()), corrected_hand=self.corrected_hand, missed=missed,
            announced=news, sets=self.sets(lang),
        )  # fmt: skip

    def sets(self, lang: Lang) -> tuple[SetView, ...]:
        """Each time that the table has set how the game stands, between two hands."""
        pages, found = self.game.pages, sets_in(self.game.rules, self.moments)
        worded = ((one, pages.set_parts(one.now, one.event, lang)) for one in found)
        return tuple(SetView(one.after, one.event.names, parts, set_said(parts, one.event, lang)) for one, parts in worded)

    def log(self) -> bytes:
        """The table log as everybody has seen the game."""
        return write_lines(line for moment in self.moments for line in moment.lines)


class Feed:
    """The game of a ledger that the pages show. Any thread may ask. Raises LedgerError."""

    def __init__(self, ledger: Ledger, settings: Settings) -> None:
        self._ledger = ledger
        self.settings = settings
        self.shows = CurrentShows(settings, ledger, self.game_id)
        self._lock = threading.Lock()
        self._lines: Sequence[Line] = ()
        self._stands: Stands = ()
        self._newest = Snapshot(None, 0, first_game(), (), settings)
        self._stopped = False
        self.notices_mark: Callable[[], Hashable] = tuple
        """Gives a value that differs once the notices for the table do. Set by the part of the application that has the
        notices."""

    def snapshot(self) -> Snapshot:
        """The shown game as it stands. Raises LedgerError, and UnknownGame where the settings name no game of the ledger."""
        with self._lock:
            game_id = self.game_id()
            if game_id is None:
                if self._newest.game_id is not None:  # it was deleted
                    self._lines, self._newest = (), Snapshot(None, 0, first_game(), (), self.settings)
                return self._newest
            version, lines = self._ledger.at(game_id)
            stands = stands_before(self._ledger, game_id)
            if game_id != self._newest.game_id or stands != self._stands:
                before = games_before(self._ledger, stands, self.settings.view.sure_from)
                self._stands = stands
            else:
                before = self._newest.before or ()
            if (game_id, version) != (self._newest.game_id, self._newest.version):
                missed = decode_missed(self._ledger.notes(game_id).get(MISSED, "{}"))
                gone = gone_on(self._newest, self._lines, (game_id, version), lines, missed)
                same = game_id == self._newest.game_id
                since = self._newest.since if same else self._ledger.started(game_id)
                self._newest, self._lines = dataclasses.replace(gone, since=since), lines
            if self._newest.before != before:
                self._newest = dataclasses.replace(self._newest, before=before)
            return self._newest

    def foreseen(self, lines: Sequence[Line]) -> Snapshot:
        """The shown game as it would be with this log. Raises what `snapshot` raises."""
        now = self.snapshot()
        with self._lock:
            same = min(common_start(self._lines, lines), len(now.moments)) if now is self._newest else 0
        return dataclasses.replace(now, moments=replayed(now.game, lines[same:], now.moments[:same]))

    def wait(self, news: Callable[[], bool], timeout: float) -> bool:
        """Wait until ``news`` returns True, at most ``timeout`` seconds; it is called whenever the ledger has changed. Returns
        False where the server ends. Raises LedgerError when the ledger has been closed."""
        self._ledger.wait_until(lambda: self._stopped or news(), timeout)
        return not self._stopped

    @property
    def trouble(self) -> Trouble | None:
        """What is wrong with the ledger's disk; None while it takes what is recorded."""
        return self._ledger.trouble

    def stop(self) -> None:
        """Let `wait` return False from now on: the server ends."""
        self._stopped = True

    def game_id(self) -> int | None:
        """The ledger's id of the shown game, None where there is none yet. Raises LedgerError."""
        return self.settings.game if self.settings.game is not None else self._ledger.newest()

    def newest_id(self) -> str:
        """The `Snapshot.id` that a snapshot would have now. Cheap: nothing is replayed."""
        game_id = self.game_id()
        return named(game_id, self._ledger.version(game_id) if game_id is not None else 0)


def come_and_gone(before: Sequence[str], now: Sequence[str], lang: Lang) -> tuple[str, ...]:
    """Who sat down and who went home between two games at a table, as at most two sentences; none where only the seats have
    changed, or how a name is written. ``before``, ``now``: the players' names."""
    say = catalogue(lang)
    came, gone = ([name for name in these if name not in those] for these, those in ((now, before), (before, now)))
    same = {name_key(name) for name in came} & {name_key(name) for name in gone}
    came, gone = ([name for name in these if name_key(name) not in same] for these in (came, gone))
    sits = say.ngettext("{names} sits down at the table", "{names} sit down at the table", len(came))
    goes = say.ngettext("{names} goes home", "{names} go home", len(gone))
    said = [text.format(names=listed(names, lang)) for text, names in ((sits, came), (goes, gone)) if names]
    return tuple(said)


def named(game_id: int | None, version: int) -> str:
    """The `Snapshot.id` of a game at a version, such as "3.17"; "0.0" where there is no game."""
    return f"{game_id or 0}.{version}"


def gone_on(
    before: Snapshot, before_lines: Sequence[Line], at: tuple[int, int], lines: Sequence[Line], missed: Mapping[int, float]
) -> Snapshot:
    """The snapshot of the game and version ``at``, whose log has these ``lines``. ``before``, ``before_lines``: the last snapshot
    and its lines; what both logs begin with is not replayed again."""
    (game_id, version), game = at, game_of_log(lines)
    # A correction changes the log from some line on: what comes before need not be replayed.
    other = game_id != before.game_id or before_lines[:1] != lines[:1]  # or its players have other names
    same = 0 if other else common_start(before_lines, lines)
    moments = replayed(game, lines[min(same, len(before.moments)) :], before.moments[:same])
    view = before.settings.view
    found = _corrected(game, before.moments, moments, view) if not other and same < len(before_lines) else {}
    hands = game.rules.hands(moments[-1].seen) if moments else 0
    begun = hands + (game.rules.in_hand(moments[-1].seen) if moments else 0)
    if found:
        hand = corrected_hand(game.rules, before.moments, moments)
        shown = Snapshot(game_id, version, game, moments, before.settings, version, found, hand, missed)
        return dataclasses.replace(shown, was=before.moments, hands_then=hands, begun_then=begun)
    revision = before.revision if game_id == before.game_id else version if version > 1 else 0
    shown = Snapshot(game_id, version, game, moments, before.settings, revision, missed=missed)
    was, said = before.was, {} if other or begun - before.begun_then >= MAX_HANDS else before.corrected
    if said and ((_corrected(game, was, moments, view) != said) if was else hands <= before.hands_then):
        said = {}  # it was taken back, or done again
    if not said:
        return shown
    if hands > before.hands_then:
        was = ()  # what follows once a hand has ended changes nothing of what was corrected before
    return dataclasses.replace(
        shown, corrected=said, corrected_hand=before.corrected_hand, was=was, hands_then=before.hands_then,
        begun_then=before.begun_then,
    )  # fmt: skip


def replay_step(whole: Snapshot, line: int | None) -> tuple[Snapshot, int, tuple[int, ...]]:
    """The game as it was after this ``line`` (a number from 1; None: the last), which of the replay's steps that is, from 1, and
    the lines at which they are."""
    lines = told_lines(whole.moments) or (1,)
    step = len(lines) if line is None else max(bisect_right(lines, line), 1)
    upto = lines[step - 1]
    return dataclasses.replace(whole, version=upto, moments=whole.moments[:upto]), step, lines


def _corrected(game: Game, was: Sequence[Moment], moments: Sequence[Moment], view: ViewSettings) -> dict[Lang, tuple[str, ...]]:
    """What the new ``moments`` correct of those that ``was`` shown, as sentences in each language; empty where nothing."""
    found = {lang: corrected(game.rules, game.pages, was, moments, lang, view) for lang in LANGS}
    return found if any(found.values()) else {}


def replayed(game: Game, lines: Sequence[Line], before: Sequence[Moment] = ()) -> tuple[Moment, ...]:
    """The moments ``before``, and those of these lines after them. The replay ends at the first line that cannot have happened;
    what comes before that line stays shown."""
    moments = list(before)
    try:
        for moment in follow(game.rules, game.pages, lines, moments[-1] if moments else None):
            moments.append(moment)  # noqa: PERF402 (what came before the error is kept)
    except GameError as error:
        _log.warning("the recorded game stops at line %d: %s", len(moments) + 1, error)
    return tuple(moments)
