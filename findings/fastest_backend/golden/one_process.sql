-- why: one process each: no interval, no verdict, but a ratio; without a known batch size and in one precision
INSERT INTO point (point_id, model, backend, device, precision, settings, latency_ns, status)
VALUES (1, 'm', 'PyTorch', 'cpu', 'float32', '{}', 4e6, 'done'),
  (2, 'm', 'OpenVINO', 'cpu', 'float32', '{}', 2e6, 'done'),
  (3, 'm', 'TensorFlow', 'cpu', 'float32', '{}', 6e6, 'done');
INSERT INTO comparison
VALUES (1, 2, 2, NULL, NULL, NULL, 1, 'large', 1, 'not told (one process)'),
  (2, 1, 0.5, NULL, NULL, NULL, -1, 'large', 1, 'not told (one process)'),
  (3, 2, 3, NULL, NULL, NULL, 1, 'large', 1, 'not told (one process)');
