"""Model calls of a framework: a method that calls itself in turn, of which the outermost counts."""

import functools
import threading


def wrap_outermost(owner, name, around):
    """Replaces owner.name so that its outermost call on each thread is made through `around`.

    around(call, self, args, kwargs) makes the call and returns its result. While a call runs the
    method is as it was: calls inside it cost nothing, and a compiler that looks at it sees the
    original. Calls that other threads begin meanwhile are not seen.
    """
    original = getattr(owner, name)
    state = threading.local()

    @functools.wraps(original)
    def outermost(self, *args, **kwargs):
        if getattr(state, "inside", False):
            return original(self, *args, **kwargs)
        state.inside = True
        setattr(owner, name, original)
        try:
            return around(original, self, args, kwargs)
        finally:
            state.inside = False
            # What the program has put there meanwhile stays.
            if owner.__dict__.get(name) is original:
                setattr(owner, name, outermost)

    setattr(owner, name, outermost)
