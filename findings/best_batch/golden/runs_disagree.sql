-- why: the runs of batch 1 disagree by a factor of 3, so the gain may be no gain
INSERT INTO point (point_id, model, backend, device, precision, batch, settings, latency_ns, latency_low_ns,
  latency_high_ns, status)
VALUES (1, 'm', 'b', 'cpu', 'float32', 1, '{}', 10e6, NULL, NULL, 'done'),
  (2, 'm', 'b', 'cpu', 'float32', 8, '{}', 40e6, NULL, NULL, 'done');
INSERT INTO run (run_id, point_id, rung, status, path, latency_ns, latency_low_ns, latency_high_ns, baseline_ns)
VALUES (1, 1, 'model', 'done', 'a', 10e6, 9.8e6, 10.2e6, NULL), (2, 1, 'layer', 'done', 'b', 30e6, 29e6, 31e6, 29.5e6);
