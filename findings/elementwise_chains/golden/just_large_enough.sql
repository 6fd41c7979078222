-- why: just 65536 elements
INSERT INTO point (point_id, model, backend, device, precision, batch, settings, latency_ns, status)
VALUES (1, 'm', 'b', 'cpu', 'float32', 1, '{}', 100e6, 'done');
INSERT INTO layer (point_id, layer_index, name, type, shape, latency_ns, matched) VALUES
  (1, 0, 'm0', 'aten::mul', '[256,256]', 20000000.0, 'all'),
  (1, 1, 'm1', 'aten::mul', '[256,256]', 20000000.0, 'all'),
  (1, 2, 'm2', 'aten::mul', '[256,256]', 20000000.0, 'all'),
  (1, 3, 'm3', 'aten::mul', '[256,256]', 20000000.0, 'all'),
  (1, 4, 'm4', 'aten::mul', '[256,256]', 20000000.0, 'all');
