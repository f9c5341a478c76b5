"""Why a source gives no pictures, beside `companion.eyes.source`: each reason's code, and its sentence for gettext."""

from __future__ import annotations

from companion.table.errors import Reason
from companion.table.language import N_

AV1 = Reason(
    "av1", N_("{source}: its pictures are AV1, which is not read here; convert it: ffmpeg -i {source} -c:v libx264 {new}")
)
TOO_LONG = Reason("too_long", N_("{source}…: too long for a file or an address: give a camera’s number, an address or a video"))
NO_NAME = Reason("no_name", N_("{source}: no file can be called that: give a camera’s number, an address or a video file"))
ALL_BLACK = Reason(
    "all_black", N_("{source}: all its pictures are black: is the lens covered? Is it another film that was meant?")
)
NOTHING_SEEN = Reason(
    "nothing_seen",
    N_("{source}: no table, no card and no hand was ever seen in it: is it another film that was meant?"),
)
OTHER_SHAPE = Reason(
    "other_shape",
    N_(
        "{source}: its pictures are {width}x{height} as shown, and the table was marked in one of {told_width}x{told_height}:"
        " expected the same shape; mark the table in a picture of this film"
    ),
)
NO_LINK = Reason("no_link", N_("{source}: this camera is not plugged in; “companion doctor” lists the cameras of this machine"))
BARE_LETTER = Reason(
    "bare_letter", N_("{source}: the name or the password has “{letter}” in it, which ends an address: write {code} in its place")
)
NO_SCHEME = Reason("no_scheme", N_("a stream’s address begins with {scheme}://: write {source}"))
WRONG_PASSWORD = Reason("wrong_password", N_("{source}: the camera refuses the name or the password in this address"))
NEEDS_PASSWORD = Reason(
    "needs_password", N_("{source}: the camera wants a name and a password: write NAME:PASSWORD@ behind {scheme}://")
)
HIDDEN_PASSWORD = Reason(
    "hidden_password", N_("{source}: write the name and the password, as anna:secret, in place of “{hidden}”")
)
A_PAGE = Reason("a_page", N_("{source}: a web page, to log in perhaps, and no video: give the address of the camera’s stream"))
REDIRECTED = Reason("redirected", N_("{source}: the camera sends on to a web page, {onto}: give the address of its stream"))
NOT_THERE = Reason(
    "not_there", N_("{source}: the camera knows no such address (it answers {status}): its manual tells the stream’s")
)
