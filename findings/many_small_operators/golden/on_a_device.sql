-- why: on a device the finding is not made
INSERT INTO point (point_id, model, backend, device, precision, batch, settings, latency_ns, status)
VALUES (1, 'm', 'b', 'cuda:0', 'float32', 1, '{}', 200e3, 'done');
INSERT INTO run (run_id, point_id, rung, status, path, latency_ns, samples) VALUES (1, 1, 'kernel', 'done', 'a', 200e3, 2);
INSERT INTO device_time VALUES (1, NULL, 0, NULL, 0, 1000, 1000, 0, 1000, 0, 0, 0, 0, 0, 4);
INSERT INTO layer (point_id, layer_index, name, type, shape, latency_ns, gap_before_ns, path, matched)
SELECT 1, 0 + 3 * i + part, 'layer ' || 0 + 3 * i + part, ['aten::select', 'aten::matmul', 'aten::softmax'][part + 1],
       '[16,16]', [1e3, 8e3, 2e3][part + 1], 500, 'attention', 'all'
FROM range(10) AS r(i), range(3) AS p(part);
INSERT INTO layer (point_id, layer_index, name, type, shape, latency_ns, gap_before_ns, path, matched) VALUES
  (1, 30, 'output', 'aten::linear', '[16,512]', 50e3, 500, 'output', 'all');
UPDATE layer SET device_ns = 100;
