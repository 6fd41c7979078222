-- why: from batch 2 to 8 each of two doublings gains just 5 %: batch 2 is the last one worth it
INSERT INTO point (point_id, model, backend, device, precision, batch, settings, latency_ns, latency_low_ns,
  latency_high_ns, status)
VALUES (1, 'm', 'b', 'cpu', 'float32', 1, '{}', 10e6, NULL, NULL, 'done'),
  (2, 'm', 'b', 'cpu', 'float32', 2, '{}', 15e6, NULL, NULL, 'done'),
  (3, 'm', 'b', 'cpu', 'float32', 8, '{}', 60e6 / 1.05 / 1.05 + 1, NULL, NULL, 'done');
