-- why: BLEU is no share
INSERT INTO point (point_id, model, backend, device, precision, batch, settings, latency_ns, status)
VALUES (1, 'm', 'PyTorch', 'cpu', 'float32', 4, '{}', 4e6, 'done');
INSERT INTO evaluation VALUES (1, 1, 'wmt', 100, 100, 0, 0, 4e6, 5e6, 240, NULL);
INSERT INTO accuracy VALUES (1, 1, 'bleu', NULL, 23.456, 100, NULL), (1, 1, 'exact_match', NULL, 0, 100, NULL);
