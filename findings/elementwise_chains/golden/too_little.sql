-- why: three operators, which would save just below 5 % of a call
INSERT INTO point (point_id, model, backend, device, precision, batch, settings, latency_ns, status)
VALUES (1, 'm', 'b', 'cpu', 'float32', 1, '{}', 100e6, 'done');
INSERT INTO layer (point_id, layer_index, name, type, shape, latency_ns, matched) VALUES
  (1, 0, 'c', 'aten::conv2d', '[4,64,56,56]', 92600000.0, 'all'),
  (1, 1, 'm0', 'aten::mul', '[4,64,56,56]', 2460000.0, 'all'),
  (1, 2, 'm1', 'aten::mul', '[4,64,56,56]', 2460000.0, 'all'),
  (1, 3, 'm2', 'aten::mul', '[4,64,56,56]', 2460000.0, 'all');
