"""Which Python has which modules. They are looked for, not imported, which takes seconds for some: a module that is there
and cannot be imported fails the tests that need it."""
import pathlib
import subprocess

LOOK = """
import importlib.util
import sys

def place(name):
    try:
        spec = importlib.util.find_spec(name)
    except ImportError:  # Of what it lies in.
        return ""
    return spec.origin or "" if spec else ""

for name in sys.argv[1:]:
    print(place(name))
"""


def places(python, *modules):
    """The file of each module in `python`; "" for what it lacks, and for all where it does not start."""
    try:
        done = subprocess.run([str(python), "-c", LOOK, *modules], capture_output=True, text=True)
    except OSError:
        return [""] * len(modules)
    return done.stdout.split("\n")[:len(modules)] if done.returncode == 0 else [""] * len(modules)


def missing(python, *modules):
    """Of `modules` those that `python` lacks."""
    return [module for module, place in zip(modules, places(python, *modules)) if not place]


def first_with(candidates, *modules):
    """The first of the Pythons that has all of `modules`, as text, or None. Candidates of None or "" are passed over."""
    return next((str(python) for python in candidates if python and not missing(python, *modules)), None)


def packages_of(python, module):
    """The folder of packages that `python` has the package from."""
    return pathlib.Path(places(python, module)[0]).parent.parent
