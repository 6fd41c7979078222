-- why: a data set without labels and without a second backend has no score
INSERT INTO point (point_id, model, backend, device, precision, batch, settings, latency_ns, status)
VALUES (1, 'm', 'PyTorch', 'cpu', 'float32', 4, '{}', 4e6, 'done');
INSERT INTO evaluation VALUES (1, 1, 'val', 100, 99, 1, 0, 4e6, 5e6, 240, 'a.jpg: decode: empty');
