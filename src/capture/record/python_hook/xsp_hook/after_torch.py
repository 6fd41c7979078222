"""PyTorch: operators through libxsp-torch-VERSION.so, model calls, and the phases of training steps."""

import ctypes
import functools
import os
import threading

from xsp_hook import recording as xsp
from xsp_hook.modules import Modules
from xsp_hook.outermost import wrap_outermost


def install(torch):
    recording = xsp.recording()
    recording.fact("framework.name", "PyTorch")
    recording.fact("framework.version", torch.__version__)
    recording.fact("torch.threads", torch.get_num_threads())
    if xsp.records(xsp.KERNEL):
        _settle_mkl(torch, recording)
    if xsp.records(xsp.LAYER):
        _observe_operators(torch, recording)
    _Phases(torch, recording)
    if xsp.records(xsp.LIBRARY):
        _watch_compilation(torch, recording)


def _settle_mkl(torch, recording):
    """When MKL first announces a call it measures the CPU's clock for a second: here, not in a layer."""
    if not torch.backends.mkl.is_available():
        return
    span = recording.begin(xsp.APPLICATION, "range", "MKL measures the CPU's clock, to announce calls")
    one = torch.ones(1, 1)
    torch.mm(one, one)
    recording.end(span)


def _observe_operators(torch, recording):
    version = ".".join(torch.__version__.split(".")[:2])
    library = os.path.join(xsp.libraries(), f"libxsp-torch-{version}.so")
    if not os.path.exists(library):
        recording.problem(
            "torch_operators_not_observed", f"there is no observer for PyTorch {torch.__version__}",
            "Build XSP's PyTorch worker with this program's Python: "
            "XSP_PYTHON=PATH/python3 tools/build. What lies below operators was recorded.")
        return
    ctypes.PyDLL(library).xsp_torch_observe()


def _is_compiling(torch):
    """Says whether torch.compile follows its caller; an older PyTorch cannot tell."""
    return getattr(getattr(torch, "compiler", None), "is_dynamo_compiling", lambda: False)


def _watch_compilation(torch, recording):
    """What torch.compile does when a function is called, as spans. Its compiler is imported with the first use."""
    original = getattr(torch, "compile", None)
    if original is None:
        return
    watched = []

    def watch():
        try:
            from torch._dynamo.callback import callback_handler
        except ImportError:  # Before PyTorch 2.3 there are none.
            return
        start_ns = []

        def started(*_):
            start_ns.append(recording.now_ns())

        def ended(*_):
            if start_ns:  # Else it began before we listened.
                began = start_ns.pop()
                recording.complete_in(0, xsp.LIBRARY, "compile", "torch.compile", began, recording.now_ns() - began)

        callback_handler.register_start_callback(started)
        callback_handler.register_end_callback(ended)

    @functools.wraps(original)
    def compile_later(*args, **kwargs):
        made = original(*args, **kwargs)
        if not watched:
            watched.append(True)
            watch()
        return made

    torch.compile = compile_later


class _Phases:
    """Outermost module calls, backward passes and optimiser steps as spans.

    A program that has made an optimiser trains: from the first forward or backward pass after an
    optimiser's step to the end of the next one is a step, a model call of type `train`, with the
    ranges forward, backward and optimizer in it. Several backward passes before a step are one step.
    A step is written when it is over: a range of the program that began before it may end in it.
    Module calls without gradients, or of a program without optimisers, are calls of type `predict`.
    """

    def __init__(self, torch, recording):
        self._torch = torch
        self._recording = recording
        self._optimisers = 0
        self._steps = threading.local()  # .start_ns: when this thread's open step began.
        self._modules = Modules(recording) if xsp.records(xsp.LAYER) else None
        wrap_outermost(torch.nn.Module, "__call__", self._forward, _is_compiling(torch),
                       self._modules and self._modules.inside)
        self._watch_backward()
        self._watch_optimisers()

    def _forward(self, call, module, args, kwargs):
        name = type(module).__name__
        recording = self._recording
        if self._modules:
            self._modules.enter(module)
        if self._optimisers and self._torch.is_grad_enabled():
            self._begin_step()
            span = recording.begin(xsp.APPLICATION, "range", "forward")
            recording.attribute(span, "module", name)
        elif self._is_in_step():
            # Evaluated in the middle of a step: part of it, not a call of its own.
            span = recording.begin(xsp.APPLICATION, "range", name)
        else:
            span = recording.begin(xsp.MODEL, "predict", name)
        try:
            return call(module, *args, **kwargs)
        finally:
            recording.end(span)

    def _watch_backward(self):
        original = self._torch.autograd.backward
        recording = self._recording

        @functools.wraps(original)
        def backward(*args, **kwargs):
            if self._optimisers:
                self._begin_step()
            span = recording.begin(xsp.APPLICATION, "range", "backward")
            try:
                return original(*args, **kwargs)
            finally:
                recording.end(span)

        self._torch.autograd.backward = backward

    def _watch_optimisers(self):
        from torch.optim import optimizer

        construct = optimizer.Optimizer.__init__
        phases = self
        spans = threading.local()

        @functools.wraps(construct)
        def constructed(self, *args, **kwargs):
            phases._optimisers += 1
            construct(self, *args, **kwargs)

        optimizer.Optimizer.__init__ = constructed

        def before(*_):
            self._recording.end(getattr(spans, "open", 0))  # One that an exception left.
            spans.open = self._recording.begin(xsp.APPLICATION, "range", "optimizer")

        def after(*_):
            self._recording.end(getattr(spans, "open", 0))
            spans.open = 0
            self._end_step()

        optimizer.register_optimizer_step_pre_hook(before)
        optimizer.register_optimizer_step_post_hook(after)

    def _is_in_step(self):
        return getattr(self._steps, "start_ns", 0) != 0

    def _begin_step(self):
        if not self._is_in_step():
            self._steps.start_ns = self._recording.now_ns()

    def _end_step(self):
        if self._is_in_step():
            start_ns = self._steps.start_ns
            self._recording.complete_in(0, xsp.MODEL, "train", "step", start_ns,
                                        self._recording.now_ns() - start_ns)
            self._steps.start_ns = 0
