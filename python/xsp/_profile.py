"""xsp.profile: what runs in this process, without starting it under `xsp record` (docs/python.md).

PyTorch's own profiler records operators, kernels and shapes; ranges around the calls of modules, added here, say where in
the model they were; `xsp import` makes an experiment of it (docs/adr/0046-a-python-package.md).
"""
from __future__ import annotations

import atexit
import contextlib
import functools
import inspect
import pathlib
import shutil
import sys
import tempfile
import threading
import warnings
import weakref
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Callable, Dict, Iterator, List, Optional, Tuple, Type, TypeVar

from xsp._errors import EnvironmentFailedError, UsageError, XspError
from xsp._experiment import Experiment
from xsp._optional import need
from xsp._perform import Path
from xsp._run import import_trace

Function = TypeVar("Function", bound=Callable[..., Any])
# PyTorch has one profiler for all threads, and lets each of them end the recording of another.
_entered: weakref.WeakSet[Profile] = weakref.WeakSet()
_entering = threading.Lock()
MODULE_RANGE = "xsp.module: "  # What the importer knows it by (src/ingest/importers/kineto).
_UNSTEPPED = "after the last step"


@dataclass(frozen=True)
class Schedule:
    """Which steps are recorded: of each cycle the last `active`, after `wait` that run freely and `warmup` in which the
    profiler runs and its events are dropped. `skip_first` steps come before the first cycle; 0 `repeat`: for ever."""

    wait: int
    warmup: int
    active: int
    repeat: int
    skip_first: int

    def __post_init__(self) -> None:
        numbers = (self.wait, self.warmup, self.active, self.repeat, self.skip_first)
        if any(type(number) is not int for number in numbers):
            raise UsageError(f"a schedule's numbers are whole: {self}", "")
        if min(numbers) < 0 or self.active < 1:
            raise UsageError(f"a schedule's numbers are at least 0, active at least 1: {self}", "")


def schedule(*, active: int, wait: int = 0, warmup: int = 0, repeat: int = 1, skip_first: int = 0) -> Schedule:
    """Which steps xsp.profile() records; the meaning is that of torch.profiler.schedule(), with `repeat` 1 by default."""
    return Schedule(wait, warmup, active, repeat, skip_first)


