-- why: an operator of another kind or another shape ends a chain
INSERT INTO point (point_id, model, backend, device, precision, batch, settings, latency_ns, status)
VALUES (1, 'm', 'b', 'cpu', 'float32', 1, '{}', 100e6, 'done');
INSERT INTO layer (point_id, layer_index, name, type, shape, latency_ns, matched) VALUES
  (1, 0, 'a', 'aten::add', '[4,64,56,56]', 20000000.0, 'all'),
  (1, 1, 'm', 'aten::mul', '[4,64,56,56]', 20000000.0, 'all'),
  (1, 2, 's', 'aten::softmax', '[4,64,56,56]', 5000000.0, 'all'),
  (1, 3, 'd', 'aten::div', '[4,64,56,56]', 20000000.0, 'all'),
  (1, 4, 'n', 'aten::neg', '[4,64,56,56]', 20000000.0, 'all'),
  (1, 5, 'x', 'aten::mul', '[4,64,112,112]', 15000000.0, 'all');
