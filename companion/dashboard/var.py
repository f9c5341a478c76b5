"""VAR: the seconds of video that decided a ruling, shown on the TV when an organiser asks for them; and some pictures beside a
question, on the organiser's phone.

The TV gets only pictures in which faces that nobody was shown are covered (`companion.line.cover`), and only of the hand that an
organiser has asked for, as long as it is shown.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Collection, Iterator, Sequence
from threading import Lock
from typing import Literal

from flask import Blueprint, Flask, Response, abort, current_app, request
from flask.typing import ResponseReturnValue
from msgspec import Struct

from companion.dashboard.answers import answer, posted, refused
from companion.dashboard.endpoint import JPEG, REFUSALS, TEXT, documented
from companion.dashboard.feed import Feed, Snapshot
from companion.dashboard.locale import chosen
from companion.dashboard.organiser.context import answered, organiser_context
from companion.dashboard.organiser.editor import CurrentEvening, NoGame
from companion.dashboard.organiser.guard import organiser_only
from companion.dashboard.organiser.phone_view import ORGANISERS
from companion.line.cover import LASTING_SECONDS, covered, uncovered
from companion.line.footage import Footage, Still
from companion.pages.moments import is_sure
from companion.referee.chapter import Chapter
from companion.referee.clips import Clip
from companion.referee.questions import questions
from companion.referee.verdict import (
    NotShown,
    Verdict,
    corrected_from,
    filmed,
    opened,
    read_as,
    told_alone,
    told_since,
    unseen_as,
    verdict,
)  # fmt: skip
from companion.table.errors import GameError, NotKept
from companion.table.language import LANGS, Lang, catalogue
from companion.table.renaming import names_of
from companion.table.text import perhaps

MIN_STILLS = 3
"""Number of pictures that make a video; a cut with fewer is left out."""
MOMENT_BEFORE_SECONDS, MOMENT_AFTER_SECONDS = 2.0, 2.5
"""Seconds before and after the time that a question asks about."""
MAX_COVERED_KEPT = 200
"""Number of covered pictures that are kept for the next page that asks for them, about 12 MB."""
MAX_ZOOMS = 2
"""Number of places that are shown large at the end of a video."""
VERDICT_SECONDS = 4.0
"""Seconds for which the verdict stays, at either speed; longer where there is more to read."""
LETTERS_PER_SECOND = 12
"""How fast one reads from across a room; subtitles at the cinema take 15 to 17."""

var = Blueprint("var", __name__)


class StillView(Struct, frozen=True):
    """A picture: its ``id``, and ``t``, seconds into its cut."""

    id: int
    t: float


class CutView(Struct, frozen=True):
    """One piece of video: how long it is, what happened in it, a sentence each, and its pictures in order."""

    seconds: float
    says: tuple[str, ...]
    stills: tuple[StillView, ...]


class ZoomView(Struct, frozen=True):
    """A ``place`` (from 0) as it is shown large, in the picture with this ``id``."""

    id: int
    place: int


class VerdictView(Struct, frozen=True):
    """How the video ends: the ``verdict``, the places that decided, large, and for how many ``seconds``. ``says``: why it
    is "unseen", what the pictures show differently from how it stands, or do not show of what stands, a sentence each."""

    verdict: Verdict
    zooms: tuple[ZoomView, ...]
    says: tuple[str, ...]
    seconds: float = VERDICT_SECONDS


class VideoView(Struct, frozen=True):
    """The video of a hand. ``hand``: its id; ``n``: its number, from 1; ``sure``: so is its ruling, as `RulingView.sure`;
    ``verdict``: how it ends, None while the hand goes on; ``seconds``: of the cuts, without it."""

    hand: int
    n: int
    sure: bool
    seconds: float
    cuts: tuple[CutView, ...]
    verdict: VerdictView | None


class VarWish(Struct, frozen=True, forbid_unknown_fields=True):
    """Show the video of this ``hand`` (its id) on the TV, None: show none any more. ``slow``: at half speed."""

    hand: int | None
    slow: bool = False


class Video:
    """What the pages with video of one application share. Every method may be called from any thread."""

    def __init__(self, feed: Feed, footage: Footage) -> None:
        self.feed, self.footage = feed, footage
        self._lock = Lock()
        self._made: OrderedDict[tuple[object, ...], bytes] = OrderedDict()

    def view(self, current: CurrentEvening, chapter: Chapter, lang: Lang) -> VideoView | str:
        """The video of a hand, or why there is none: a code of `companion.dashboard.answers.PAGE`."""
        if not self.footage.keeps:
            return "no_video"
        if not chapter.played or not current.game.pages.hand(chapter.before, chapter.after, lang).pays:
            return "no_ruling"
        found = filmed(chapter)
        if not found:
            return "not_filmed"
        made, shown_cuts = [], []
        for cut in found:
            places = _places(current, chapter, cut.lines)
            film = self.footage.seeing(current.game_id, cut.since, cut.until, places)
            stills = film.between(current.game_id, cut.since, cut.until)
            if len(stills) >= MIN_STILLS:
                since = stills[0].t
                shown = tuple(StillView(one.number, round(one.t - since, 2)) for one in stills)
                made.append(CutView(round(stills[-1].t - since + 0.2, 2), self._says(current, chapter, cut, lang), shown))
                shown_cuts.append((cut, stills))
        if not made:
            return "video_gone"
        n = current.game.rules.hands(chapter.before) + 1
        sure = chapter.probability is None or chapter.probability >= self.feed.settings.sure_from
        ends = self._verdict(current, chapter, shown_cuts, lang, whole=len(made) == len(found))
        return VideoView(chapter.id, n, sure, round(sum(one.seconds for one in made), 2), tuple(made), ends)

    def _verdict(
        self, current: CurrentEvening, chapter: Chapter, shown: Sequence[tuple[Clip, Sequence[Still]]], lang: Lang, *,
        whole: bool,
    ) -> VerdictView | None:
        """How the video ends; None while the hand goes on. ``shown``: the cuts of the video; ``whole``: they show all that
        decided the hand.

        A ruling is called confirmed only where the pictures show all the deciding places uncovered. A correction needs no
        picture: somebody has made it."""
        said = verdict(chapter, self.feed.settings.sure_from)
        if said is None:
            return None
        wanted: dict[int, tuple[float, Sequence[Still]]] = {}
        disputed = read_as(chapter) if said == "corrected" else ()
        latest = [(cut, stills, line) for cut, stills in reversed(shown) for line in reversed(cut.lines)]
        for cut, stills, line in sorted(latest, key=lambda one: one[2] not in disputed):
            for place in _places(current, chapter, (line,)):
                wanted.setdefault(place, (chapter.lines[line].t or cut.since, stills))
        zooms = []
        for place, (since, stills) in list(wanted.items())[:MAX_ZOOMS]:
            then = [one for one in stills if one.t >= since]
            still = next((one for one in reversed(then) if self._uncovered(current.game_id, chapter, one, place)), None)
            if still is not None:
                zooms.append(ZoomView(still.number, place))
        seen = bool(zooms) and len(zooms) == min(len(wanted), MAX_ZOOMS)
        why: NotShown | Literal["gone", "covered"] | None = unseen_as(chapter, self.feed.settings.sure_from)
        if said == "confirmed" and not (whole and seen):
            said, why = "unseen", "covered" if whole else "gone"
        # The TV's language is not the phone's.
        says = {one: (*_unseen(why, one), *_besides(current, chapter, said, one)) for one in LANGS}
        seconds = max(VERDICT_SECONDS, *(VERDICT_SECONDS / 2 + sum(map(len, one)) / LETTERS_PER_SECOND for one in says.values()))
        return VerdictView(said, tuple(zooms), says[lang], round(seconds, 1))

    def _uncovered(self, game: int, chapter: Chapter, still: Still, place: int) -> bool:
        """Whether this place (from 0) is shown uncovered in this picture."""
        looks = self.footage.film_of(still).looks(game, still.t, LASTING_SECONDS)
        return uncovered(still, looks, opened(chapter, still.t), place)

    def still(self, game: int, chapter: Chapter, still: Still, places: Sequence[int] | None = None) -> bytes:
        """A picture of this hand with all faces covered that nobody was shown, as JPEG: the part around ``places``, or the whole
        table where that is None."""
        shown = opened(chapter, still.t)
        key = game, still.number, tuple(sorted((place, *sorted(kinds)) for place, kinds in shown.items())), places
        with self._lock:
            if key in self._made:
                self._made.move_to_end(key)
                return self._made[key]
        film = self.footage.film_of(still)
        jpeg = covered(still, film.looks(game, still.t, LASTING_SECONDS), shown, places)
        if still.t > film.looked(game) - LASTING_SECONDS:
            return jpeg  # a face that lies there for long is shown once that is seen
        with self._lock:
            self._made[key] = jpeg
            while len(self._made) > MAX_COVERED_KEPT:
                self._made.popitem(last=False)
        return jpeg

    def erase(self, game: int) -> None:
        """Delete all pictures of this game, also those on the disk."""
        self.footage.erase(game)
        with self._lock:
            self._made.clear()

    def _says(self, current: CurrentEvening, chapter: Chapter, cut: Clip, lang: Lang) -> tuple[str, ...]:
        """What happened in a cut, as everybody has seen it; of a corrected line what the camera saw, if that lay open. Nothing
        while the game has changed meanwhile."""
        snapshot = self.feed.snapshot()
        if (snapshot.game_id, snapshot.version) != (current.game_id, current.version):
            return ()
        told, first, said = told_alone(chapter), _first_line(current, chapter), list[str]()
        for line in sorted({*cut.lines}):
            by = getattr(chapter.lines[line].event, "by", None)
            said += _saw(current, chapter, lang, by) if line in told else _sentence(snapshot, first + line, lang)
        return tuple(said)


def _unseen(why: NotShown | Literal["gone", "covered"] | None, lang: Lang) -> Iterator[str]:
    """Why the pictures show nothing of it, a sentence. None where no camera was there: then there are no pictures either."""
    _ = catalogue(lang).gettext
    match why:
        case "gone":
            yield _("A part of the video is gone")
        case "covered":
            yield _("Not all cards that decided can be seen in the pictures")
        case NotShown.OUTCOME_TOLD:
            yield _("Only the outcome was told")
        case NotShown.VOID:
            yield _("The hand is void")
        case NotShown.UNSURE:
            yield _("The camera is not sure of it")
        case NotShown.NO_END:
            yield _("The camera did not see how the hand ended")


def _besides(current: CurrentEvening, chapter: Chapter, said: Verdict, lang: Lang) -> Iterator[str]:
    """Sentences beside the verdict that say what the pictures do not show, or show differently."""
    _, chapters = catalogue(lang).gettext, current.evening.chapters
    if said == "corrected":
        yield from (_("The camera saw: {what}").format(what=one) for one in _saw(current, chapter, lang))
    at = chapters.index(chapter)
    if said != "unseen" and told_since(chapter, chapters[at + 1] if at + 1 < len(chapters) else None):
        yield _("What was entered after the hand is in no picture")


def _saw(current: CurrentEvening, chapter: Chapter, lang: Lang, *by: str | None) -> Iterator[str]:
    """The cards that the eyes alone saw laid open, and that are others now: of these players, or of all."""
    for before, event, after in corrected_from(chapter):
        if not by or event.by in by:
            yield current.game.pages.line_text(before, event, after, lang)


def _places(current: CurrentEvening, chapter: Chapter, lines: Collection[int]) -> tuple[int, ...]:
    """The places (from 0) of the players named in the lines of a hand with these indices."""
    names = current.game.rules.names(chapter.before)
    named = frozenset[str]().union(*(names_of(chapter.lines[line].event) for line in lines))
    return tuple(place for place, name in enumerate(names) if name in named)


def _first_line(current: CurrentEvening, chapter: Chapter) -> int:
    """The index of the hand's first line in the whole log."""
    at = current.evening.chapters.index(chapter)
    return 1 + sum(len(one.lines) for one in current.evening.chapters[:at])


