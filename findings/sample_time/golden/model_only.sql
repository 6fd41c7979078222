-- why: without a step before the model there is nothing to compare with it
INSERT INTO point (point_id, model, backend, device, precision, batch, settings, latency_ns, status)
VALUES (1, 'm', 'PyTorch', 'cpu', 'float32', 4, '{}', 4e6, 'done');
INSERT INTO evaluation VALUES (1, 1, 'val', 100, 99, 1, 0, 4e6, 5e6, 240, 'a.jpg: decode: empty');
INSERT INTO pipeline_step VALUES (1, 1, 2, 'predict', 'predict', 25, 1e6, 1e6, 1e6);
