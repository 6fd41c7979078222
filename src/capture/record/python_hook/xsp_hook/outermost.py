"""Model calls of a framework: a method that calls itself in turn, of which the outermost counts."""

import functools
import threading


class _Thread(threading.local):
    inside = False


def wrap_outermost(owner, name, around, is_traced=lambda: False, inside=None):
    """Replaces owner.name, for good, so that its outermost call on each thread is made through `around`.

    around(call, self, args, kwargs) makes the call and returns its result. Calls inside it are made through
    `inside` in the same way. Where there is none they go straight to the original, as those do that a
    compiler follows (is_traced() says so): that costs some 0.2 us each. Putting the original back for that time would cost more: to change a method of a class makes
    the interpreter forget what it knows of all its subclasses, and from Python 3.13 on, after a
    thousand times, for good.
    """
    original = getattr(owner, name)
    thread = _Thread()

    @functools.wraps(original)
    def outermost(self, *args, **kwargs):
        if is_traced():
            return original(self, *args, **kwargs)
        if thread.inside:
            return inside(original, self, args, kwargs) if inside else original(self, *args, **kwargs)
        thread.inside = True
        try:
            return around(original, self, args, kwargs)
        finally:
            thread.inside = False

    setattr(owner, name, outermost)