def _sentence(snapshot: Snapshot, index: int, lang: Lang) -> Iterator[str]:
    """What everybody has seen of a line of the whole log."""
    moments = snapshot.moments
    if 0 < index < len(moments) and (now := moments[index]).event is not None:
        said = snapshot.game.pages.line_text(moments[index - 1].seen, now.event, now.seen, lang)
        yield perhaps(said, sure=is_sure(now, snapshot.settings.view.sure_from))


def install(app: Flask, feed: Feed, footage: Footage | None) -> None:
    """Add `/api/var/…` for the TV, `/api/organiser/var` and `/api/organiser/moment` for phones; `organiser.pages` comes first.
    ``footage``: None where the program has no camera."""
    app.extensions["video"] = Video(feed, footage if footage is not None else Footage(0))
    app.register_blueprint(var)


def _video() -> Video:
    found: Video = current_app.extensions["video"]
    return found


def _shown(hand: int) -> tuple[CurrentEvening, Chapter]:
    """The hand with this id; aborts with 404 where the TV does not show its video now."""
    shown = _video().feed.shows.now.var
    if shown is None or shown.hand != hand:
        abort(404, "no video of this hand is shown now: an organiser can ask for it")
    try:
        current = organiser_context().editor.stands()
        return current, current.evening.chapter(hand)
    except (NoGame, NotKept, GameError, KeyError):
        abort(404, "there is no such hand")


