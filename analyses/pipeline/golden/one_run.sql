-- why: steps in the order of the way, and shares of each backend and batch size by itself
INSERT INTO point (point_id, model, backend, device, precision, batch, settings, latency_ns, status) VALUES
  (1, 'net', 'PyTorch 2', 'cpu', 'float32', 8, '{}', 2000000, 'done'),
  (2, 'net', 'PyTorch 2', 'cpu', 'float32', 1, '{}', 1000000, 'done');
INSERT INTO run (run_id, point_id, rung, status, path, samples) VALUES
  (1, 1, 'model', 'done', 'a', 2), (2, 2, 'model', 'done', 'b', 2);
INSERT INTO evaluation VALUES (1, 1, 'val', 16, 16, 0, 0, 3000000, 4000000, 333.3, NULL), (2, 2, 'val', 16, 16, 0, 0, 3000000, 4000000, 333.3, NULL);
INSERT INTO pipeline_step VALUES
  (1, 1, 2, 'predict', 'predict', 2, 250000, 250000, 260000),
  (1, 1, 0, 'preprocess', 'read', 16, 250000, 240000, 400000),
  (1, 1, 1, 'preprocess', 'decode', 16, 500000, 490000, 700000),
  (2, 2, 0, 'predict', 'predict', 16, 1000000, 1000000, 1100000);
