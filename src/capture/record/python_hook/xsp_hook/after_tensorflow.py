"""TensorFlow: calls of compiled functions. Its operators cannot be had from outside without a change of
the program: below a call stand the primitives that oneDNN announces."""

from xsp_hook import recording as xsp
from xsp_hook import training
from xsp_hook.outermost import wrap_outermost


def install(tensorflow):
    recording = xsp.recording()
    recording.fact("framework.name", "TensorFlow")
    recording.fact("framework.version", tensorflow.__version__)
    function = type(tensorflow.function(lambda: None))

    def around(call, self, args, kwargs):
        name = getattr(getattr(self, "python_function", None), "__name__", "function")
        trains = training.is_training() or "train" in name
        span = recording.begin(xsp.MODEL, "train" if trains else "predict", name)
        try:
            return call(self, *args, **kwargs)
        finally:
            recording.end(span)

    wrap_outermost(function, "__call__", around)
