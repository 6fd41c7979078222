-- why: just below a hundredth of stolen time: nothing else holds that it could explain
INSERT INTO point (point_id, model, backend, device, precision, settings, status)
VALUES (1, 'm', 'b', 'cuda:0', 'float32', '{}', 'done');
INSERT INTO run (run_id, point_id, rung, status, path) VALUES (1, 1, 'kernel', 'done', 'a');
INSERT INTO system_usage (run_id, seconds, samples, monitor_share) VALUES (1, 4, 40, 0.002);
INSERT INTO system_series VALUES (1, 'cpu.busy_share', 'machine', '1', 0, 1000000000, 0.9, 0.9),
  (1, 'cpu.busy_share', 'machine', '1', 1000000000, 4000000000, 0.9, 1.0),
  (1, 'memory.used_bytes', 'machine', '1', 0, 1000000000, 2000000000.0, 2000000000.0),
  (1, 'memory.used_bytes', 'machine', '1', 1000000000, 4000000000, 3000000000.0, 3000000000.0),
  (1, 'disk.read_bytes_per_s', 'disk vda', '1', 0, 1000000000, 1000000000.0, 1000000000.0),
  (1, 'disk.read_bytes_per_s', 'disk vda', '1', 1000000000, 4000000000, 1000000000.0, 1000000000.0),
  (1, 'cpu.steal_share', 'machine', '1', 0, 1000000000, 0.0099, 0.0099),
  (1, 'cpu.steal_share', 'machine', '1', 1000000000, 4000000000, 0.0099, 0.1);
