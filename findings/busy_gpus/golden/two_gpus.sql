-- why: two GPUs, one busier than the other
INSERT INTO point (point_id, model, backend, device, precision, settings, status)
VALUES (1, 'm', 'b', 'cuda:0', 'float32', '{}', 'done');
INSERT INTO run (run_id, point_id, rung, status, path) VALUES (1, 1, 'imported', 'done', 'a');
INSERT INTO system_usage (run_id, seconds, samples, monitor_share) VALUES (1, 4, 40, 0.002);
INSERT INTO system_series VALUES (1, 'nvml.gpu_busy_share', 'gpu 0', '1', 0, 1000000000, 0.2, 0.2),
  (1, 'nvml.gpu_busy_share', 'gpu 0', '1', 1000000000, 4000000000, 0.2, 1.0),
  (1, 'nvml.memory_used_bytes', 'gpu 0', '1', 0, 1000000000, 1000000000.0, 1000000000.0),
  (1, 'nvml.memory_used_bytes', 'gpu 0', '1', 1000000000, 4000000000, 1000000000.0, 5000000000.0),
  (1, 'nvml.power_watts', 'gpu 0', '1', 0, 1000000000, 100.0, 100.0),
  (1, 'nvml.power_watts', 'gpu 0', '1', 1000000000, 4000000000, 100.0, 120.0),
  (1, 'nvml.gpu_busy_share', 'gpu 1', '1', 0, 1000000000, 0.6, 0.6),
  (1, 'nvml.gpu_busy_share', 'gpu 1', '1', 1000000000, 4000000000, 0.6, 1.0),
  (1, 'nvml.memory_used_bytes', 'gpu 1', '1', 0, 1000000000, 1000000000.0, 1000000000.0),
  (1, 'nvml.memory_used_bytes', 'gpu 1', '1', 1000000000, 4000000000, 1000000000.0, 5000000000.0),
  (1, 'nvml.power_watts', 'gpu 1', '1', 0, 1000000000, 100.0, 100.0),
  (1, 'nvml.power_watts', 'gpu 1', '1', 1000000000, 4000000000, 100.0, 120.0);
