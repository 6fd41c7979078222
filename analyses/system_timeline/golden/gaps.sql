-- why: times count from the first segment of each run; a run with a gap keeps it; order is by name, part and time
INSERT INTO point (point_id, model, backend, device, precision, batch, settings, status) VALUES
  (1, 'net', 'PyTorch 2', 'cpu', 'float32', 4, '{}', 'done');
INSERT INTO run (run_id, point_id, rung, status, path) VALUES (1, 1, 'model', 'done', 'a'), (2, 1, 'kernel', 'done', 'b');
INSERT INTO system_series VALUES
  (1, 'cpu.busy_share', 'machine', '1', 1000, 1100, 0.5, 0.75),
  (1, 'cpu.busy_share', 'machine', '1', 1300, 1400, 0.25, 0.5),
  (1, 'cpu.busy_share', 'cpu 0', '1', 1000, 1100, 1, 1),
  (2, 'memory.used_bytes', 'machine', 'byte', 5000, 5100, 2e9, 3e9),
  (1, 'memory.used_bytes', 'machine', 'byte', 1000, 1100, 1e9, 1e9);
INSERT INTO system_usage (run_id, seconds, samples, monitor_share) VALUES (1, 1, 2, 0.002);
