-- why: latencies are known within a factor of 3, which is more than the gain
INSERT INTO point (point_id, model, backend, device, precision, batch, settings, latency_ns, latency_low_ns,
  latency_high_ns, status)
VALUES (1, 'm', 'b', 'cpu', 'float32', 1, '{}', 10e6, 10e6 / 3, 10e6 * 3, 'done'),
  (2, 'm', 'b', 'cpu', 'float32', 8, '{}', 40e6, 40e6 / 3, 40e6 * 3, 'done');
