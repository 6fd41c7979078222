-- why: one linear layer for each feature, each a module of its own, whose results are joined
INSERT INTO point (point_id, model, backend, device, precision, batch, settings, latency_ns, status)
VALUES (1, 'm', 'b', 'cpu', 'float32', 1, '{}', 100e3, 'done');
INSERT INTO layer (point_id, layer_index, name, type, shape, latency_ns, gap_before_ns, path, matched)
SELECT 1, i, 'features.' || i, 'aten::linear', '[16,8]', 3e3, 200, 'features.' || i, 'all' FROM range(20) AS r(i);
INSERT INTO layer (point_id, layer_index, name, type, shape, latency_ns, gap_before_ns, path, matched) VALUES
  (1, 20, 'cat', 'aten::cat', '[16,160]', 8e3, 200, NULL, 'all');
