"""A camera whose pictures nobody took: it answers what a test lays before it."""

from __future__ import annotations

from msgspec import structs

from companion.games.stu.rules.log import Game
from companion.ledger import Ledger
from companion.line.camera import CameraHealth, CameraStatus, CheckView, FoundCorners, Lie, Point, SourceView
from companion.line.recorder import EveningRecorder
from companion.line.tablefile import parse_table_file
from companion.table.errors import CompanionError

JPEG = b"\xff\xd8 a picture \xff\xd9"


class FakeView:
    """See `companion.line.camera.FurtherView`."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.lie: Lie | None = None
        self.state = CameraStatus("", "none")
        self.found: FoundCorners | None = None
        self.seen: CheckView | None = None

    def choose(self, source: str) -> None:
        self.state = CameraStatus(source, "live", size=(1280, 720)) if source else CameraStatus("", "none")
        self.lie = self.lie if source else None

    def show(self, lie: Lie) -> None:
        self.lie = lie

    def status(self) -> CameraStatus:
        return self.state

    def health(self) -> CameraHealth:
        return CameraHealth(self.state.state, self.lie is not None)

    def jpeg(self, width: int) -> bytes | None:
        return JPEG + bytes([self.number]) if self.state.size else None

    def corners(self) -> FoundCorners | None:
        return self.found

    def check(self, corners: tuple[Point, ...], places: tuple[Point, ...]) -> CheckView | None:
        return self.seen


class FakeCamera:
    """See `companion.line.camera.Camera`. What it shows is set on it; what is begun is recorded in the ledger."""

    def __init__(self, ledger: Ledger) -> None:
        self.ledger = ledger
        self.state = CameraStatus("", "none")
        self.asked: list[tuple[str, str]] = []
        self.rested: list[bool] = []
        self.found: FoundCorners | None = None
        self.seen: CheckView | None = None
        self.faces: tuple[str | None, ...] = ()
        self.begun: tuple[Game, bytes | None] | None = None
        self.gone_on: tuple[int, bytes | None] | None = None
        self.refuses: CompanionError | None = None
        self.recorder: EveningRecorder | None = None
        self.corners_moved: tuple[tuple[Point, ...], tuple[int, int]] | None = None
        self.further = (FakeView(2), FakeView(3))

    def placed(self) -> tuple[tuple[str, ...], Lie] | None:
        if self.begun is None or self.begun[1] is None:
            return None
        table = parse_table_file(self.begun[1]).table
        places = tuple(seat.place for seat in table.players)
        return tuple(seat.name for seat in table.players), Lie(table.image_size, table.corners, places, places)

    def take_up(self, game: int) -> None: ...

    def sources(self) -> tuple[SourceView, ...]:
        return (SourceView("0", "Webcam", (1280, 720)), SourceView("2", "Phone", (1920, 1080)))

    def refused(self, source: str) -> CompanionError | None:
        return self.refuses

    def choose(self, source: str) -> None:
        self.state = CameraStatus(source, "live", size=(1280, 720), per_second=9.8)

    def status(self) -> CameraStatus:
        return self.state

    def health(self) -> CameraHealth:
        return CameraHealth(self.state.state, self.begun is not None, 0.1, 9.8, 2, 300_000_000)

    def jpeg(self, width: int) -> bytes | None:
        return JPEG if self.state.size else None

    def corners(self) -> FoundCorners | None:
        return self.found

    def check(self, corners: tuple[Point, ...], places: tuple[Point, ...]) -> CheckView | None:
        return self.seen

    def shown(self, places: tuple[Point, ...]) -> tuple[str | None, ...]:
        return (*self.faces, *(None,) * len(places))[: len(places)]

    def play_with(self, deck: str, cards: str) -> None:
        self.asked.append((deck, cards))
        if cards == "french":  # pedine: known beside the deck that is played with
            return
        self.state = structs.replace(self.state, deck=deck)

    def begin(self, game: Game, table: bytes | None, deck: str = "", **notes: str) -> int:
        self.begun = game, table
        self.state = structs.replace(self.state, deck=deck)
        self.recorder = EveningRecorder.begin(self.ledger, game, self.state.source, **notes)
        return self.recorder.game_id

    def rest(self, on: bool) -> None:
        self.rested.append(on)

    def leave(self) -> None:
        self.recorder = None

    def go_on(self, game: int, table: bytes | None, deck: str = "") -> None:
        self.state = structs.replace(self.state, deck=deck)
        self.recorder = EveningRecorder.resume(self.ledger, game)
        self.gone_on = game, table
        self.ledger.take_up(game)

    def moved(self, corners: tuple[Point, ...], size: tuple[int, int]) -> None:
        if self.begun is None:
            raise CompanionError("no game is followed")
        self.corners_moved = corners, size
