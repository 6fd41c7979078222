-- why: the machine was sampled, and has no GPU: nothing is missing
INSERT INTO point (point_id, model, backend, device, precision, settings, status)
VALUES (1, 'm', 'b', 'cuda:0', 'float32', '{}', 'done');
INSERT INTO run (run_id, point_id, rung, status, path) VALUES (1, 1, 'monitor', 'done', 'a');
INSERT INTO system_usage (run_id, seconds, samples, monitor_share) VALUES (1, 4, 40, 0.002);
INSERT INTO system_series VALUES (1, 'cpu.busy_share', 'machine', '1', 0, 1000000000, 0.1, 0.1),
  (1, 'cpu.busy_share', 'machine', '1', 1000000000, 4000000000, 0.9, 1.0),
  (1, 'cpu.busy_share', 'cpu 0', '1', 0, 1000000000, 0.1, 0.1),
  (1, 'cpu.busy_share', 'cpu 0', '1', 1000000000, 4000000000, 0.9, 1.0),
  (1, 'cpu.busy_share', 'cpu 1', '1', 0, 1000000000, 0.1, 0.1),
  (1, 'cpu.busy_share', 'cpu 1', '1', 1000000000, 4000000000, 0.9, 1.0);
