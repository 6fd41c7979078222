-- why: an addition and its activation are no chain
INSERT INTO point (point_id, model, backend, device, precision, batch, settings, latency_ns, status)
VALUES (1, 'm', 'b', 'cpu', 'float32', 1, '{}', 100e6, 'done');
INSERT INTO layer (point_id, layer_index, name, type, shape, latency_ns, matched) VALUES
  (1, 0, 'c', 'aten::conv2d', '[4,64,56,56]', 40000000.0, 'all'),
  (1, 1, 'a', 'aten::add', '[4,64,56,56]', 30000000.0, 'all'),
  (1, 2, 'r', 'aten::relu', '[4,64,56,56]', 30000000.0, 'all');