def erase_video(game: int) -> None:
    """Delete all pictures of this game (the ledger's id), in memory and on the disk."""
    _video().erase(game)


@var.get("/api/var/<int:hand>")
@documented(answer=VideoView)
def video(hand: int) -> ResponseReturnValue:
    """While an organiser has it shown: [the video](#api-var) of the hand with this id. 404: it is not shown."""
    current, chapter = _shown(hand)
    found = _video().view(current, chapter, chosen())
    if isinstance(found, str):
        abort(404, "the video is gone")
    return answer(found)


@var.get("/api/var/<int:hand>/<int:still>.jpg")
@documented(answer=JPEG, query={"place": TEXT})
def picture(hand: int, still: int) -> ResponseReturnValue:
    """One of its pictures: the table top, with every face covered that was not shown to everybody; `?place=2`: the part around
    this place, from 0. 404 as above."""
    current, chapter = _shown(hand)
    found = _video().footage.find(current.game_id, still)
    if found is None or not any(cut.since <= found.t <= cut.until for cut in filmed(chapter)):
        abort(404, "no picture of what decided this hand")
    asked = request.args.get("place")
    if asked is not None and asked not in map(str, range(len(found.places))):
        abort(404, "no such place at this table")
    around = None if asked is None else (int(asked),)
    return Response(_video().still(current.game_id, chapter, found, around), mimetype="image/jpeg")


