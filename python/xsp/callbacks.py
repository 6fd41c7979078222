"""Callbacks of training loops: the steps of a Hugging Face Trainer or a Lightning Trainer as an experiment.

    trainer = transformers.Trainer(..., callbacks=[xsp.callbacks.hugging_face(schedule=xsp.schedule(wait=5, active=3))])
    trainer = lightning.Trainer(..., callbacks=[xsp.callbacks.lightning(schedule=xsp.schedule(wait=5, active=3))])

The callback's `profile` has the experiment when the training is over. Of several processes only the first is recorded.
"""
from __future__ import annotations

import importlib
import warnings
from typing import Any, Callable, Optional

from xsp._errors import NotPossibleError, XspError
from xsp._profile import Profile, Schedule, profile

__all__ = ["hugging_face", "lightning"]
_DEFAULT = Schedule(wait=2, warmup=1, active=3, repeat=1, skip_first=0)


def hugging_face(name: str = "training", *, schedule: Optional[Schedule] = None, **options: Any) -> Any:
    """A transformers.TrainerCallback that profiles the training steps that `schedule` chooses (default: the fourth to the
    sixth). Options are those of xsp.profile(). Errors: NotPossibleError (no transformers)."""
    base = _first_of(("transformers", "TrainerCallback"))

    class XspCallback(base):  # type: ignore[misc, valid-type]
        """Profiles training steps; `profile.experiment` has the result."""

        def __init__(self) -> None:
            self.profile = profile(name, schedule=schedule or _DEFAULT, **options)
            self._steps = _Steps(self.profile)

        def on_train_begin(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
            if getattr(state, "is_world_process_zero", True):
                self._steps.begin()

        def on_step_end(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
            self._steps.step()

        def on_train_end(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
            self._steps.end()

    return XspCallback()


def lightning(name: str = "training", *, schedule: Optional[Schedule] = None, **options: Any) -> Any:
    """A lightning.pytorch.Callback that profiles the training steps that `schedule` chooses (default: the fourth to the
    sixth). Options are those of xsp.profile(). Errors: NotPossibleError (no Lightning)."""
    base = _first_of(("lightning.pytorch", "Callback"), ("pytorch_lightning", "Callback"))

    class XspCallback(base):  # type: ignore[misc, valid-type]
        """Profiles training steps; `profile.experiment` has the result."""

        def __init__(self) -> None:
            super().__init__()
            self.profile = profile(name, schedule=schedule or _DEFAULT, **options)
            self._steps = _Steps(self.profile)

        def on_train_start(self, trainer: Any, pl_module: Any) -> None:
            if getattr(trainer, "is_global_zero", True):
                self._steps.begin()

        def on_train_batch_end(self, trainer: Any, pl_module: Any, outputs: Any, batch: Any, batch_idx: int) -> None:
            self._steps.step()

        def on_train_end(self, trainer: Any, pl_module: Any) -> None:
            self._steps.end()

        def on_exception(self, trainer: Any, pl_module: Any, exception: BaseException) -> None:
            self._steps.end(exception)

    return XspCallback()


class _Steps:
    """The steps of one training; the profile ends with its schedule, so that the rest of the training runs freely. What
    fails of it is a warning, and no end of the training."""

    def __init__(self, of: Profile) -> None:
        self._profile = of
        self._runs = False

    def begin(self) -> None:
        if not self._runs:
            self._runs = self._tried(self._profile.__enter__)

    def step(self) -> None:
        if self._runs:
            if not self._tried(self._profile.step) or self._profile.is_over:
                self.end()

    def end(self, error: Optional[BaseException] = None) -> None:
        if self._runs:
            self._runs = False
            self._tried(lambda: self._profile.__exit__(type(error) if error is not None else None, error, None))

    @staticmethod
    def _tried(part: Callable[[], Any]) -> bool:
        try:
            part()
        except (XspError, OSError) as error:
            warnings.warn(f"the training is not profiled: {error}", RuntimeWarning, stacklevel=3)
            return False
        return True


def _first_of(*places: Any) -> Any:
    for module, name in places:
        try:
            return getattr(importlib.import_module(module), name)
        except ImportError as error:
            if (error.name or "").split(".")[0] != module.split(".")[0]:
                raise
    packages = " or ".join(module.split(".")[0] for module, _ in places)
    raise NotPossibleError(f"this callback needs {packages}, which is not installed", f"pip install {places[0][0].split('.')[0]}")
