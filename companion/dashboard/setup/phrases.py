"""The words of `/setup` for codes: of the camera's state, and of advice."""

from __future__ import annotations

from collections.abc import Sequence

from companion.dashboard.answers import why_not
from companion.line.camera import AdviceView, Amiss, CameraState, CameraStatus
from companion.table.errors import CompanionError, GameError, SourceError
from companion.table.language import Lang, catalogue, filled


def states(lang: Lang) -> dict[CameraState, str]:
    """State of the camera → its words."""
    _ = catalogue(lang).gettext
    return {
        "none": _("no camera"),
        "opening": _("opening…"),
        "live": _("working"),
        "held": _("video waiting: it starts with the game"),
        "frozen": _("its picture stands still: trying again by itself. You can go on with the phone"),
        "lost": _("lost: trying again by itself. You can go on with the phone"),
        "ended": _("the video is over"),
    }


def state_of(camera: CameraStatus, lang: Lang) -> str:
    """This camera's state in a word or two. It is not called working where something is wrong with its pictures."""
    return catalogue(lang).gettext("not seeing the table") if camera.amiss else states(lang)[camera.state]


def amiss(lang: Lang) -> dict[Amiss, str]:
    """Code of what is wrong with the camera's pictures → its words."""
    _ = catalogue(lang).gettext
    return {
        "": "",
        "black": _("Its pictures are black: is the lens covered?"),
        "nothing": _("For a minute no table, no card and no hand was seen: where does it look?"),
        "elsewhere": _("The table is not where it was, and is not followed: put the camera back, or show its corners again."),
        "other_shape": _(
            "Its pictures have another shape than the one in which the table was marked: show the four corners again."
        ),
    }


def advice(lang: Lang) -> dict[str, str]:
    """Code of what to mend, of `companion.eyes.check` or `companion.line.placewatch`, → a sentence, with blanks that `advised`
    fills. The blank ``where`` is a place in words."""
    _ = catalogue(lang).gettext
    return {
        "tiny": _("Move closer: the cards {where} are {value:.0f} pixels long, and get lost. They need 36."),
        "small": _("Move a little closer: the cards {where} are {value:.0f} pixels long; from 36 on they are read well."),
        "dark": _("Switch on a light: the table is dark ({value:.0f} of 255)."),
        "bright": _("Too much light: the table is almost white ({value:.0f} of 255). Turn a lamp or the exposure down."),
        "glare": _("A lamp is mirrored in the table ({value:.0%} of its top): move it, or the camera."),
        "blurred": _("The picture is out of focus: clean the lens, or focus on the table."),
        "slow": _("Only {value:.1f} pictures a second: close other programs. Below 4, exchanges are missed."),
        "small_there": _(
            "By the cards in sight, one {where} is about {value:.0f} pixels long; from 36 on they are read well. Move closer, or"
            " let a second camera look from the other side."
        ),
        "low_resolution": _(
            "The pictures are {value:.0f} pixels wide: with 1920x1080, if the camera has it, the cards are larger."
        ),
        "hidden": _(
            "Something is in the way {where}: hardly a card was seen there for {value:.0f} seconds. Raise the camera, or put a"
            " second one on the other side."
        ),
        "outside": _("Outside the picture: the cards {where}. Turn the camera or move it back, then show the corners again."),
        "no_cards": _("No cards in sight: lay one face down in every place."),
    }


def advised(found: Sequence[AdviceView], lang: Lang) -> list[str]:
    """The advice of the check as sentences."""
    say = advice(lang)
    return [say[one.code].format(value=one.value, where=_where(one, lang)) for one in found]


def _where(one: AdviceView, lang: Lang) -> str:
    _ = catalogue(lang).gettext
    places = (one.place,) if one.place is not None else one.places
    if len(places) > 1:
        return _("at the places {places}").format(places=", ".join(map(str, places)))
    return _("at place {place}").format(place=places[0]) if places else _("on the table")


def why(error: CompanionError, lang: Lang) -> str:
    """Why something is not possible; in English where the error has no words in this language."""
    if isinstance(error, SourceError) and error.text:
        return filled(error.text, error.values, lang)
    return why_not(error, lang) if isinstance(error, GameError) else str(error)


def why_lost(camera: CameraStatus, lang: Lang) -> str:
    """Why the camera gives no pictures, or what is wrong with them, as a sentence; "" where all is well."""
    if camera.cause is not None:
        return why(camera.cause, lang)
    if camera.amiss:
        return amiss(lang)[camera.amiss]
    return catalogue(lang).gettext("The program has had trouble with it, and goes on by itself.") if camera.reason else ""
