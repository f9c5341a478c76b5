"""Where the processor time of a look goes: methods of the eyes, timed from outside while a look runs."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from inspect import isgeneratorfunction
from types import MappingProxyType
from typing import Any, Final

STAGES: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType({
    "guard": ("trouble.CameraGuard.step",),
    "motion": ("change.MotionDetector.step",),
    "arrivals": ("arrivals.Arrivals.step",),
    "detector": ("proposer.Proposer.propose",),
    "refiner": ("refiner.Refiner.refine", "refiner.Refiner.glance"),
    "reader": ("reader.Reader.embed",),
    "templates": ("reader.Reader.told", "reader.Reader.uncovered"),
})  # fmt: skip
"""What a look does, by the methods of `companion.eyes` that do it. What one calls is its own stage: the networks are neither in
``arrivals`` nor in ``templates``, ECC and correlation sheets are in the latter."""
REST: Final = "rest"
"""All that is left of a look."""


class Stages:
    """Counts seconds of processor time by stage. ``clock``: seconds of it."""

    def __init__(self, clock: Callable[[], float] = time.process_time) -> None:
        self._clock = clock
        self._spent: defaultdict[str, float] = defaultdict(float)
        self._inner: list[float] = []

    def take(self) -> dict[str, float]:
        """Seconds by stage since this was last asked."""
        spent, self._spent = self._spent, defaultdict(float)
        return dict(spent)

    @contextmanager
    def part(self, name: str) -> Iterator[None]:
        """What runs in here is of the stage ``name``, as far as it is of no other."""
        began = self._clock()
        self._inner.append(0.0)
        try:
            yield
        finally:
            whole, inner = self._clock() - began, self._inner.pop()
            self._spent[name] += whole - inner
            if self._inner:
                self._inner[-1] += whole

    def timed(self, name: str, work: Callable[..., Any]) -> Callable[..., Any]:
        """``work``, which is of the stage ``name``; of a generator, each of its steps is."""

        def called(*given: Any, **named: Any) -> Any:
            with self.part(name):
                return work(*given, **named)

        def stepped(*given: Any, **named: Any) -> Iterator[Any]:
            steps = work(*given, **named)
            while True:
                with self.part(name):
                    step = next(steps, self)
                if step is self:
                    return
                yield step

        return stepped if isgeneratorfunction(work) else called

    @contextmanager
    def watching(self, stages: Mapping[str, tuple[str, ...]] = STAGES) -> Iterator[None]:
        """While this is open, these methods are timed."""
        plain: list[tuple[type, str, Any]] = []
        try:
            for name, methods in stages.items():
                for method in methods:
                    module, owner, attribute = method.split(".")
                    of = getattr(import_module(f"companion.eyes.{module}"), owner)
                    plain.append((of, attribute, getattr(of, attribute)))
                    setattr(of, attribute, self.timed(name, getattr(of, attribute)))
            yield
        finally:
            for of, attribute, method in plain:
                setattr(of, attribute, method)
