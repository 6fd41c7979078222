-- why: in both slow steps a program waited for a core half of the time or more: abstains
INSERT INTO point (point_id, model, backend, device, precision, settings, latency_ns, status)
VALUES (1, 'm', 'b', 'cpu', 'float32', '{}', 100e6, 'done');
INSERT INTO run (run_id, point_id, rung, status, path, latency_ns, samples) VALUES (1, 1, 'recorded', 'done', 'a', 100e6, 6);
INSERT INTO step VALUES (1, NULL, 0, 's', 0, 100000000, NULL, 0, 0, 0, 0, 0, 0, false, NULL, NULL),
  (1, NULL, 1, 's', 100000000, 100000000, NULL, 0, 0, 0, 0, 0, 0, false, NULL, NULL),
  (1, NULL, 2, 's', 200000000, 300000000, NULL, 0, 0, 0, 0, 0, 0, true, 'aten::mm', 200000000),
  (1, NULL, 3, 's', 500000000, 100000000, NULL, 0, 0, 0, 0, 0, 0, false, NULL, NULL),
  (1, NULL, 4, 's', 600000000, 100000000, NULL, 0, 0, 0, 0, 0, 0, false, NULL, NULL),
  (1, NULL, 5, 's', 700000000, 200000000, NULL, 0, 0, 0, 0, 0, 0, true, 'aten::add', 100000000);
INSERT INTO system_series VALUES
  (1, 'pressure.cpu_some_share', 'machine', '1', 0, 350000000, 0.4, 0.4),
  (1, 'pressure.cpu_some_share', 'machine', '1', 350000000, 950000000, 0.6, 0.6);
