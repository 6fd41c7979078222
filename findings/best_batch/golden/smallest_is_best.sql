-- why: the best batch is the smallest; the intervals do not separate it from the other
INSERT INTO point (point_id, model, backend, device, precision, batch, settings, latency_ns, latency_low_ns,
  latency_high_ns, status)
VALUES (1, 'm', 'b', 'cpu', 'float32', 1, '{}', 5e6, 4.8e6, 5.2e6, 'done'),
  (2, 'm', 'b', 'cpu', 'float32', 8, '{}', 5.1e6 * 8, 4.9e6 * 8, 5.3e6 * 8, 'done');
