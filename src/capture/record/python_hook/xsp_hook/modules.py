"""The modules inside of an outermost one, as spans that group its operators: "layer1.0.conv2"."""

import threading
import weakref

from xsp_hook import recording as xsp

_LOOKED_FOR = 3  # How often a model is asked for its modules: it may get new ones, and may call some that are not its own.


class _Paths:
    """Of one outermost module: by id() of each module in it a reference to that and the interned path."""

    def __init__(self, root, forget):
        self.root = weakref.ref(root, forget)
        self.known = {}
        self.is_stale = True
        self.looked = 0

    def look(self, intern):
        self.is_stale = False
        self.looked += 1
        try:
            self.known = {id(module): (weakref.ref(module), intern(path))
                          for path, module in self.root().named_modules() if path}
        except Exception:
            self.known = {}  # A model's own named_modules() may do anything.


class Modules:
    """Any thread. Keeps no module alive and leaves nothing in it: it is pickled as without us."""

    def __init__(self, recording):
        self._recording = recording
        self._type = recording.intern("module")
        self._paths = {}  # By id() of the outermost module.
        self._thread = threading.local()  # .paths: of the outermost module that is called.

    def enter(self, root):
        """Before an outermost call."""
        key = id(root)
        paths = self._paths.get(key)
        if paths is None or paths.root() is not root:
            paths = self._paths[key] = _Paths(root, lambda _: self._paths.pop(key, None))
        if paths.is_stale and paths.looked < _LOOKED_FOR:
            paths.look(self._recording.intern)
        self._thread.paths = paths

    def inside(self, call, module, args, kwargs):
        """Makes a call inside of the outermost one."""
        paths = self._thread.paths
        reference, path = paths.known.get(id(module), (None, 0))
        if reference is None or reference() is not module:
            paths.is_stale = True
            return call(module, *args, **kwargs)
        recording = self._recording
        span = recording.begin_interned(xsp.LAYER, self._type, path)
        try:
            return call(module, *args, **kwargs)
        finally:
            recording.end(span)
