#!/usr/bin/env python3
"""Makes the MXNet files of a convolutional network of the zoo: OUTPUT-symbol.json and OUTPUT-0000.params, which is how
mxnet.model.load_checkpoint(OUTPUT, 0) finds them. The weights are those of the other formats: it is translated from the
model's ONNX file.

Usage: mxnet.py ZOO_FOLDER OUTPUT
"""
# needs: mxnet, onnx, yaml
# imports: onnx.py
import pathlib
import sys

# A maker has the name of its format, which may be that of a package: its folder must not be searched.
MAKERS = pathlib.Path(__file__).resolve().parent
sys.path[:] = [str(MAKERS / "parts")] + [p for p in sys.path if pathlib.Path(p).resolve() != MAKERS]

import onnx_first
import onnx_graph
import mxnet as mx


class Translator:
    """One method for each ONNX operator. Values are NCHW, as in ONNX."""

    def __init__(self):
        self.arguments, self.states, self.variables = {}, {}, {}

    def weight(self, name, array):
        return self._stored(self.arguments, name, array)

    def state(self, name, array):
        return self._stored(self.states, name, array)

    def _stored(self, where, name, array):
        # ONNX stores equal weights once: a name may come again, and stands for one variable.
        if name not in self.variables:
            where[name] = mx.nd.array(array, dtype=array.dtype)
            self.variables[name] = mx.sym.var(name)
        return self.variables[name]

    def Conv(self, node, x, filters, bias=None):
        strides, before, after = onnx_graph.window(node)
        if before != after:
            sys.exit(f"a convolution with different padding on both sides cannot be translated: {node.name}")
        weights = [self.weight(name, array) for name, array in zip(node.inputs[1:], (filters, bias))]
        return mx.sym.Convolution(x, *weights, kernel=filters.shape[2:], stride=strides, pad=before,
                                  num_filter=filters.shape[0], num_group=node.get("group", 1), no_bias=bias is None,
                                  name=node.name)

    def BatchNormalization(self, node, x, scale, offset, mean, variance):
        # Its names are not those of the ONNX file, where equal weights may be shared: MXNet tells parameters from
        # states by name.
        return mx.sym.BatchNorm(x, self.weight(node.name + "_gamma", scale), self.weight(node.name + "_beta", offset),
                                self.state(node.name + "_moving_mean", mean),
                                self.state(node.name + "_moving_var", variance),
                                eps=node.get("epsilon", 1e-5), fix_gamma=False, use_global_stats=True, name=node.name)

    def Relu(self, node, x):
        return mx.sym.Activation(x, act_type="relu", name=node.name)

    def Clip(self, node, x, *limits):
        return mx.sym.clip(x, *onnx_graph.limits(node, *limits), name=node.name)

    def Sigmoid(self, node, x):
        return mx.sym.Activation(x, act_type="sigmoid", name=node.name)

    def Softmax(self, node, x):
        return mx.sym.softmax(x, axis=node.get("axis", -1), name=node.name)

    def MaxPool(self, node, x):
        return self._pool(node, x, "max")

    def AveragePool(self, node, x):
        return self._pool(node, x, "avg", count_include_pad=bool(node.get("count_include_pad", 0)))

    def _pool(self, node, x, kind, **options):
        strides, before, after = onnx_graph.window(node)
        if before != after:
            sys.exit(f"pooling with different padding on both sides cannot be translated: {node.name}")
        return mx.sym.Pooling(x, pool_type=kind, kernel=node.get("kernel_shape"), stride=strides, pad=before,
                              name=node.name, **options)

    def GlobalAveragePool(self, node, x):
        return mx.sym.Pooling(x, pool_type="avg", global_pool=True, kernel=(1, 1), name=node.name)

    def Add(self, node, x, y):
        return mx.sym.elemwise_add(x, y, name=node.name)

    def Mul(self, node, x, y):
        return mx.sym.broadcast_mul(x, y, name=node.name)

    def Concat(self, node, *parts):
        return mx.sym.concat(*parts, dim=node.get("axis"), name=node.name)

    def Flatten(self, node, x):
        return mx.sym.flatten(x, name=node.name)

    def Gemm(self, node, x, matrix, bias):
        matrix = matrix if node.get("transB", 0) else matrix.T
        return mx.sym.FullyConnected(x, self.weight(node.inputs[1], matrix), self.weight(node.inputs[2], bias),
                                     num_hidden=matrix.shape[0], name=node.name)


def main(folder, output):
    with onnx_first.onnx_file(folder) as path:
        graph = onnx_graph.Graph(path)
    translator = Translator()
    inputs = {name: mx.sym.var(name) for name, _, _ in graph.inputs}
    values = onnx_graph.translate(graph, translator, dict(inputs))
    results = [values[name] for name in graph.outputs]
    symbol = results[0] if len(results) == 1 else mx.sym.Group(results)
    mx.model.save_checkpoint(output, 0, symbol, translator.arguments, translator.states)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
