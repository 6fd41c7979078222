-- why: a quota that stopped the program in just below a hundredth of its periods is not named
INSERT INTO point (point_id, model, backend, device, precision, batch, settings, latency_ns, status)
VALUES (1, 'm', 'b', 'cpu', 'float32', 1, '{}', 100e3, 'done');
INSERT INTO run (run_id, point_id, rung, status, path, latency_ns, latency_low_ns, latency_high_ns, baseline_ns)
VALUES (1, 1, 'model', 'done', 'a', 100e3, 98e3, 102e3, NULL), (2, 1, 'layer', 'done', 'b', 300e3, 290e3, 310e3, 295e3);
INSERT INTO layer (point_id, layer_index, name, type, latency_ns, device_ns, kernel_run_ns, source_run, matched)
VALUES (1, 0, 'a', 'linear', 180e3, 500e3, 540e3, 2, 'all'), (1, 1, 'b', 'relu', 60e3, 170e3, 180e3, 2, 'all');
INSERT INTO sample (run_id, iteration, latency_ns, disturbed, waited_ns, rung)
VALUES (2, 0, 300000, true, 120000, 'layer'), (2, 1, 300000, true, 900000, 'layer'),
  (2, 0, 100000, false, 90000, 'model'), (1, 0, 100000, true, 99000, 'model');
INSERT INTO system_series VALUES (2, 'cgroup.throttled_share', 'cgroup', '1', 0, 1000000000, 0.0, 0.0),
  (2, 'cgroup.throttled_share', 'cgroup', '1', 1000000000, 4000000000, 0.0132, 1.0);
