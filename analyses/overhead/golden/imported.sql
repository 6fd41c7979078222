-- why: an imported file has no overhead, and is not compared with a rung
INSERT INTO point (point_id, model, backend, device, precision, batch, settings, latency_ns, status) VALUES
  (1, 'net', 'PyTorch', 'cuda:0', 'float32', NULL, '{}', 1000, 'done');
INSERT INTO run (run_id, point_id, rung, status, path, samples, disturbed, latency_ns, latency_low_ns, latency_high_ns) VALUES
  (1, 1, 'imported', 'done', 'a', 1, 0, 1000, NULL, NULL);
INSERT INTO layer (point_id, layer_index, name, type, latency_ns, matched) VALUES (1, 0, 'a', 'aten::conv2d', 600, 'all');
INSERT INTO kernel (point_id, kernel_index, layer_index, name, type, duration_ns, matched) VALUES (1, 0, 0, 'k', 'kernel', 100, 'all');