class Profile:
    """What xsp.profile() returns: a context manager and a decorator. Use each in one thread at a time."""

    def __init__(self, name: str, schedule: Optional[Schedule], model: Optional[str], store: Optional[Path], shapes: bool,
                 memory: bool, stacks: bool, modules: bool, trace: Optional[Path]) -> None:
        self.name = name
        #: The stored experiments, one for each cycle of the schedule.
        self.experiments: List[Experiment] = []
        self._schedule = schedule
        self._model = model
        self._store = store
        self._recorded = {"record_shapes": shapes, "profile_memory": memory, "with_stack": stacks}
        self._modules = _Modules() if modules else None
        self._trace = pathlib.Path(trace) if trace is not None else None
        self._profiler: Any = None
        self._folder: Optional[pathlib.Path] = None
        self._traces: List[pathlib.Path] = []
        self._range: Any = None
        self._step = 0
        self._is_ending = False

    @property
    def experiment(self) -> Experiment:
        """The stored experiment, after the block; of several cycles the last. Errors: UsageError (there is none yet)."""
        if self.experiments:
            return self.experiments[-1]
        if self._profiler is not None:
            raise UsageError("the profile is not over", "Its experiment is there after the `with` block.")
        raise UsageError("nothing was recorded", "Enter the block, or call step() as often as the schedule needs: "
                         "skip_first + wait + warmup + active times.")

    def __enter__(self) -> Profile:
        if self._profiler is not None:
            raise UsageError("this profile has begun already", "Make one for each block.")
        torch = need("torch", "xsp.profile()")
        if self._trace is not None and not self._trace.absolute().parent.is_dir():
            raise UsageError(f"no such folder for the trace: {self._trace.absolute().parent}", "Make it first.")
        with _entering:
            if getattr(torch.autograd, "_profiler_enabled", lambda: False)() or any(one._is_recording() for one in _entered):
                raise UsageError("PyTorch's profiler is running already, and there is one in a process",
                                 "End the other profile first.")
            _entered.add(self)
        # Each cycle has a file of its own: that PyTorch drops its events then is as it should be.
        warnings.filterwarnings("ignore", message=".*Profiler clears events at the end of each cycle")
        self.experiments, self._traces, self._step, self._is_ending = [], [], 0, False
        try:
            self._folder = pathlib.Path(tempfile.mkdtemp(prefix="xsp-profile-"))
            self._profiler = torch.profiler.profile(
                activities=_activities(torch), schedule=_torch_schedule(torch, self._schedule),
                on_trace_ready=self._export, **self._recorded)
            self._profiler.__enter__()
        except Exception as error:
            self._forget()
            raise EnvironmentFailedError(f"PyTorch's profiler does not start: {error}", "") from error
        if self._modules is not None:
            self._modules.watch(torch)
        if self._schedule is None:
            self._begin_step(torch)
        return self

    def _is_recording(self) -> bool:
        """Of a profile that was entered: whether the profiler runs, which a schedule lets wait."""
        return self._profiler is None or self._profiler.current_action.name != "NONE"

    def step(self) -> None:
        """Ends a step. A block in which it is never called is one step. Errors: UsageError (outside of the block)."""
        if self._profiler is None:
            raise UsageError("step() outside of the profile's block", "with xsp.profile(...) as p: ...; p.step()")
        self._step += 1
        if self._schedule is not None:
            self._profiler.step()
            return
        self._range.__exit__(None, None, None)
        self._begin_step(sys.modules["torch"])

    def _begin_step(self, torch: Any) -> None:
        self._range = torch.autograd.profiler.record_function(f"ProfilerStep#{self._step}")
        self._range.__enter__()

    def __exit__(self, kind: Optional[Type[BaseException]], error: Optional[BaseException],
                 traceback: Optional[TracebackType]) -> None:
        if self._profiler is None:
            raise UsageError("the profile has not begun, or is over", "with xsp.profile(...) as p: ...")
        if self._modules is not None:
            self._modules.leave()
        self._is_ending = True
        try:
            if self._range is not None:
                self._range.__exit__(None, None, None)
            self._profiler.__exit__(kind, error, traceback)
            self._import()
        except XspError as failure:
            if kind is None:
                raise
            warnings.warn(f"what was profiled until the exception is not stored: {failure}", RuntimeWarning, stacklevel=2)
        finally:
            self._forget()

    def _forget(self) -> None:
        self._profiler = self._range = None
        _entered.discard(self)
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)

    def _export(self, profiler: Any) -> None:
        """Of each cycle: the trace, as a file. What it costs falls between two steps."""
        assert self._folder is not None
        path = self._folder / f"{len(self._traces)}.json"
        profiler.export_chrome_trace(str(path))
        # The step that the last call of step() began is none, in a cycle that ends before its steps, too.
        if (self._schedule is None and self._step > 0) or (self._schedule is not None and self._is_ending):
            _rename(path, f"ProfilerStep#{self._step}", _UNSTEPPED)
        self._traces.append(path)

    def _import(self) -> None:
        """What is not stored yet: of a schedule without an end each cycle is, while the program goes on."""
        for at in range(len(self.experiments), len(self._traces)):
            trace = self._traces[at]
            name = self.name if at == 0 else f"{self.name}-{at + 1}"
            try:
                self.experiments.append(
                    import_trace(trace, name=_free(name, self._store), model=self._model or self.name, store=self._store))
                if self._trace is not None:
                    shutil.copy(trace, self._trace if at == 0 else
                                self._trace.with_name(f"{self._trace.stem}-{at + 1}{self._trace.suffix}"))
            except (XspError, OSError) as error:
                kept_folder, self._folder = self._folder, None
                hint = f"The traces are kept: xsp import {kept_folder}/*.json"
                if isinstance(error, XspError):
                    raise type(error)(error.message, f"{error.hint} {hint}".strip()) from error
                raise EnvironmentFailedError(f"the trace cannot be written: {error}", hint) from error

    def __call__(self, function: Function) -> Function:
        """As a decorator: each call is a step; without a schedule each call is a profile of its own.

        Errors: UsageError (a generator: its steps are not its calls).
        """
        if inspect.isgeneratorfunction(function) or inspect.isasyncgenfunction(function):
            raise UsageError(f"a generator cannot be decorated: {function.__name__}", "with xsp.profile(...): inside of it.")
        if inspect.iscoroutinefunction(function):
            @functools.wraps(function)
            async def profiled(*args: Any, **kwargs: Any) -> Any:
                with self._a_call():
                    return await function(*args, **kwargs)
        else:
            @functools.wraps(function)
            def profiled(*args: Any, **kwargs: Any) -> Any:
                with self._a_call():
                    return function(*args, **kwargs)
        profiled.profile = self  # type: ignore[attr-defined]
        return profiled  # type: ignore[return-value]

    @contextlib.contextmanager
    def _a_call(self) -> Iterator[None]:
        """One call of the decorated function. With a schedule the block ends with its last step, or with the program."""
        if self._schedule is None:
            with self:
                yield
            return
        if self._profiler is None and self._step == 0:
            self.__enter__()
            atexit.register(self._end_with_the_program)
        try:
            yield
        finally:
            if self._profiler is not None:
                self.step()
                if self.is_over:
                    atexit.unregister(self._end_with_the_program)
                    self.__exit__(None, None, None)
                elif self._schedule.repeat == 0:
                    self._import()

    def _end_with_the_program(self) -> None:
        if self._profiler is None:
            return
        try:
            self.__exit__(None, None, None)
        except (XspError, OSError) as error:
            warnings.warn(f"what was profiled is not stored: {error}", RuntimeWarning)

    @property
    def is_over(self) -> bool:
        """Whether all steps of the schedule were done; always False without one, or with one that repeats for ever."""
        plan = self._schedule
        return (plan is not None and plan.repeat > 0
                and self._step >= plan.skip_first + plan.repeat * (plan.wait + plan.warmup + plan.active))

    def __repr__(self) -> str:
        return f"<xsp.Profile {self.name}: {len(self.experiments)} experiments>"

    def _repr_html_(self) -> str:
        return "".join(one._repr_html_() for one in self.experiments) or "<p>nothing was recorded yet</p>"


