-- why: a package counts once though its parts are sampled too
INSERT INTO point (point_id, model, backend, device, precision, settings, status)
VALUES (1, 'm', 'b', 'cuda:0', 'float32', '{}', 'done');
INSERT INTO run (run_id, point_id, rung, status, path) VALUES (1, 1, 'imported', 'done', 'a');
INSERT INTO system_usage (run_id, seconds, samples, monitor_share) VALUES (1, 4, 40, 0.002);
INSERT INTO system_series VALUES (1, 'rapl.power_watts', 'package-0', '1', 0, 1000000000, 50.0, 50.0),
  (1, 'rapl.power_watts', 'package-0', '1', 1000000000, 4000000000, 30.0, 50.0),
  (1, 'rapl.power_watts', 'package-0 dram', '1', 0, 1000000000, 10.0, 10.0),
  (1, 'rapl.power_watts', 'package-0 dram', '1', 1000000000, 4000000000, 10.0, 10.0);
