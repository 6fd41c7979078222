-- why: with one operator of a single instruction what bytes take is not known
INSERT INTO point (point_id, model, backend, device, precision, batch, settings, latency_ns, status)
VALUES (1, 'm', 'b', 'cpu', 'float32', 1, '{}', 100e6, 'done');
INSERT INTO layer (point_id, layer_index, name, type, shape, latency_ns, matched) VALUES
  (1, 0, 't', 'aten::tanh', '[4,64,56,56]', 40000000.0, 'all'),
  (1, 1, 'e', 'aten::exp', '[4,64,56,56]', 40000000.0, 'all'),
  (1, 2, 'm', 'aten::mul', '[4,64,56,56]', 20000000.0, 'all');
