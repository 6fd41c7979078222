-- why: compared is what the table says; without a comparison nothing is claimed (not separable); details, further processes of a rung and pairs of processes have no row; a rung whose step above is not known has no total
INSERT INTO point (point_id, model, backend, device, precision, batch, settings, latency_ns, latency_low_ns, latency_high_ns, status) VALUES
  (1, 'net', 'PyTorch 2', 'cpu', 'float32', 4, '{}', 1000, 990, 1010, 'done'),
  (2, 'net', 'OpenVINO 2026', 'cpu', 'bfloat16', 4, '{}', 2000, 1900, 2100, 'done'),
  (3, 'net', 'ONNX Runtime 1', 'cpu', 'default', 4, '{}', 3000, 3000, 3000, 'done');
INSERT INTO run (run_id, point_id, rung, status, path, samples, disturbed, latency_ns, latency_low_ns, latency_high_ns,
                 overhead_ns, overhead_ratio, overhead_ratio_low, overhead_ratio_high, baseline_ns, process, process_pair,
                 overhead_basis, overhead_units) VALUES
  (1, 1, 'model', 'done', 'a', 30, 0, 1000, 970, 1030, NULL, NULL, NULL, NULL, NULL, 1, NULL, NULL, NULL),
  (2, 1, 'kernel', 'done', 'b', 30, 2, 1500, 1440, 1560, 300, 0.25, 0.2, 0.3, 1200, 1, NULL, 'pairs of calls', 30),
  (3, 1, 'layer', 'done', 'c', 30, 1, 1250, 1200, 1300, 250, 0.25, 0.1, 0.4, 1000, 1, NULL, 'pairs of blocks', 6),
  (4, 1, 'details', 'done', 'd', 3, 0, 9999, 9999, 9999, NULL, NULL, NULL, NULL, NULL, 1, NULL, NULL, NULL),
  (5, 2, 'model', 'done', 'e', 30, 0, 2000, 1900, 2100, NULL, NULL, NULL, NULL, NULL, 1, NULL, NULL, NULL),
  (6, 2, 'layer', 'done', 'f', 30, 0, 2200, 2200, 2200, NULL, NULL, NULL, NULL, NULL, 1, NULL, NULL, NULL),
  (7, 2, 'kernel', 'done', 'g', 30, 0, 2640, 2640, 2640, 240, 0.1, 0.05, 0.15, 2400, 1, NULL, 'pairs of processes', 5),
  (8, 3, 'model', 'done', 'h', 30, 0, 3000, 3000, 3000, NULL, NULL, NULL, NULL, NULL, 1, NULL, NULL, NULL),
  (10, 1, 'model', 'done', 'a2', 30, 0, 1100, 1070, 1130, NULL, NULL, NULL, NULL, NULL, 2, NULL, NULL, NULL),
  (11, 2, 'kernel', 'done', 'g1', 30, 0, 2600, 2600, 2600, NULL, NULL, NULL, NULL, NULL, 1, 1, NULL, NULL),
  (9, 3, 'layer', 'failed', 'i', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO layer (point_id, layer_index, name, type, latency_ns, matched) VALUES
  (1, 0, 'a', 'conv2d', 600, 'all'), (1, 1, 'b', 'relu', 300, 'all'), (2, 0, 'c', 'Convolution', 2000, 'all');
INSERT INTO kernel (point_id, kernel_index, layer_index, name, type, duration_ns, matched) VALUES
  (1, 0, 0, 'k', 'primitive', 100, 'all'), (1, 1, 0, 'l', 'primitive', 100, 'all'), (1, 2, 1, 'm', 'native', 100, 'all'),
  (2, 0, 0, 'n', 'primitive', 100, 'all');
