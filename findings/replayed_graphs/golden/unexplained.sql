-- why: a replayed graph whose kernels belong to no layer
INSERT INTO point (point_id, model, backend, device, precision, batch, settings, latency_ns, status)
VALUES (2, 'm', 'b', 'cpu', 'float32', 8, '{}', 40e6, 'done');
INSERT INTO kernel (point_id, kernel_index, layer_index, name, type, duration_ns, placed_by, matched) VALUES
  (2, 0, NULL, 'k0', 'kernel', 30e6, NULL, 'all');
INSERT INTO diagnostic (name, count, example, hint)
VALUES ('correlate_replay_unexplained', 544, '', '');
