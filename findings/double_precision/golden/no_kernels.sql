-- why: without kernels the rule abstains
INSERT INTO point (point_id, model, backend, device, precision, batch, settings, latency_ns, status)
VALUES (2, 'm', 'b', 'cpu', 'float32', 8, '{}', 100e6, 'done');
INSERT INTO layer (point_id, layer_index, name, type, shape, path, latency_ns, matched) VALUES
  (2, 0, 'window', 'aten::mul', '[1]', 'front', 10e6, 'all'),
  (2, 1, 'bands', 'aten::matmul', '[1]', 'front', 40e6, 'all'),
  (2, 2, 'float', 'aten::to', '[1]', 'front', 2e6, 'all'),
  (2, 3, 'encoder', 'aten::linear', '[1]', 'e', 48e6, 'all');
