-- why: scores against labels come first; rare metrics and missing scores are not listed; one sample failed
INSERT INTO point (point_id, model, backend, device, precision, batch, settings, latency_ns, status)
VALUES (1, 'm', 'PyTorch', 'cpu', 'float32', 4, '{}', 4e6, 'done');
INSERT INTO evaluation VALUES (1, 1, 'val', 100, 99, 1, 0, 4e6, 5e6, 240, 'a.jpg: decode: empty');
INSERT INTO accuracy
VALUES (1, 1, 'top_1', NULL, 0.761, 99, NULL), (1, 1, 'macro_f1', NULL, 0.7, 99, NULL),
  (1, 1, 'same_top_1', 'ORT', 1, 99, NULL), (1, 1, 'ap', NULL, NULL, 99, 'none');
