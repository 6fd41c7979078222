-- why: one row a run in the order of measuring; a machine without GPUs has empty columns, no zeros; a run that was not sampled has no row
INSERT INTO point (point_id, model, backend, device, precision, batch, settings, status) VALUES
  (1, 'net', 'PyTorch 2', 'cpu', 'float32', 4, '{}', 'done'),
  (2, 'train', 'monitor', 'machine', 'unknown', NULL, '{}', 'done');
INSERT INTO run (run_id, point_id, rung, status, path) VALUES
  (2, 1, 'kernel', 'done', 'b'), (1, 1, 'model', 'done', 'a'), (3, 2, 'monitor', 'done', 'c'), (4, 1, 'details', 'done', 'd');
INSERT INTO system_usage VALUES
  (3, 60, 600, 29.06, 372.43, 19970, 62214, 4269, 2867, 99, 400, 20000, 63000, 0.0031);
INSERT INTO system_usage (run_id, seconds, samples, cpu_pct, system_memory_mb, cpu_pct_most, system_memory_mb_most, monitor_share) VALUES
  (2, 3, 30, 51.5, 2001, 61, 2002, 0.002), (1, 2, 20, 50, 2000, 60, 2001, 0.002);
