"""What `xsp record` does inside a Python program; see sitecustomize.py beside this folder."""

import importlib
import importlib.abc
import importlib.util
import os
import sys

_FOLDER = os.path.dirname(os.path.abspath(__file__))
_PREFIX = "after_"


def begin():
    """Watches for the imports that there is an after_MODULE.py for, and samples call stacks if asked to."""
    names = {name[len(_PREFIX):-3] for name in os.listdir(_FOLDER)
             if name.startswith(_PREFIX) and name.endswith(".py")}
    sys.meta_path.insert(0, _Watcher(names))
    rate_hz = float(os.environ.get("XSP_RECORD_PYTHON_HZ") or 0)
    if rate_hz > 0:
        guarded("python_stacks", "xsp_hook.stack_sampler", "start", rate_hz)


def guarded(what, module, function, *arguments):
    """Calls module.function(*arguments); an error of ours becomes a problem of the recording."""
    try:
        getattr(importlib.import_module(module), function)(*arguments)
    except Exception as error:
        try:
            from xsp_hook.recording import recording
            recording().problem(f"{what}_not_observed", f"{type(error).__name__}: {error}",
                                "What lies below it was recorded all the same; please report this.")
        except Exception:
            pass


class _Watcher(importlib.abc.MetaPathFinder):
    """Finds nothing itself: lets the other finders find a watched module and adds to its execution."""

    def __init__(self, names):
        self._names = names  # Of modules that have not been executed yet.
        self._looking_for = set()

    def find_spec(self, name, path=None, target=None):
        # Whoever asks where a module is need not go on to import it.
        if name not in self._names or name in self._looking_for:
            return None
        self._looking_for.add(name)
        try:
            spec = importlib.util.find_spec(name)
        finally:
            self._looking_for.discard(name)
        if spec is None or spec.loader is None:
            return spec
        execute = spec.loader.exec_module

        def execute_and_install(module):
            spec.loader.exec_module = execute
            execute(module)
            self._names.discard(name)  # An import that failed may be tried again.
            guarded(name, f"xsp_hook.{_PREFIX}{name}", "install", module)

        spec.loader.exec_module = execute_and_install
        return spec
