-- why: batches 2 and 4 are not separated from batch 8, batch 1 is; doubling pays up to batch 2
INSERT INTO point (point_id, model, backend, device, precision, batch, settings, latency_ns, latency_low_ns,
  latency_high_ns, status)
VALUES (1, 'm', 'b', 'cpu', 'float32', 1, '{}', 10e6, 9.9e6, 10.1e6, 'done'),
  (2, 'm', 'b', 'cpu', 'float32', 2, '{}', 15e6, 14.7e6, 15.3e6, 'done'),
  (3, 'm', 'b', 'cpu', 'float32', 4, '{}', 29.6e6, 29.3e6, 29.9e6, 'done'),
  (4, 'm', 'b', 'cpu', 'float32', 8, '{}', 59e6, 58e6, 60e6, 'done');
