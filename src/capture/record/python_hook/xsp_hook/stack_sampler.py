"""Samples the Python call stacks of all threads of this process, from a thread of its own.

A sample is what sys._current_frames() shows: each thread's frames, whether it runs, waits for the
interpreter's lock or sleeps. So a sample stands for time of the clock, not of the CPU. The sampler has to
get that lock itself: while a thread holds it in C code without a break (a long call that does not release
it), the sampler waits, and the sample comes late, at the end of that call. Missed samples are left out and
counted, not made up.
"""

import os
import sys
import threading
import time

_KIND_PYTHON = 1  # xsp_stack_kind
_MOST_FRAMES = 500  # Deeper: the outermost are left out.
_MOST_STACKS = 1_000_000  # Then what is remembered is forgotten; the recording has it again.


class _Sampler:
    def __init__(self, recording, rate_hz):
        self._recording = recording
        self._period_s = 1.0 / rate_hz
        self._rate_hz = rate_hz
        # (stack of the caller, id of a code object) -> stack, and that code object: kept, so that no
        # other gets its id. It is no key itself, as its hash is made of all its constants each time.
        self._stacks = {}
        self._threads = {}  # Identity of a thread in Python -> its id in the system.
        self._own = None
        self.samples = 0
        self.late = 0

    def run(self):
        self._own = threading.get_ident()
        self._recording.fact("sampling.python.rate_hz", f"{self._rate_hz:g}")
        cpu_clock = time.CLOCK_THREAD_CPUTIME_ID
        begin_s = next_s = time.monotonic()
        told = 0
        while True:
            next_s += self._period_s
            wait_s = next_s - time.monotonic()
            if wait_s > 0:
                time.sleep(wait_s)
            else:  # Deadlines that passed are left out.
                missed = int(-wait_s / self._period_s) + 1
                self.late += missed
                next_s += missed * self._period_s
                time.sleep(max(0.0, next_s - time.monotonic()))
            self._take()
            # Facts take the last value that was written: enough to know it to a few per cent.
            if self.samples >= 2 * told + 10:
                told = self.samples
                self._tell(time.clock_gettime(cpu_clock) / max(time.monotonic() - begin_s, 1e-9))

    def _tell(self, cost):
        self._recording.fact("sampling.python.samples", str(self.samples))
        self._recording.fact("sampling.python.late", str(self.late))
        self._recording.fact("sampling.python.cost_pct", f"{100 * cost:.3f}")

    def _take(self):
        if not self._recording.levels_now():  # Recording is switched off.
            return
        self.samples += 1
        if len(self._stacks) > _MOST_STACKS:
            self._stacks.clear()
        for identity, frame in sys._current_frames().items():
            if identity != self._own:
                self._recording.sample(_KIND_PYTHON, self._thread_id(identity), self._stack_of(frame))

    def _stack_of(self, frame):
        codes = []
        while frame is not None and len(codes) < _MOST_FRAMES:
            codes.append(frame.f_code)
            frame = frame.f_back
        stack = 0
        stacks = self._stacks
        for code in reversed(codes):
            known = stacks.get((stack, id(code)))
            if known is None:
                made = self._recording.frame(stack, getattr(code, "co_qualname", code.co_name),
                                              os.path.basename(code.co_filename))
                if made == 0:  # Full: what is known of the stack is still true.
                    return stack
                known = stacks[stack, id(code)] = (made, code)
            stack = known[0]
        return stack

    def _thread_id(self, identity):
        known = self._threads.get(identity)
        if known is None:
            thread = threading._active.get(identity)  # enumerate() would wait for a lock.
            known = getattr(thread, "native_id", None) or 0
            if known:
                self._threads[identity] = known
            elif identity == threading.main_thread().ident:
                known = os.getpid()
        if len(self._threads) > 10_000:
            self._threads.clear()  # Threads come and go, and identities are used again.
        return known


def _begin(recording, rate_hz):
    def run():
        try:
            _Sampler(recording, rate_hz).run()
        except Exception as error:
            if not sys.is_finalizing():
                recording.problem("python_stacks_stopped", f"{type(error).__name__}: {error}",
                                  "Python call stacks end here; please report this.")

    # Not threading.Thread: it would show in the program's own threading.enumerate() and
    # active_count(), and be waited for nowhere all the same.
    import _signal
    import _thread
    # The program's signals are for its own threads: one that waits for them counts on it.
    before = _signal.pthread_sigmask(_signal.SIG_BLOCK, _signal.valid_signals())
    try:
        _thread.start_new_thread(run, ())
    finally:
        _signal.pthread_sigmask(_signal.SIG_SETMASK, before)


def start(rate_hz):
    """Samples from now to the end of the process, and in children that it forks; once a process."""
    from xsp_hook.recording import recording

    if not 0 < rate_hz <= 10_000:
        raise ValueError(f"rate of Python call stacks is out of range: {rate_hz} Hz")
    _begin(recording(), rate_hz)
    os.register_at_fork(after_in_child=lambda: _begin(recording(), rate_hz))
