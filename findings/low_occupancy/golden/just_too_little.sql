-- why: less than a fifth of the time
INSERT INTO point (point_id, model, backend, device, precision, settings, latency_ns, status)
VALUES (1, 'm', 'b', 'cuda:0', 'float32', '{}', 1000e3, 'done');
INSERT INTO run (run_id, point_id, rung, status, path, latency_ns, samples) VALUES (1, 1, 'imported', 'done', 'a', 1000e3, 1);
INSERT INTO device_time VALUES (1, NULL, 0, NULL, 0, 1000000, 1000000, 0, 1000000, 0, 0, 0, 0, 0, 9);
INSERT INTO kernel (point_id, kernel_index, layer_index, name, type, dtype, unit, duration_ns, flops, read_bytes, write_bytes, source_run, matched) VALUES
  (1, 0, 0, 'scan', 'kernel', NULL, NULL, 199000.0, NULL, NULL, NULL, 1, 'single'),
  (1, 1, 0, 'add', 'kernel', NULL, NULL, 801000.0, NULL, NULL, NULL, 1, 'single');
INSERT INTO occupancy VALUES
  (1, 'scan', 108, 1, 199000, 0, 0, 0, 199000, 0.125, 'registers', 4.5, 0),
  (1, 'add', 108, 1, 801000, 0, 0, 0, 801000, 1, 'threads', 8, 0);
