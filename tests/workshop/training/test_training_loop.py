"""The course of a training run: its clock, its news, its checkpoints, and how it is stopped."""

from __future__ import annotations

import math
import os
import signal
from dataclasses import dataclass

import pytest

pytest.importorskip("torch", reason="needs the extra `train`")

import torch

from workshop.training.process_group import ALONE, ProcessGroup
from workshop.training.training_run import NEWS_EVERY, set_rate, training_loop_of

pytestmark = pytest.mark.train


@dataclass
class Counted:
    """A run that learns nothing and counts its checkpoints."""

    team: ProcessGroup = ALONE
    asked: bool = False
    seen: int = 0
    seconds: float = 0.0
    saved: int = 0

    def save(self) -> None:
        self.saved += 1


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_stops_a_run_after_the_step_at_hand_and_no_later_one(number: signal.Signals) -> None:
    run, before = Counted(), signal.getsignal(number)
    with training_loop_of(run, save_every=math.inf) as course:
        course.note({}, 8)
        assert not course.stopped
        os.kill(os.getpid(), number)
        course.note({}, 8)
        assert course.stopped
    assert run.seen == 16
    assert course.done("crops").startswith("stopped after 16 crops")
    assert signal.getsignal(number) is before


def test_messages_come_every_fifty_steps_and_leave_out_what_a_step_cannot_say() -> None:
    run = Counted()
    with training_loop_of(run, save_every=0.0) as course:
        due = [course.note({"loss": 2.0, "corners": math.nan}, 4) for _ in range(NEWS_EVERY)]
        news = course.news(0.25, "crops")
    assert due == [False] * (NEWS_EVERY - 1) + [True]
    assert news.split()[:3] == ["25.0%", str(4 * NEWS_EVERY), "crops"]
    assert news.endswith("loss 2.000")
    assert run.saved == NEWS_EVERY
    assert run.seconds > 0
    assert course.done("crops").startswith("done")


def test_the_rate_grows_over_the_first_steps_and_falls_with_the_budget() -> None:
    def rate(step: int, progress: float) -> float:
        stepped = torch.optim.SGD([torch.nn.Parameter(torch.zeros(1))], lr=0.0)
        set_rate(stepped, 0.1, step, progress, warm_up=10, least=0.02)
        return float(stepped.param_groups[0]["lr"])

    assert rate(0, 0.0) == pytest.approx(0.01)
    assert rate(9, 0.0) == pytest.approx(0.1)
    assert rate(500, 0.5) == pytest.approx(0.1 * 0.51)
    assert rate(1000, 1.0) == pytest.approx(0.1 * 0.02)
