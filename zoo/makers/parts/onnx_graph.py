"""The graph of an ONNX file as plain values, for makers that translate it into another framework's.

Made for convolutional networks that classify images: a translator offers a method for each of the operators that it
knows, and receives every node in order.
"""
import re
import sys

import numpy
import onnx
from onnx import numpy_helper


class Node:
    """op: the operator. name: the module it came from, as a path (layer1/layer1.0/conv1/Conv), unique in the graph.
    inputs: names of results and weights. attributes: name to Python value. output: the name of its result."""

    def __init__(self, node):
        self.op, self.inputs, self.output = node.op_type, list(node.input), node.output[0]
        self.name = re.sub(r"[^A-Za-z0-9_./]", "_", node.name).strip("/")
        self.attributes = {a.name: onnx.helper.get_attribute_value(a) for a in node.attribute}

    def get(self, name, otherwise=None):
        return self.attributes.get(name, otherwise)


class Graph:
    """nodes in order; weights: name to array; inputs: (name, dtype, shape with None for the batch); outputs: names."""

    def __init__(self, path):
        graph = onnx.load(path).graph
        self.weights = {w.name: numpy_helper.to_array(w) for w in graph.initializer}
        self.nodes = []
        for node in graph.node:
            if node.op_type == "Constant":
                self.weights[node.output[0]] = numpy_helper.to_array(node.attribute[0].t)
            else:
                self.nodes.append(Node(node))
        self.inputs = [(i.name, onnx.helper.tensor_dtype_to_np_dtype(i.type.tensor_type.elem_type),
                        [d.dim_value or None for d in i.type.tensor_type.shape.dim])
                       for i in graph.input if i.name not in self.weights]
        self.outputs = [o.name for o in graph.output]


def translate(graph, translator, values):
    """Calls translator.OPERATOR(node, *inputs) for every node, where inputs are what earlier calls returned or arrays.

    values: name of each of the graph's inputs to its value; the results are added. Ends the program with a line that
    names the operators that the translator lacks, before any work is done.
    """
    lacking = sorted({node.op for node in graph.nodes if not hasattr(translator, node.op)})
    if lacking:
        sys.exit(f"operators that cannot be translated: {', '.join(lacking)}")
    for node in graph.nodes:
        inputs = [values[name] if name in values else graph.weights[name] for name in node.inputs]
        values[node.output] = getattr(translator, node.op)(node, *inputs)
    return values


def window(node):
    """Strides and padding of a convolution or pooling over two axes: (strides, before, after). Ends the program where
    there is more to it (dilation, automatic padding, rounding up)."""
    if list(node.get("dilations", [1, 1])) != [1, 1] or node.get("ceil_mode", 0) or \
            node.get("auto_pad", b"NOTSET") != b"NOTSET":
        sys.exit(f"{node.op} with dilation, rounding up or automatic padding cannot be translated: {node.name}")
    pads = list(node.get("pads", [0, 0, 0, 0]))
    return list(node.get("strides", [1, 1])), pads[:2], pads[2:]


def limits(node, *arrays):
    """Lower and upper limit of a Clip: inputs since opset 11, attributes before."""
    if arrays:
        low, high = (float(numpy.asarray(array).reshape(())) for array in arrays)
    else:
        low, high = node.get("min"), node.get("max")
    return low, high
