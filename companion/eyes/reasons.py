"""Why a camera, stream or video gives no pictures: each reason's code, and its sentence in English for gettext."""

from __future__ import annotations

from companion.table.errors import Reason
from companion.table.language import N_

NO_SUCH_FILE = Reason("no_such_file", N_("{source}: no such file"))
A_FOLDER = Reason("a_folder", N_("{source} is a folder: name a video file in it"))
NO_FILE = Reason("no_file", N_("{source} is a pipe or a device: name a video file"))
NO_VIDEO = Reason("no_video", N_("{source}: not a video that can be read, or it is damaged: expected MP4, MKV, …"))
NO_PICTURE = Reason("no_picture", N_("{source}: holds no picture that can be read: copy the file again"))
A_PICTURE = Reason("a_picture", N_("{source} is a picture: name a video; `companion detect` reads pictures"))
TOO_LARGE = Reason(
    "too_large", N_("{source}: pictures of {width}x{height} pixels; expected {most} million pixels or fewer: make it smaller")
)
BROKEN_OFF = Reason(
    "broken_off", N_("{source}: damaged: its pictures end after {seconds:.1f} of {length:.1f} seconds; copy the file again")
)
NOT_OPENED = Reason("not_opened", N_("{source}: cannot be opened; `companion doctor` lists the cameras of this machine"))
CAMERA_NOT_OPENED = Reason(
    "camera_not_opened", N_("camera {source}: cannot be opened; `companion doctor` lists the cameras of this machine")
)
SILENT = Reason("silent", N_("{source}: no picture for {seconds:.0f} seconds; is the camera still plugged in?"))
NO_SUCH_CAMERA = Reason("no_such_camera", N_("this machine has no camera {source}; those it has: {there}"))
NO_CAMERA_AT_ALL = Reason("no_camera_at_all", N_("this machine has no camera {source}, and no other: plug one in"))
BY_NUMBER = Reason("by_number", N_("{source} is a camera: say its number, {number}"))
BAD_ADDRESS = Reason(
    "bad_address", N_("{source}: not the address of a stream; expected one like rtsp://192.168.1.20:554/live or http://…")
)
