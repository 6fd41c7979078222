-- why: a matrix product keeps its tiles in registers
INSERT INTO point (point_id, model, backend, device, precision, settings, latency_ns, status)
VALUES (1, 'm', 'b', 'cuda:0', 'float32', '{}', 1000e3, 'done');
INSERT INTO run (run_id, point_id, rung, status, path, latency_ns, samples) VALUES (1, 1, 'imported', 'done', 'a', 1000e3, 1);
INSERT INTO device_time VALUES (1, NULL, 0, NULL, 0, 1000000, 1000000, 0, 1000000, 0, 0, 0, 0, 0, 9);
INSERT INTO kernel (point_id, kernel_index, layer_index, name, type, dtype, unit, duration_ns, flops, read_bytes, write_bytes, source_run, matched) VALUES
  (1, 0, 0, 'ampere_sgemm_128x64_tn', 'kernel', NULL, NULL, 400000.0, NULL, NULL, NULL, 1, 'single'),
  (1, 1, 0, 'add', 'kernel', NULL, NULL, 600000.0, NULL, NULL, NULL, 1, 'single');
INSERT INTO occupancy VALUES
  (1, 'ampere_sgemm_128x64_tn', 108, 1, 400000, 0, 0, 0, 400000, 0.125, 'registers', 4.5, 0),
  (1, 'add', 108, 1, 600000, 0, 0, 0, 600000, 1, 'threads', 8, 0);
