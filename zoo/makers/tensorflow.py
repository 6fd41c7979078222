#!/usr/bin/env python3
"""Makes the TensorFlow SavedModel of a convolutional network of the zoo, with the weights of the other formats.

The input is NCHW as in the other formats, and transposed once: inside, everything is NHWC, which is what
TensorFlow computes in on a CPU. It is translated from the model's ONNX file.

Usage: tensorflow.py ZOO_FOLDER OUTPUT
"""
# needs: tensorflow, onnx, yaml
# imports: onnx.py
import os
import pathlib
import sys

# A maker has the name of its format, which may be that of a package: its folder must not be searched.
MAKERS = pathlib.Path(__file__).resolve().parent
sys.path[:] = [str(MAKERS / "parts")] + [p for p in sys.path if pathlib.Path(p).resolve() != MAKERS]
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "-1")

import onnx_first
import onnx_graph
import tensorflow as tf


class Translator:
    """One method for each ONNX operator. Values of four axes are NHWC. Weights become variables, once each."""

    def __init__(self):
        self.variables = {}

    def weight(self, name, array):
        if name not in self.variables:
            # The initial value is taken out of the graph that is being traced.
            with tf.init_scope():
                self.variables[name] = tf.Variable(array, trainable=False, name=name.replace(".", "/"))
        return self.variables[name]

    def Conv(self, node, x, filters, bias=None):
        groups, (strides, before, after) = node.get("group", 1), onnx_graph.window(node)
        padding = [[0, 0], [before[0], after[0]], [before[1], after[1]], [0, 0]]
        if groups == 1:
            y = tf.nn.conv2d(x, self.weight(node.inputs[1], filters.transpose(2, 3, 1, 0)), strides, padding)
        elif filters.shape[1] == 1:
            # ONNX has the channels of a depthwise convolution first, by group; TensorFlow last, as [input, multiple].
            depthwise = filters.reshape(groups, -1, *filters.shape[2:]).transpose(2, 3, 0, 1)
            y = tf.nn.depthwise_conv2d(x, self.weight(node.inputs[1], depthwise), [1, *strides, 1], padding)
        else:
            sys.exit(f"a convolution in groups that is not depthwise cannot be translated: {node.name}")
        return y if bias is None else tf.nn.bias_add(y, self.weight(node.inputs[2], bias))

    def BatchNormalization(self, node, x, scale, offset, mean, variance):
        weights = [self.weight(name, array) for name, array in zip(node.inputs[1:], (scale, offset, mean, variance))]
        return tf.compat.v1.nn.fused_batch_norm(x, *weights, epsilon=node.get("epsilon", 1e-5), is_training=False)[0]

    def Relu(self, node, x):
        return tf.nn.relu(x)

    def Clip(self, node, x, *limits):
        low, high = onnx_graph.limits(node, *limits)
        return tf.nn.relu6(x) if (low, high) == (0, 6) else tf.clip_by_value(x, low, high)

    def Sigmoid(self, node, x):
        return tf.sigmoid(x)

    def Softmax(self, node, x):
        return tf.nn.softmax(x, -1 if x.shape.rank < 4 else {1: 3, 2: 1, 3: 2}[node.get("axis", -1) % 4])

    def MaxPool(self, node, x):
        strides, before, after = onnx_graph.window(node)
        padding = [[0, 0], [before[0], after[0]], [before[1], after[1]], [0, 0]]
        return tf.nn.max_pool2d(x, list(node.get("kernel_shape")), strides, padding)

    def AveragePool(self, node, x):
        strides, before, after = onnx_graph.window(node)
        if any(before + after):
            sys.exit(f"padded average pooling cannot be translated: {node.name}")
        return tf.nn.avg_pool2d(x, list(node.get("kernel_shape")), strides, "VALID")

    def GlobalAveragePool(self, node, x):
        return tf.reduce_mean(x, [1, 2], keepdims=True)

    def Add(self, node, x, y):
        return tf.add(x, y)

    def Mul(self, node, x, y):
        return tf.multiply(x, y)

    def Concat(self, node, *parts):
        return tf.concat(parts, {0: 0, 1: 3, 2: 1, 3: 2}[node.get("axis") % 4] if parts[0].shape.rank == 4 else
                         node.get("axis"))

    def Flatten(self, node, x):
        # In the order of NCHW, which the weights of the next layer are in.
        return tf.reshape(tf.transpose(x, [0, 3, 1, 2]), [-1, x.shape[1] * x.shape[2] * x.shape[3]])

    def Gemm(self, node, x, matrix, bias):
        matrix = matrix.T if node.get("transB", 0) else matrix
        return tf.nn.bias_add(tf.matmul(x, self.weight(node.inputs[1], matrix)), self.weight(node.inputs[2], bias))


class Named:
    """Calls the translator's methods inside a name scope: operators are named by the modules they came from."""

    def __init__(self, translator):
        self.translator = translator

    def __getattr__(self, op):
        method = getattr(self.translator, op)

        def call(node, *inputs):
            with tf.name_scope(node.name):
                return method(node, *inputs)
        return call


def main(folder, output):
    with onnx_first.onnx_file(folder) as path:
        graph = onnx_graph.Graph(path)
    module, translator = tf.Module(), Translator()

    def predict(*tensors):
        values = {}
        for (name, _, shape), tensor in zip(graph.inputs, tensors):
            values[name] = tf.transpose(tensor, [0, 2, 3, 1], name="to_nhwc") if len(shape) == 4 else tensor
        values = onnx_graph.translate(graph, Named(translator), values)
        return {name: as_nchw(values[name]) for name in graph.outputs}

    signature = [tf.TensorSpec(shape, dtype, name) for name, dtype, shape in graph.inputs]
    module.predict = tf.function(predict, input_signature=signature)
    function = module.predict.get_concrete_function()
    module.weights = list(translator.variables.values())
    tf.saved_model.save(module, output, signatures={"serving_default": function})


def as_nchw(x):
    return tf.transpose(x, [0, 3, 1, 2]) if x.shape.rank == 4 else x


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