def profile(name: str = "profile", *, schedule: Optional[Schedule] = None, model: Optional[str] = None,
            store: Optional[Path] = None, shapes: bool = True, memory: bool = False, stacks: bool = False,
            modules: bool = True, trace: Optional[Path] = None) -> Profile:
    """Profiles PyTorch code of this process: `with xsp.profile("step") as p: ...`, then `p.experiment`.

    Args:
        name: Name of the experiment in the store; a number is added where the name is taken.
        schedule: Which steps are recorded: xsp.schedule(wait=1, warmup=1, active=3). Without one the whole block is.
        model: Name of the model in results (default: `name`).
        store: Folder of experiments (default: $XSP_STORE, else ./xsp-store).
        shapes: Record the shapes of operators: FLOPs and traffic of layers follow from them.
        memory: Record allocations.
        stacks: Record the Python functions around each operator. Costs the most.
        modules: Record in which module of the model each operator ran.
        trace: Also keep the trace of PyTorch's profiler in this file.

    As a decorator, `@xsp.profile("step", schedule=...)`, each call of the function, which may be a coroutine, is a step. The
    function's attribute `profile` has the experiment when the schedule is over; of a schedule that repeats for ever each
    cycle is stored as it ends, and what a schedule has not reached when the program ends is stored then.

    Errors: NotPossibleError (no PyTorch), UsageError, EnvironmentFailedError.
    """
    return Profile(name, schedule, model, store, shapes, memory, stacks, modules, trace)


