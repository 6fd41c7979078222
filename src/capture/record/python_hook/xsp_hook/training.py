"""Whether a thread is inside something that trains, where its framework says so."""

import threading

_state = threading.local()


def is_training():
    return getattr(_state, "training", False)


def set_training(trains):
    """Returns what it was."""
    before = is_training()
    _state.training = trains
    return before
