-- why: twice the throughput at batch 8, without intervals
INSERT INTO point (point_id, model, backend, device, precision, batch, settings, latency_ns, latency_low_ns,
  latency_high_ns, status)
VALUES (1, 'm', 'b', 'cpu', 'float32', 1, '{}', 10e6, NULL, NULL, 'done'),
  (2, 'm', 'b', 'cpu', 'float32', 8, '{}', 40e6, NULL, NULL, 'done');
