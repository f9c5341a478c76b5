"""Every setting of the dashboard, with its unit and what it is for, in this one place."""

from __future__ import annotations

from dataclasses import Field, dataclass, field, fields
from typing import Any

from companion.table.sure import SURE_FROM
from companion.table.view import ViewSettings


def setting(default: Any, unit: str, help: str) -> Any:
    """A field of `Settings` that says its unit ("" where it has none) and what it does."""
    return field(default=default, metadata={"unit": unit, "help": help})


@dataclass(frozen=True, slots=True)
class Settings:
    """How the dashboard behaves; made once, when the application is."""

    game: int | None = setting(None, "id", "show this game of the ledger; the newest one when None")
    lang: str = setting("it", "it | en", "language of a page that has not chosen one")
    sure_from: float = setting(SURE_FROM, "probability", "a ruling whose `end` line says less than this is shown as unsure")
    happened: int = setting(6, "lines", "how many lines of commentary the view carries")
    heartbeat: float = setting(5.0, "s", "how often a quiet stream says that it is alive")
    patience: float = setting(12.0, "s", "silence after which a page says that the connection is lost, and connects again")
    retry: float = setting(1.0, "s", "how long a browser waits before it opens a broken stream again")
    listeners: int = setting(1200, "pages", "how many pages may follow the stream at once; the others ask every few seconds")
    reserved: int = setting(50, "pages", "how many of them only paired phones and this machine's own browser may be")
    threads: int = setting(4, "threads", "threads that make answers; paired phones have as many of their own")
    moviola_after: float = setting(0.0, "s", "how long after a hand the TV plays the moviola, until the next one; 0: never")
    moviola_step: float = setting(2.5, "s", "how long a step of the moviola stays")
    corrected: float = setting(10.0, "s", "how long the TV says what a correction has changed in a ruling")
    moment: float = setting(4.0, "s", "how long a ricompera, an elimination or a win fills the TV; 0: never")
    odds: bool = setting(False, "yes | no", "spectators are shown everybody's chance of paying, from what all have seen")
    season: bool = setting(True, "yes | no", "players are remembered from evening to evening, unless a phone switches that off")
    voice: bool = setting(False, "yes | no", "the TV calls the rulings aloud, where espeak-ng is installed")
    source: str = setting("", "address", "where the source of a program that was changed is offered, too, besides by itself")
    live_interval: float = setting(0.5, "s", "pause between two live pictures, where there are any")

    def __post_init__(self) -> None:
        if not 0 <= self.sure_from <= 1:
            raise ValueError(f"sure_from is {self.sure_from}: expected a probability, 0 to 1")
        if self.patience <= self.heartbeat:
            raise ValueError(f"patience ({self.patience} s) must be longer than the heartbeat ({self.heartbeat} s)")
        for name in ("heartbeat", "retry", "listeners", "threads", "live_interval", "moviola_step"):
            if getattr(self, name) <= 0:
                raise ValueError(f"{name} is {getattr(self, name)}: expected more than 0")
        if self.source and not self.source.startswith(("https://", "http://")):
            raise ValueError(f"source is {self.source!r}: expected an address that begins with https://")
        for name in ("moviola_after", "corrected", "moment"):
            if getattr(self, name) < 0:
                raise ValueError(f"{name} is {getattr(self, name)}: expected 0 or more")

    @property
    def view(self) -> ViewSettings:
        """What a game's view depends on."""
        return ViewSettings(self.sure_from, self.happened)


DEFAULTS = Settings()


def described() -> tuple[Field[Any], ...]:
    """The settings with their `metadata`: "unit" and "help"."""
    return fields(Settings)
