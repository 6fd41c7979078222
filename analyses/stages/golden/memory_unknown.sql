-- why: a quantity that is not known keeps its row, without a stage
INSERT INTO point (point_id, model, backend, device, precision, batch, settings, latency_ns, status) VALUES
  (1, 'm', 'pytorch', 'cpu', 'float32', 1, '{}', 200, 'done');
INSERT INTO run (run_id, point_id, rung, status, path) VALUES (1, 1, 'kernel', 'done', 'kernel-1');
INSERT INTO layer (point_id, layer_index, name, type, latency_ns, matched) VALUES
  (1, 0, 'a', 'conv', 60, 'all'),
  (1, 1, 'b', 'conv', 10, 'all');
