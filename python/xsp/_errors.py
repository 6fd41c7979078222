"""Errors of the program as exceptions: what is wrong, and what to do about it."""
from __future__ import annotations

from typing import Dict, Type


class XspError(Exception):
    """What XSP could not do.

    Attributes:
        kind: `bug`, `usage`, `bad_input`, `not_possible`, `environment` or `interrupted`.
        message: What is wrong.
        hint: What to do next; empty where nothing is known.
        status: The exit status of the program (docs/command-line.md).
    """

    kind = "bug"
    status = 1

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message, hint)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message}\n{self.hint}" if self.hint else self.message


class UsageError(XspError):
    """An argument is missing, unknown or out of its range."""

    kind = "usage"
    status = 2


class BadInputError(XspError):
    """A file, a model or a name cannot be used as it is."""

    kind = "bad_input"
    status = 3


class NotPossibleError(XspError):
    """This machine or Python environment lacks something; the hint says how to install it."""

    kind = "not_possible"
    status = 4


class EnvironmentFailedError(XspError):
    """Disk, memory or another process failed."""

    kind = "environment"
    status = 5


class InterruptedByUserError(XspError):
    """Interrupted; completed measurements are stored."""

    kind = "interrupted"
    status = 130


BY_STATUS: Dict[int, Type[XspError]] = {
    one.status: one for one in (XspError, UsageError, BadInputError, NotPossibleError, EnvironmentFailedError,
                                InterruptedByUserError)}
