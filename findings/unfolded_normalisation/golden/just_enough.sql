-- why: just 5 % of a call; in a graph of ONNX
INSERT INTO point (point_id, model, backend, device, precision, batch, settings, latency_ns, status)
VALUES (1, 'm', 'b', 'cpu', 'float32', 1, '{}', 100e6, 'done');
INSERT INTO layer (point_id, layer_index, name, type, shape, latency_ns, matched) VALUES
  (1, 0, 'c', 'Conv', '[1,8,9,9]', 95000000.0, 'all'),
  (1, 1, 'b', 'BatchNormalization', '[1,8,9,9]', 5000000.0, 'all');
