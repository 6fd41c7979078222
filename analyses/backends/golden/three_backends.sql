-- why: the fastest first with its rivals' ratios; one that failed stands last with its reason; results against the first named
INSERT INTO point (point_id, model, backend, device, precision, batch, settings, latency_ns, latency_low_ns, latency_high_ns, status) VALUES
  (1, 'net', 'PyTorch 2', 'cpu', 'float32', 4, '{}', 4000, 3900, 4100, 'done'),
  (2, 'net', 'OpenVINO 2026', 'cpu', 'bfloat16', 4, '{}', 2000, 1900, 2100, 'done'),
  (3, 'net', 'ONNX Runtime 1', 'cpu', 'default', 4, '{}', 2050, 1950, 2200, 'done'),
  (4, 'net', 'mxnet', 'cpu', 'default', 4, '{}', NULL, NULL, NULL, 'failed'),
  (5, 'net', 'PyTorch 2', 'cpu', 'float32', 8, '{}', 7000, 6900, 7100, 'done');
INSERT INTO run (run_id, point_id, rung, status, path, samples, threads, graph, precision, load_ns, first_call_ns, peak_resident_bytes, message) VALUES
  (1, 1, 'model', 'done', 'a', 30, 2, 'eager', 'default', 100, 50, 1000, NULL),
  (2, 1, 'kernel', 'done', 'b', 30, 3, 'other', 'default', 999, 999, 9999, NULL),
  (3, 2, 'model', 'done', 'c', 30, 2, 'static', 'bfloat16', 300, 10, 2000, NULL),
  (4, 3, 'model', 'done', 'd', 30, 2, 'all', 'float32', 80, 9, 500, NULL),
  (5, 4, 'model', 'failed', 'e', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'no worker'),
  (6, 5, 'model', 'done', 'f', 30, 2, 'eager', 'default', 100, 50, 1000, NULL);
INSERT INTO comparison VALUES
  (1, 2, 2, 1.9, 2.1, 0.001, 1, 'large', 2, 'slower'), (2, 1, 0.5, 0.47, 0.53, 0.001, -1, 'large', 2, 'faster'),
  (3, 2, 1.025, 0.98, 1.08, 0.3, 0.1, 'negligible', 2, 'no difference found'), (2, 3, 0.98, 0.93, 1.02, 0.3, -0.1, 'negligible', 2, 'no difference found'),
  (1, 3, 1.9, 1.8, 2, 0.001, 1, 'large', 2, 'slower'), (3, 1, 0.52, 0.5, 0.55, 0.001, -1, 'large', 2, 'faster');
INSERT INTO agreement (point_id, against_point_id, output_index, name, label_agreement, max_absolute_error, mean_divergence_nats, message) VALUES
  (2, 1, 0, 'a', 1, 0.5, 0.01, NULL), (2, 1, 1, 'b', 0.75, 0.25, 0.02, NULL), (3, 1, 0, 'a', NULL, NULL, NULL, 'not the same shape');
