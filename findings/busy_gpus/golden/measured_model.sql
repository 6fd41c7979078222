-- why: also of a model that XSP measures
INSERT INTO point (point_id, model, backend, device, precision, settings, status)
VALUES (1, 'm', 'b', 'cuda:0', 'float32', '{}', 'done');
INSERT INTO run (run_id, point_id, rung, status, path) VALUES (1, 1, 'kernel', 'done', 'a');
INSERT INTO system_usage (run_id, seconds, samples, monitor_share) VALUES (1, 4, 40, 0.002);
INSERT INTO system_series VALUES (1, 'nvml.gpu_busy_share', 'gpu 0', '1', 0, 1000000000, 0.2, 0.2),
  (1, 'nvml.gpu_busy_share', 'gpu 0', '1', 1000000000, 4000000000, 0.6, 1.0);
