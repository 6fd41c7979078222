-- why: most memory first; a point without memory keeps its types, empty
INSERT INTO point (point_id, model, backend, device, precision, batch, settings, latency_ns, status) VALUES
  (1, 'm', 'pytorch', 'cpu', 'float32', 1, '{}', 200, 'done'),
  (2, 'm', 'pytorch', 'cpu', 'float32', 2, '{}', 400, 'done');
INSERT INTO run (run_id, point_id, rung, status, path) VALUES (1, 1, 'kernel', 'done', 'kernel-1');
INSERT INTO layer (point_id, layer_index, name, type, latency_ns, allocated_bytes, matched) VALUES
  (1, 0, 'a', 'conv', 60, 300, 'all'),
  (1, 1, 'b', 'relu', 20, 0, 'all'),
  (1, 2, 'c', 'conv', 70, 100, 'all'),
  (1, 3, 'd', 'add', 20, 100, 'all'),
  (2, 0, 'a', 'conv', NULL, NULL, 'all');
