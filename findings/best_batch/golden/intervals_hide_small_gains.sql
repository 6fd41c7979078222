-- why: intervals wider than 5 % do not show whether a doubling gains as much
INSERT INTO point (point_id, model, backend, device, precision, batch, settings, latency_ns, latency_low_ns,
  latency_high_ns, status)
VALUES (1, 'm', 'b', 'cpu', 'float32', 1, '{}', 10e6, 9.5e6, 10.5e6, 'done'),
  (2, 'm', 'b', 'cpu', 'float32', 2, '{}', 15e6, 14.2e6, 15.8e6, 'done'),
  (3, 'm', 'b', 'cpu', 'float32', 4, '{}', 29.9e6, 28e6, 31e6, 'done');
