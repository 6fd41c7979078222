-- why: a stack of modules, whose layers repeat in modules of their own, is no loop
INSERT INTO point (point_id, model, backend, device, precision, batch, settings, latency_ns, status)
VALUES (1, 'm', 'b', 'cpu', 'float32', 1, '{}', 400e3, 'done');
INSERT INTO layer (point_id, layer_index, name, type, shape, latency_ns, gap_before_ns, path, matched)
SELECT 1, 0 + 5 * i + part, 'layer ' || 0 + 5 * i + part, ['aten::chunk', 'aten::matmul', 'aten::softmax', 'aten::linear', 'aten::relu'][part + 1],
       '[16,16]', [1e3, 3e3, 2e3, 3e3, 2e3][part + 1], 500, 'blocks.' || i, 'all'
FROM range(10) AS r(i), range(5) AS p(part);
