"""Performs an operation: its request goes to `xsp perform` as JSON, its document comes back."""
from __future__ import annotations

import contextlib
import json
import logging
import os
import signal
import subprocess
import tempfile
import threading
from dataclasses import dataclass
from typing import IO, Any, Callable, Dict, List, Mapping, Optional, Union

from xsp._errors import BY_STATUS, XspError
from xsp._program import environment, program

Path = Union[str, "os.PathLike[str]"]
_LOG = logging.getLogger("xsp")
_GATE_STATUSES = (6, 7)  # A gate was not met, or that is not known: the document says so.


@dataclass(frozen=True)
class ProgressStep:
    """One step of long work."""

    step: str
    fraction: float
    remaining_s: Optional[float]


Progress = Callable[[ProgressStep], None]


def listed(value: Any) -> Any:
    """A single value as a list of one."""
    if value is None or isinstance(value, (list, tuple)):
        return value
    if isinstance(value, (str, bytes, int, float, os.PathLike)) or getattr(value, "ndim", None) == 0:  # Also NumPy's.
        return [value]
    return list(value)


def _encoded(value: Any) -> Any:
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if hasattr(value, "item"):  # A number of NumPy.
        return value.item()
    raise TypeError(f"cannot be written as JSON: {type(value).__name__}")


class _Messages:
    """Reads the program's standard error: progress, notes, and the error that it ends with."""

    def __init__(self, stream: IO[str], progress: Optional[Progress], stop: Callable[[], None]) -> None:
        self.notes: List[str] = []
        self._stream = stream
        self._progress = progress
        self._stop = stop
        self.failure: Optional[BaseException] = None

    def read(self) -> None:
        for line in self._stream:
            text = line.rstrip("\n")
            if text.startswith('{"progress"'):
                self._report(text)
            elif text:
                self.notes.append(text)

    def _report(self, text: str) -> None:
        if self._progress is None or self.failure is not None:
            return
        try:
            step = json.loads(text)["progress"]
            self._progress(ProgressStep(step["step"], step["fraction"], step["remaining_s"]))
        except BaseException as error:  # The caller's: raised when the program has ended, which it is asked to.
            self.failure = error
            self._stop()

    def error(self, status: int) -> XspError:
        """What the program ended with. Its message may have several lines, its hint is the last."""
        message: List[str] = []
        hint: List[str] = []
        part: Optional[List[str]] = None
        for line in self.notes:
            if line.startswith("error: "):
                message, hint = [line[len("error: "):]], []
                part = message
            elif line.startswith("hint: ") and message:
                hint = [line[len("hint: "):]]
                part = hint
            elif part is not None:
                part.append(line)
        kind = BY_STATUS.get(status, XspError)
        text = "\n".join(message or self.notes[-5:]) or f"the program xsp ended with status {status}"
        return kind(text, "\n".join(hint))


def perform(operation: str, request: Mapping[str, Any], *, store: Optional[Path] = None,
            progress: Optional[Progress] = None) -> Any:
    """The document of `operation` (`xsp api` lists them) for `request`; fields that are None are left out.

    `progress` is called from another thread; where it raises, the program is interrupted. Notes of the program go to the
    logger "xsp". Ctrl-C interrupts the program, which stores what was measured, and raises KeyboardInterrupt; so does the
    end of this process.

    Errors: XspError; what `progress` raises.
    """
    fields = {name: value for name, value in request.items() if value is not None}
    command = [program()]
    if store is not None:
        command += ["--store", os.fspath(store)]
    made: Dict[str, str] = {**environment(), "XSP_PROGRESS": "json", "XSP_PARENT": str(os.getpid())}
    text = json.dumps(fields, default=_encoded)
    # Into a file: standard output and standard error are then never waited for by each other.
    with tempfile.TemporaryFile("w+", encoding="utf-8") as given, tempfile.TemporaryFile() as answer:
        given.write(text)
        given.seek(0)
        # Of a session of its own: Ctrl-C in the terminal reaches it once, by us.
        with subprocess.Popen([*command, "perform", operation], stdin=given, stdout=answer, stderr=subprocess.PIPE,
                              text=True, encoding="utf-8", errors="replace", env=made, start_new_session=True) as child:
            assert child.stderr is not None
            messages = _Messages(child.stderr, progress, lambda: _interrupt(child))
            reader = threading.Thread(target=messages.read, name="xsp-messages", daemon=True)
            status = _wait(child, reader)
            reader.join()
        answer.seek(0)
        output = answer.read()
    if messages.failure is not None:
        raise messages.failure
    if not output.strip() or status < 0:
        raise messages.error(status)
    document = json.loads(output)
    if status in BY_STATUS and status != 0 and not _is_partial(document):
        raise messages.error(status)
    for note in messages.notes:
        _LOG.log(logging.WARNING if status not in (0, *_GATE_STATUSES) else logging.INFO, "%s", note)
    return document


def _is_partial(document: Any) -> bool:
    """Whether the document holds what was measured before something failed."""
    return isinstance(document, dict) and ("status" in document or "failures" in document)


def _interrupt(child: "subprocess.Popen[str]") -> None:
    with contextlib.suppress(ProcessLookupError):
        child.send_signal(signal.SIGINT)


def _wait(child: "subprocess.Popen[str]", reader: threading.Thread) -> int:
    try:
        reader.start()
        return child.wait()
    except KeyboardInterrupt:
        # It stores what was measured; a second Ctrl-C ends the wait.
        _interrupt(child)
        try:
            child.wait()
        except KeyboardInterrupt:
            child.kill()
        raise
    except BaseException:
        child.kill()
        raise
