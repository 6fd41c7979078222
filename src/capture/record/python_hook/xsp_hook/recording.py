"""The process's recording, for Python: libxsp.so's C API (src/capture/wire/xsp.h)."""

import ctypes
import functools
import os

APPLICATION, MODEL, LAYER, LIBRARY, KERNEL = range(5)


class Recording:
    """Spans, facts and problems of this process. Every call is a no-op where nothing is recorded.

    Any thread. A span is ended on the thread that began it.
    """

    def __init__(self, folder):
        # PyDLL: calls are too short to give up the interpreter's lock for.
        self._library = ctypes.PyDLL(os.path.join(folder, "libxsp.so"), mode=ctypes.RTLD_GLOBAL)
        text = (ctypes.c_char_p, ctypes.c_size_t)
        self._intern = self._function("xsp_intern", ctypes.c_uint32, *text)
        self._attribute = self._function("xsp_attribute", None, ctypes.c_uint64, ctypes.c_uint32, *text)
        self._metric = self._function("xsp_metric", None, ctypes.c_uint64, ctypes.c_uint32, ctypes.c_double,
                                      ctypes.c_uint32, ctypes.c_uint32)
        self._begin = self._function("xsp_begin", ctypes.c_uint64, ctypes.c_int, ctypes.c_uint32,
                                     ctypes.c_uint32)
        self.begin_interned = self._begin  # (level, type, name), of intern(): for what begins often.
        self.end = self._function("xsp_end", None, ctypes.c_uint64)
        self._complete = self._function("xsp_complete_in", ctypes.c_uint64, ctypes.c_uint64, ctypes.c_int,
                                        ctypes.c_uint32, ctypes.c_uint32, ctypes.c_uint64, ctypes.c_uint64)
        self.levels_now = self._function("xsp_levels", ctypes.c_uint32)
        self._frame = self._function("xsp_frame", ctypes.c_uint64, ctypes.c_uint64, ctypes.c_uint32,
                                     ctypes.c_uint32)
        # (kind, thread id, stack): a thread is in `stack` now.
        self.sample = self._function("xsp_sample", None, ctypes.c_int, ctypes.c_uint32, ctypes.c_uint64)
        self.now_ns = self._function("xsp_now_ns", ctypes.c_uint64)
        self.intern = functools.lru_cache(maxsize=65536)(self._intern_text)

    def _function(self, name, result, *arguments):
        function = getattr(self._library, name)
        function.restype = result
        function.argtypes = arguments
        return function

    def _intern_text(self, text):
        data = text.encode("utf-8", "replace")
        return self._intern(data, len(data))

    def begin(self, level, type_name, name):
        """Begins a span inside the innermost open span of this thread; returns it, for end()."""
        return self._begin(level, self.intern(type_name), self.intern(name))

    def complete_in(self, parent, level, type_name, name, start_ns, duration_ns):
        """Records a span that was timed elsewhere, CLOCK_MONOTONIC ns, in `parent` (0: in none)."""
        return self._complete(parent, level, self.intern(type_name), self.intern(name), start_ns, duration_ns)

    def frame(self, caller, function, module):
        """The call stack of `function` called by the stack `caller` (0: by none); 0: not recorded."""
        return self._frame(caller, self.intern(function), self.intern(module))

    def attribute(self, span, key, value):
        """Text on a span."""
        data = value.encode("utf-8", "replace")
        if span:
            self._attribute(span, self.intern(key), data, len(data))

    def metric(self, span, name, value, unit="1"):
        """A number on a span, that was measured."""
        if span:
            self._metric(span, self.intern(name), value, self.intern(unit), self.intern("measured:xsp"))

    def fact(self, key, value):
        """Text about the whole process."""
        data = str(value).encode("utf-8", "replace")
        self._attribute(0, self.intern(key), data, len(data))

    def problem(self, name, what, hint):
        """Something that is missing in the recording, and what to do: becomes the diagnostic `name`."""
        self.fact(f"problem.{name}", f"{what}\n{hint}")


@functools.lru_cache(maxsize=1)
def recording():
    """The one of this process."""
    return Recording(libraries())


def libraries():
    """The folder of libxsp.so and of the libraries that are loaded beside it."""
    return os.environ["XSP_RECORD_LIBRARIES"]


def levels():
    """Bits of the levels that are recorded."""
    return int(os.environ.get("XSP_RECORD_LEVELS") or 0x1f)


def records(level):
    """Whether spans of `level` are asked for."""
    return levels() >> level & 1 == 1
