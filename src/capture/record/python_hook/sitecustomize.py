"""What a Python program runs first when `xsp record` starts it.

Python imports a module of this name before the program; ours is in front on PYTHONPATH. It leaves the
program as it was (its own sitecustomize runs, sys.path is as without us) and waits for imports: when the
program has imported a module M, and there is an xsp_hook/after_M.py, that file's install() is called.
Nothing here may fail the program: what goes wrong is written into the recording.
"""

import os
import sys

_FOLDER = os.path.dirname(os.path.abspath(__file__))


def _leave_path():
    """Takes our folder off sys.path again; children find it through PYTHONPATH."""
    sys.path[:] = [entry for entry in sys.path if os.path.abspath(entry or ".") != _FOLDER]


def _run_hidden():
    """Runs the sitecustomize that would have been imported but for ours."""
    import importlib.machinery
    import importlib.util

    spec = importlib.machinery.PathFinder.find_spec("sitecustomize", sys.path)
    if spec is None or spec.loader is None:
        return
    module = importlib.util.module_from_spec(spec)
    sys.modules["sitecustomize"] = module
    spec.loader.exec_module(module)


def _begin():
    import importlib.util

    if not os.environ.get("XSP_RECORD_FOLDER"):
        return
    # A package that is in nobody's way: it is on no path.
    spec = importlib.util.spec_from_file_location(
        "xsp_hook", os.path.join(_FOLDER, "xsp_hook", "__init__.py"),
        submodule_search_locations=[os.path.join(_FOLDER, "xsp_hook")])
    package = importlib.util.module_from_spec(spec)
    sys.modules["xsp_hook"] = package
    spec.loader.exec_module(package)
    package.begin()


_leave_path()
try:
    _begin()
except Exception:  # The program matters more than its recording.
    pass
_run_hidden()
