#!/usr/bin/env python3
"""Makes the ONNX file of a model of the zoo, with a free batch size. No network needed.

Usage: onnx.py ZOO_FOLDER OUTPUT
"""
# needs: torch, onnx, yaml
# imports: model.py
import pathlib
import sys
import warnings

# A maker has the name of its format, which may be that of a package: its folder must not be searched.
MAKERS = pathlib.Path(__file__).resolve().parent
sys.path[:] = [str(MAKERS / "parts")] + [p for p in sys.path if pathlib.Path(p).resolve() != MAKERS]

import onnx
import torch
import zoo_model

OPSET = 17  # Unless model.py says ONNX_OPSET.


def main(folder, output):
    # The exporter that follows the modules: its nodes are named by them (/layer1/layer1.0/conv1/Conv),
    # so that layers can be identified across frameworks. PyTorch announces that it will be replaced.
    # The model is in inference mode already; PRESERVE only keeps the exporter from folding batch normalisation into
    # convolutions, which is for each backend to do or not.
    warnings.simplefilter("ignore", DeprecationWarning)
    warnings.filterwarnings("ignore", message="It is recommended that constant folding be turned off")
    model = zoo_model.load(folder)
    described, outputs = zoo_model.inputs(folder), zoo_model.outputs(folder)
    axes = {item["name"]: {i: "batch" for i, size in enumerate(item["shape"]) if size == "batch"}
            for item in described + outputs if "shape" in item}
    torch.onnx.export(model, zoo_model.example(described, 2), output, dynamo=False,
                      opset_version=zoo_model.setting(folder, "ONNX_OPSET", OPSET),
                      training=torch.onnx.TrainingMode.PRESERVE,
                      input_names=[item["name"] for item in described],
                      output_names=[item["name"] for item in outputs], dynamic_axes=axes)
    graph = onnx.load(output)
    drop_copies_of_weights(graph.graph)
    onnx.checker.check_model(graph, full_check=True)
    onnx.save(graph, output)


def drop_copies_of_weights(graph):
    """Weights of equal values (biases of zeros) are stored once and copied by Identity nodes, which are
    no layers of the model: their readers read the stored one instead."""
    stored = {weight.name for weight in graph.initializer}
    results = {output.name for output in graph.output}
    copies = {}
    for node in list(graph.node):
        if node.op_type == "Identity" and node.input[0] in stored and node.output[0] not in results:
            copies[node.output[0]] = node.input[0]
            graph.node.remove(node)
    for node in graph.node:
        node.input[:] = [copies.get(name, name) for name in node.input]


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
