-- why: a batch size or latency that is not known leaves what rests on it empty, and one batch size names no optimum
INSERT INTO point (point_id, model, backend, device, precision, batch, settings, latency_ns, status) VALUES
  (1, 'm', 'pytorch', 'cpu', 'float32', NULL, '{}', 7e6, 'done'),
  (2, 'm', 'pytorch', 'cpu', 'float32', 4, '{}', NULL, 'done');
