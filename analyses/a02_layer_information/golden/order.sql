-- why: layers come in execution order of each point, with their share of the model latency; what is not known stays empty
INSERT INTO point (point_id, model, backend, device, precision, batch, settings, latency_ns, status) VALUES
  (1, 'm', 'pytorch', 'cpu', 'float32', 1, '{}', 100, 'done'),
  (2, 'm', 'pytorch', 'cpu', 'float32', 2, '{}', NULL, 'done');
INSERT INTO run (run_id, point_id, rung, status, path) VALUES (1, 1, 'kernel', 'done', 'kernel-1');
INSERT INTO layer (point_id, layer_index, name, type, shape, latency_ns, allocated_bytes, matched) VALUES
  (1, 1, 'relu', 'aten::relu', '[1,64]', 20, 256, 'all'),
  (1, 0, 'conv1', 'aten::conv2d', '[1,64]', 60, 4096, 'all'),
  (2, 0, 'conv1', 'aten::conv2d', NULL, 110, NULL, 'all');
