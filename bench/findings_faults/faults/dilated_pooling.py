"""A dilated max pooling after convolutions, for which OpenVINO's oneDNN has a reference implementation only. Repaired: the same pooling without
dilation on each of the four grids of every second pixel (SpaceToDepth, MaxPool, DepthToSpace)."""
RULE = "reference_implementations"
GAIN = True
CHANNELS, SIZE = 32, 28


def build(folder, repaired):
    import numpy
    import onnx
    from onnx import TensorProto, helper, numpy_helper

    random = numpy.random.default_rng(1)
    nodes, weights, last = [], [], "x"
    for index in range(6):
        weights.append(numpy_helper.from_array(random.normal(0, 0.1, (CHANNELS, CHANNELS, 3, 3)).astype("float32"), f"weight{index}"))
        nodes.append(helper.make_node("Conv", [last, f"weight{index}"], [f"conv{index}"], name=f"conv{index}", pads=[1] * 4))
        nodes.append(helper.make_node("Relu", [f"conv{index}"], [f"relu{index}"], name=f"relu{index}"))
        last = f"relu{index}"
    if repaired:
        nodes += [helper.make_node("SpaceToDepth", [last], ["grids"], name="grids", blocksize=2),
                  helper.make_node("MaxPool", ["grids"], ["pooled"], name="pool", kernel_shape=[3, 3], pads=[1] * 4),
                  helper.make_node("DepthToSpace", ["pooled"], ["y"], name="joined", blocksize=2)]
    else:
        nodes.append(helper.make_node("MaxPool", [last], ["y"], name="pool", kernel_shape=[3, 3], dilations=[2, 2], pads=[2] * 4))

    def tensor(name):
        return helper.make_tensor_value_info(name, TensorProto.FLOAT, [1, CHANNELS, SIZE, SIZE])

    graph = helper.make_graph(nodes, "pooling", [tensor("x")], [tensor("y")], weights)
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), str(folder / "model.onnx"))
    return ["run", str(folder / "model.onnx"), "--backend", "openvino", "--threads", "1", "--time-limit", "3"]
