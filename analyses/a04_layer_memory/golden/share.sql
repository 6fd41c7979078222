-- why: shares are of what all layers allocate; a layer without memory known has none
INSERT INTO point (point_id, model, backend, device, precision, batch, settings, latency_ns, status) VALUES
  (1, 'm', 'pytorch', 'cpu', 'float32', 1, '{}', 200, 'done');
INSERT INTO run (run_id, point_id, rung, status, path) VALUES (1, 1, 'kernel', 'done', 'kernel-1');
INSERT INTO layer (point_id, layer_index, name, type, shape, allocated_bytes, peak_bytes, matched) VALUES
  (1, 0, 'a', 'conv', '[4]', 300, 400, 'all'),
  (1, 1, 'b', 'relu', '[4]', 0, 0, 'all'),
  (1, 2, 'c', 'conv', '[4]', NULL, NULL, 'all'),
  (1, 3, 'd', 'fc', '[4]', 100, 100, 'all');
