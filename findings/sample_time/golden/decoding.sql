-- why: most of the time lies before the model
INSERT INTO point (point_id, model, backend, device, precision, batch, settings, latency_ns, status)
VALUES (1, 'm', 'PyTorch', 'cpu', 'float32', 4, '{}', 4e6, 'done');
INSERT INTO evaluation VALUES (1, 1, 'val', 100, 99, 1, 0, 4e6, 5e6, 240, 'a.jpg: decode: empty');
INSERT INTO pipeline_step
VALUES (1, 1, 0, 'preprocess', 'read', 99, 1e6, 1e6, 1e6), (1, 1, 1, 'preprocess', 'decode', 99, 2e6, 2e6, 2e6),
  (1, 1, 2, 'predict', 'predict', 25, 1e6, 1e6, 1e6);
