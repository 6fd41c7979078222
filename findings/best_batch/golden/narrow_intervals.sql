-- why: each latency is known within 2 %: the gain within sqrt(2) times that, on the scale of logarithms
INSERT INTO point (point_id, model, backend, device, precision, batch, settings, latency_ns, latency_low_ns,
  latency_high_ns, status)
VALUES (1, 'm', 'b', 'cpu', 'float32', 1, '{}', 10e6, 10e6 / 1.02, 10e6 * 1.02, 'done'),
  (2, 'm', 'b', 'cpu', 'float32', 8, '{}', 40e6, 40e6 / 1.02, 40e6 * 1.02, 'done');
