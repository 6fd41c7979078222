"""JAX: calls of jitted functions, compilation, and waits for results. Its operators are compiled away and
cannot be had from outside: below stand what oneDNN announces on a CPU and CUPTI's kernels on a GPU.

jax.jit makes objects of a type that cannot be changed, so what the program gets from it is a function of
ours around one. JAX runs behind its calls: a call's time is what it took to hand the work over."""

import functools
import threading

from xsp_hook import recording as xsp

_state = threading.local()


class _Jitted:
    """A jitted function whose outermost call on each thread is a model call; all else is the function's."""

    def __init__(self, function, name):
        self._xsp_function = function
        self._xsp_name = name
        self._xsp_type = "train" if "train" in name or "update" in name else "predict"
        functools.update_wrapper(self, function, updated=())
        self.__wrapped__ = getattr(function, "__wrapped__", function)  # What was jitted, as JAX has it.

    def __call__(self, *args, **kwargs):
        if getattr(_state, "inside", False):
            return self._xsp_function(*args, **kwargs)
        _state.inside = True
        recording = xsp.recording()
        span = recording.begin(xsp.MODEL, self._xsp_type, self._xsp_name)
        try:
            return self._xsp_function(*args, **kwargs)
        finally:
            recording.end(span)
            _state.inside = False

    def __get__(self, instance, owner=None):
        return self if instance is None else functools.partial(self, instance)

    def __getattr__(self, name):
        return getattr(self._xsp_function, name)

    def __reduce_ex__(self, protocol):
        # Copies and pickles are of JAX's function: where those are read, there may be no recording.
        return self._xsp_function.__reduce_ex__(protocol)

    def __repr__(self):
        return repr(self._xsp_function)


def _watch_jit(jax):
    original = jax.jit

    @functools.wraps(original)
    def jit(*args, **kwargs):
        made = original(*args, **kwargs)
        # Without a function it is a decorator that has yet to see one.
        function = args[0] if args else kwargs.get("fun")
        if function is None:
            return lambda later: _Jitted(made(later), getattr(later, "__name__", "function"))
        return _Jitted(made, getattr(function, "__name__", "function"))

    jax.jit = jit


def _watch_compilation(jax, recording):
    # JAX times these with time.time(): what it tells is how long, and it tells it right after.
    def heard(event, seconds, **_):
        if event.startswith("/jax/core/compile/"):
            took_ns = int(seconds * 1e9)
            name = event.rsplit("/", 1)[-1].removesuffix("_duration")
            recording.complete_in(0, xsp.LIBRARY, "compile", name, recording.now_ns() - took_ns, took_ns)

    jax.monitoring.register_event_duration_secs_listener(heard)


def _watch_waits(jax, recording):
    original = jax.block_until_ready

    @functools.wraps(original)
    def block_until_ready(*args, **kwargs):
        span = recording.begin(xsp.LIBRARY, "synchronisation", "jax.block_until_ready")
        try:
            return original(*args, **kwargs)
        finally:
            recording.end(span)

    jax.block_until_ready = block_until_ready


def install(jax):
    recording = xsp.recording()
    recording.fact("framework.name", "JAX")
    recording.fact("framework.version", jax.__version__)
    _watch_jit(jax)
    _watch_compilation(jax, recording)
    _watch_waits(jax, recording)
