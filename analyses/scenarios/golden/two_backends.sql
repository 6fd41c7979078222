-- why: closed loop first and rates from low to high whatever the order of trying; each result has its word; a scenario without a bound has none
INSERT INTO point (point_id, model, backend, device, precision, batch, settings, latency_ns, status) VALUES
  (1, 'net', 'PyTorch 2', 'cpu', 'float32', 1, '{}', 2000000, 'done'),
  (2, 'net', 'ONNX Runtime 1', 'cpu', 'float32', 8, '{}', 9000000, 'done'),
  (3, 'net', 'OpenVINO 2026', 'cpu', 'float32', 1, '{}', 2000000, 'done');
INSERT INTO run (run_id, point_id, rung, status, path, samples) VALUES
  (1, 1, 'model', 'done', 'a', 31), (2, 2, 'model', 'done', 'b', 100), (3, 3, 'model', 'done', 'c', 30);
INSERT INTO scenario (point_id, run_id, scenario, try_index, offered_rate, queries, first_iteration,
    latency_p50_ns, latency_p90_ns, latency_p95_ns, latency_p99_ns, queue_p50_ns, queue_p99_ns, service_p50_ns, service_p99_ns,
    throughput_per_s, gap_ns, utilisation, bound_ns, above_bound, percentile, percentile_ns, estimate_ns, passed, chosen, message) VALUES
  (1, 1, 'server', 0, NULL, 30, 1, 2000000, 2100000, 2200000, 2300000, NULL, NULL, 2000000, 2300000, 480, 30000, NULL, 10000000, 0, 99, 2300000, NULL, NULL, false, NULL),
  (1, 1, 'server', 1, 480, 1000, 31, 60000000, 90000000, 95000000, 99000000, 58000000, 97000000, 2000000, 2400000, 470, 40000, 1.01, 10000000, 900, 99, 99000000, 99500000, false, false, '900 of 1000 queries took longer than 10 ms; 2 may'),
  (1, 1, 'server', 2, 240, 1000, 1031, 2100000, 3000000, 4000000, 6000000, 0, 4000000, 2000000, 2400000, 239, NULL, 0.5, 10000000, 0, 99, 6000000, 7000000, true, false, NULL),
  (1, 1, 'server', 3, 360, 1000, 2031, 3000000, 8000000, 9000000, 12000000, 1000000, 10000000, 2000000, 2400000, 359, 35000, 0.74, 10000000, 40, 99, 12000000, 15000000, false, false, '40 of 1000 queries took longer than 10 ms; 2 may'),
  (1, 1, 'server', 4, 300, 1000, 3031, 2500000, 5000000, 6000000, 8000000, 500000, 6000000, 2000000, 2400000, 299, 36000, 0.62, 10000000, 1, 99, 8000000, 9000000, true, true, NULL),
  (2, 2, 'multi-stream', 0, NULL, 100, 0, 9000000, 9500000, 9600000, 9900000, NULL, NULL, 9000000, 9900000, 880, 30000, NULL, NULL, NULL, 99, 9900000, NULL, NULL, true, 'too few queries for an estimate of the 99th percentile: 100 of at least 662');