@var.post("/api/organiser/var")
@documented(body=VarWish, answer=ORGANISERS, also=REFUSALS)
@organiser_only
def play() -> ResponseReturnValue:
    """[Video of a hand](#var) on the TV, or no more of it."""
    wish = posted(VarWish)

    def done() -> Response:
        context, shows = organiser_context(), _video().feed.shows
        if wish.hand is None:
            shows.end_video()
        else:
            current = context.editor.stands()
            found = _video().view(current, current.evening.chapter(wish.hand), chosen())
            if isinstance(found, str):
                return refused(found, 404)
            ends = found.verdict.seconds if found.verdict is not None else 0.0
            shows.show_video(found.hand, found.seconds, slow=wish.slow, still=ends)
        return answer(context.view(chosen()))

    return answered(done)


@var.get("/api/organiser/moment")
@documented(answer=list[StillView], query={"question": TEXT}, also=(404, 409))
@organiser_only
def moment() -> ResponseReturnValue:
    """`?question=` as above: the pictures of the moment, `[{"id", "t"}, …]`, `t` in seconds from the first; empty: none are
    kept."""

    def found() -> Response:
        moment_asked = _asked()
        stills = moment_asked[2] if moment_asked is not None else ()
        since = stills[0].t if stills else 0.0
        return answer([StillView(one.number, round(one.t - since, 2)) for one in stills])

    return answered(found)


@var.get("/api/organiser/moment/<int:still>.jpg")
@documented(answer=JPEG, query={"question": TEXT}, also=(404, 409))
@organiser_only
def moment_picture(still: int) -> ResponseReturnValue:
    """One of them: the part around the players asked about, covered as on the TV. 404: gone."""

    def found() -> Response:
        moment_asked = _asked()
        one = next((one for one in moment_asked[2] if one.number == still), None) if moment_asked is not None else None
        if moment_asked is None or one is None:
            return refused("gone", 404)
        game, chapter, _, places = moment_asked
        response = Response(_video().still(game, chapter, one, places), mimetype="image/jpeg")
        response.headers["Cache-Control"] = "no-store"
        return response

    return answered(found)


def _asked() -> tuple[int, Chapter, tuple[Still, ...], tuple[int, ...]] | None:
    """The game, the hand, the pictures and the places (from 0) of the question that the address asks for; None where there is no
    such question."""
    current = organiser_context().editor.stands()
    found = {one.id: one for one in questions(current.evening)}.get(request.args.get("question", ""))
    if found is None or found.unseen:
        return None
    since, until = found.t - MOMENT_BEFORE_SECONDS, found.t + MOMENT_AFTER_SECONDS
    stills = _video().footage.seeing(current.game_id, since, until, found.places).between(current.game_id, since, until)
    places = tuple(place for place in found.places if all(place < len(one.places) for one in stills))
    chapter = current.evening.chapter(found.hand)
    return current.game_id, chapter, stills if len(stills) >= MIN_STILLS and places else (), places