def _activities(torch: Any) -> List[Any]:
    kinds = torch.profiler.ProfilerActivity
    chosen = [kinds.CPU]
    for name, device in (("CUDA", "cuda"), ("XPU", "xpu")):
        if hasattr(kinds, name) and hasattr(torch, device) and getattr(torch, device).is_available():
            chosen.append(getattr(kinds, name))
    return chosen


def _torch_schedule(torch: Any, plan: Optional[Schedule]) -> Any:
    if plan is None:
        return None
    return torch.profiler.schedule(wait=plan.wait, warmup=plan.warmup, active=plan.active, repeat=plan.repeat,
                                   skip_first=plan.skip_first)


def _rename(path: pathlib.Path, old: str, new: str) -> None:
    """Renames the events `old` of a trace, line by line."""
    made = path.with_suffix(".renamed")
    with open(path, encoding="utf-8", errors="surrogateescape") as source, \
            open(made, "w", encoding="utf-8", errors="surrogateescape") as target:
        for line in source:
            target.write(line.replace(f'"{old}"', f'"{new}"') if old in line else line)
    made.replace(path)


def _free(name: str, store: Optional[Path]) -> str:
    """The name, with a number where the store has it already."""
    from xsp import operations

    taken = {row.get("name") for row in operations.list(store=store)}
    number, free = 1, name
    while free in taken:
        number += 1
        free = f"{name}-{number}"
    return free


def _quick_range(otherwise: Any) -> Any:
    """A range that takes 1 us instead of 7; PyTorch has it for its own use since 2.2."""
    try:
        from torch._C._profiler import _RecordFunctionFast

        with _RecordFunctionFast("xsp"):
            return _RecordFunctionFast
    except Exception:
        return otherwise


class _Modules:
    """Ranges around the calls of modules: the outermost by its class, those in it by their path ("layer1.0.conv2").

    Module.__call__ is replaced meanwhile. PyTorch's hooks of all modules would do, too, but what torch.compile compiled is
    compiled again where such hooks appear. Any thread.
    """

    def __init__(self) -> None:
        self._thread = threading.local()  # .known: paths of the modules in the outermost one that is being called.
        self._paths: Dict[int, Tuple["weakref.ref[Any]", Dict[int, str]]] = {}  # By id() of the outermost module.
        self._watched: Any = None
        self._ours: Any = None
        self._original: Any = None

    def watch(self, torch: Any) -> None:
        original = torch.nn.Module.__call__
        whole_range = torch.autograd.profiler.record_function
        inner_range = _quick_range(whole_range)
        is_compiling = getattr(getattr(torch, "compiler", None), "is_dynamo_compiling", lambda: False)
        thread = self._thread

        @functools.wraps(original)
        def call(module: Any, *args: Any, **kwargs: Any) -> Any:
            if is_compiling() or self._watched is None:
                return original(module, *args, **kwargs)
            known = getattr(thread, "known", None)
            if known is None:
                thread.known = self._known(module)
                made = whole_range(type(module).__name__)
            else:
                name = known.get(id(module))
                if name is None:  # Not one of the model's own: its operators belong to the module around it.
                    return original(module, *args, **kwargs)
                made = inner_range(name)
            made.__enter__()
            try:
                return original(module, *args, **kwargs)
            finally:
                made.__exit__(None, None, None)
                if known is None:
                    thread.known = None

        self._watched, self._ours, self._original = torch.nn.Module, call, original
        torch.nn.Module.__call__ = call

    def leave(self) -> None:
        watched, self._watched = self._watched, None  # Where somebody wrapped ours, it only passes on from now on.
        if watched is not None and watched.__call__ is self._ours:
            watched.__call__ = self._original
        self._paths.clear()

    def _known(self, root: Any) -> Dict[int, str]:
        entry = self._paths.get(id(root))
        if entry is not None and entry[0]() is root:
            return entry[1]
        try:
            known = {id(module): MODULE_RANGE + path for path, module in root.named_modules() if path}
        except Exception:
            known = {}  # A model's own named_modules() may do anything.
        self._paths[id(root)] = (weakref.ref(root), known)
        return known
