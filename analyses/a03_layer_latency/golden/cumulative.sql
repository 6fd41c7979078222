-- why: the cumulative share ends at 1 of the layers, the latency share is of the model
INSERT INTO point (point_id, model, backend, device, precision, batch, settings, latency_ns, status) VALUES
  (1, 'm', 'pytorch', 'cpu', 'float32', 1, '{}', 200, 'done');
INSERT INTO run (run_id, point_id, rung, status, path) VALUES (1, 1, 'kernel', 'done', 'kernel-1');
INSERT INTO layer (point_id, layer_index, name, type, latency_ns, gap_before_ns, matched) VALUES
  (1, 0, 'a', 'conv', 60, 5, 'all'),
  (1, 1, 'b', 'relu', 20, 0, 'all'),
  (1, 2, 'c', 'conv', 80, 35, 'all');
