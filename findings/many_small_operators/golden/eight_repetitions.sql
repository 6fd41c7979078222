-- why: a loop of just enough repetitions
INSERT INTO point (point_id, model, backend, device, precision, batch, settings, latency_ns, status)
VALUES (1, 'm', 'b', 'cpu', 'float32', 1, '{}', 200e3, 'done');
INSERT INTO layer (point_id, layer_index, name, type, shape, latency_ns, gap_before_ns, path, matched)
SELECT 1, 0 + 3 * i + part, 'layer ' || 0 + 3 * i + part, ['aten::select', 'aten::matmul', 'aten::softmax'][part + 1],
       '[16,16]', [1e3, 8e3, 2e3][part + 1], 500, 'attention', 'all'
FROM range(8) AS r(i), range(3) AS p(part);
INSERT INTO layer (point_id, layer_index, name, type, shape, latency_ns, gap_before_ns, path, matched) VALUES
  (1, 24, 'output', 'aten::linear', '[16,512]', 50e3, 500, 'output', 'all');
