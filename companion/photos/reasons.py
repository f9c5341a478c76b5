"""Why a photo cannot be read. Pages translate the texts with gettext."""

from companion.table.errors import Reason
from companion.table.language import N_

NO_PICTURE = Reason("no_picture", N_("not a picture that can be read (JPEG, PNG, WebP, …), or it is damaged"))
BAD_JPEG = Reason(
    "bad_jpeg", N_("this JPEG is cut short, or made in a way that is not read here: send the photo again, or save it again")
)
TOO_LARGE = Reason("too_large", N_("a picture of more than 64 million pixels: make it smaller"))
HEIC = Reason(
    "heic",
    N_(
        "a photo in the iPhone’s own format (HEIC), which is not read here: on the iPhone choose Settings, Camera, Formats,"
        " Most Compatible, and take it again"
    ),
)
FILM = Reason("film", N_("a film, not a photo: send a photo"))
TOO_SLOW = Reason("too_slow", N_("this photo takes too long to read: save it again as JPEG, smaller"))
BUSY = Reason("busy", N_("other photos are being read just now: send it again in a moment"))

ALL = (NO_PICTURE, BAD_JPEG, TOO_LARGE, HEIC, FILM, TOO_SLOW, BUSY)
