"""ONNX Runtime: model calls, and their nodes from the library's own profile of each session.

The profile makes small models several times slower, and Python can end it but not begin it again. So the
first calls of a session are profiled, and the later ones are not: they show what a call takes without it.
The profile is read when the program ends: a process that is killed has calls, but no nodes. A session
that the program profiles itself is left alone. The library keeps the first million events.
"""

import atexit
import bisect
import functools
import glob
import json
import os
import threading
import time
import weakref

from xsp_hook import recording as xsp
from xsp_hook.outermost import wrap_outermost

_NODE = "_kernel_time"
_HOLDERS = ("If", "Loop", "Scan")
# A session is profiled until it has made this many calls and they took this long together.
_PROFILED_CALLS, _PROFILED_NS = 100, 1_000_000_000


def install(onnxruntime):
    recording = xsp.recording()
    recording.fact("framework.name", "ONNX Runtime")
    recording.fact("framework.version", onnxruntime.__version__)
    session = onnxruntime.InferenceSession
    calls = _Calls(recording)
    for method in ("run", "run_with_ort_values", "run_with_iobinding"):
        if hasattr(session, method):
            wrap_outermost(session, method, calls.around)
    if xsp.records(xsp.LAYER):
        _profile_sessions(onnxruntime, calls)


class _Calls:
    """Calls of every session, as spans and for their nodes."""

    def __init__(self, recording):
        self.recording = recording
        self.names = weakref.WeakKeyDictionary()
        self.profiles = weakref.WeakKeyDictionary()

    def around(self, call, session, args, kwargs):
        recording = self.recording
        profile = self.profiles.get(session)
        profiled = profile is not None and profile.begin_call(recording)
        span = recording.begin(xsp.MODEL, "predict", self.names.get(session, "InferenceSession"))
        start_ns = recording.now_ns()
        try:
            return call(session, *args, **kwargs)
        finally:
            end_ns = recording.now_ns()
            recording.end(span)
            if profiled:
                profile.end_call(start_ns, end_ns, span)
            elif profile is not None:
                profile.mark_baseline(recording, span)


def _profile_sessions(onnxruntime, calls):
    construct = onnxruntime.InferenceSession.__init__
    folder, process = os.environ["XSP_RECORD_FOLDER"], os.getpid()
    profiles = []

    @functools.wraps(construct)
    def constructed(self, path_or_bytes, sess_options=None, *args, **kwargs):
        options = sess_options if sess_options is not None else onnxruntime.SessionOptions()
        mine = not options.enable_profiling
        if mine:
            before = options.profile_file_prefix
            prefix = os.path.join(folder, f"onnxruntime-{os.getpid()}-{len(profiles)}")
            options.enable_profiling, options.profile_file_prefix = True, prefix
        try:
            construct(self, path_or_bytes, options, *args, **kwargs)
        finally:
            if mine:
                options.enable_profiling, options.profile_file_prefix = False, before
        if isinstance(path_or_bytes, (str, os.PathLike)):
            calls.names[self] = os.path.basename(os.fspath(path_or_bytes))
        if mine:
            profiles.append(_Profile(self, prefix))
            calls.profiles[self] = profiles[-1]

    def read():
        if os.getpid() != process:
            return  # The profiles are the parent's.
        for profile in profiles:
            try:
                profile.read(calls.recording)
            except Exception as error:
                calls.recording.problem("onnxruntime_nodes_not_read", f"{type(error).__name__}: {error}",
                                        "Nodes of one session are missing; please report this.")

    onnxruntime.InferenceSession.__init__ = constructed
    atexit.register(read)


class _Profile:
    """The profile of one session, and when it was called (CLOCK_MONOTONIC ns)."""

    def __init__(self, session, prefix):
        self._session = weakref.ref(session)
        self._prefix = prefix
        self._starts, self._ends, self._spans = [], [], []
        self._origin_ns = _to_monotonic(session.get_profiling_start_time_ns())
        self._open = self._profiled_ns = self._baseline_calls = 0
        self._ended = False
        self._lock = threading.Lock()  # Threads may share a session.

    def begin_call(self, recording):
        """Whether the call that begins now is profiled; then end_call() follows."""
        with self._lock:
            if not self._ended and not self._open and len(self._spans) >= _PROFILED_CALLS and \
                    self._profiled_ns >= _PROFILED_NS:
                try:
                    self._end()
                except Exception as error:  # The program's call is not to fail for it.
                    recording.problem("onnxruntime_profile_not_ended", f"{type(error).__name__}: {error}",
                                      "Later calls may be profiled, too, and are slower then; please report this.")
            self._open += not self._ended
            return not self._ended

    def end_call(self, start_ns, end_ns, span):
        with self._lock:
            self._open -= 1
            if span:
                self._starts.append(start_ns)
                self._ends.append(end_ns)
                self._spans.append(span)
                self._profiled_ns += end_ns - start_ns

    def mark_baseline(self, recording, span):
        """The call was made without the profile."""
        with self._lock:
            number = self._baseline_calls
            self._baseline_calls += 1
        recording.metric(span, "baseline_iteration", number)
        recording.attribute(span, "rung", "model")

    def _end(self):
        self._ended = True
        session = self._session()
        if session is not None:
            session.end_profiling()  # One that is gone has ended its own.

    def read(self, recording):
        if not self._ended:
            self._end()
        for path in glob.glob(glob.escape(self._prefix) + "*"):
            with open(path, encoding="utf-8") as file:
                events = json.load(file)
            nodes = [event for event in events if event.get("name", "").endswith(_NODE)
                     and "op_name" in event.get("args", {})]
            nodes.sort(key=lambda node: (node["ts"], -node["dur"]))
            holders = []  # Nodes that hold graphs and may be open, innermost last: end, span.
            for node in nodes:
                while holders and node["ts"] >= holders[-1][0]:
                    holders.pop()
                span = self._add_node(recording, node, holders[-1][1] if holders else 0)
                if span and node["args"]["op_name"] in _HOLDERS:
                    holders.append((node["ts"] + node["dur"], span))
            os.remove(path)

    def _add_node(self, recording, event, holder):
        """Returns the node's span; 0: none was recorded."""
        name, details = event["name"], event["args"]
        start_ns = self._origin_ns + 1000 * int(event["ts"])
        call = bisect.bisect_right(self._starts, start_ns + 1000) - 1
        if call < 0 or start_ns > self._ends[call]:
            return 0  # Of a call while recording was off.
        # The profile counts whole microseconds: a node stays inside its call.
        start_ns = max(start_ns, self._starts[call])
        end_ns = min(start_ns + 1000 * int(event["dur"]), self._ends[call])
        span = recording.complete_in(holder or self._spans[call], xsp.LAYER, details["op_name"],
                                     name[:-len(_NODE)] or details["op_name"], start_ns,
                                     max(end_ns - start_ns, 0))
        for key, attribute in (("input_type_shape", "input_shapes"), ("output_type_shape", "output_shapes")):
            shapes = [shape for tensor in details.get(key) or [] for shape in tensor.values()]
            recording.attribute(span, attribute, json.dumps(shapes, separators=(",", ":")))
        return span


def _to_monotonic(time_ns):
    """The library's clock is the wall's or the monotonic one, as its C++ library has it."""
    if abs(time.time_ns() - time_ns) >= abs(time.monotonic_ns() - time_ns):
        return time_ns
    readings = []
    for _ in range(5):
        before, wall_ns, after = time.monotonic_ns(), time.time_ns(), time.monotonic_ns()
        readings.append((after - before, (before + after) // 2 - wall_ns))
    return time_ns + min(readings)[1]  # The least interrupted of the readings.
