"""Keras: whether a compiled step that TensorFlow runs trains or not; fit, evaluate and predict as ranges."""

from xsp_hook import recording as xsp
from xsp_hook import training
from xsp_hook.outermost import wrap_outermost


def install(keras):
    recording = xsp.recording()
    recording.fact("keras.version", keras.__version__)

    def watch(method, trains):
        def around(call, self, args, kwargs):
            span = recording.begin(xsp.APPLICATION, "range", method)
            before = training.set_training(trains)
            try:
                return call(self, *args, **kwargs)
            finally:
                training.set_training(before)
                recording.end(span)

        wrap_outermost(keras.Model, method, around)

    for method, trains in (("fit", True), ("train_on_batch", True), ("evaluate", False), ("predict", False)):
        watch(method, trains)
