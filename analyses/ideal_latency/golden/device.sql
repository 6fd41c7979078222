-- why: of a device with a cache of 40 MiB only what exceeds it crosses DRAM, in both directions together; its host's threads do not matter; bytes that the device counted did cross
INSERT INTO point (point_id, model, backend, device, precision, batch, settings, latency_ns, status) VALUES
  (1, 'm', 'pytorch', 'cuda:0', 'float32', 1, '{}', 900000, 'done');
INSERT INTO run (run_id, point_id, rung, status, path, latency_ns, threads) VALUES (1, 1, 'imported', 'done', 'imported', 900000, 4);
INSERT INTO device_time (run_id, device, start_ns, total_ns, busy_ns, idle_ns, compute_ns, communication_ns, copy_ns,
  compute_communication_ns, exposed_communication_ns, exposed_copy_ns, spans) VALUES
  (1, 0, 0, 900000, 700000, 200000, 700000, 0, 0, 0, 0, 0, 3);
INSERT INTO layer (point_id, layer_index, name, type, latency_ns, device_ns, kernel_ns, source_run, matched) VALUES
  (1, 0, 'add', 'add', 4000, 300000, 300000, 1, 'all'), (1, 1, 'small', 'add', 4000, 5000, 5000, 1, 'all'),
  (1, 2, 'counted', 'add', 4000, 9000, 9000, 1, 'all');
INSERT INTO kernel (point_id, kernel_index, layer_index, name, type, dtype, unit, duration_ns, flops, read_bytes, write_bytes,
  flops_provenance, traffic_provenance, source_run, matched) VALUES
  (1, 0, 0, 'add', 'kernel', 'float32', 'vector', 300000, 10000000, 141943040, 241943040, 'analytic', 'analytic', 1, 'all'),
  (1, 1, 1, 'add', 'kernel', 'float32', 'vector', 5000, 10000, 80000, 40000, 'analytic', 'analytic', 1, 'all'),
  (1, 2, 2, 'add', 'kernel', 'float32', 'vector', 9000, 10000, 2000000, 4000000, 'analytic', 'measured:cupti', 1, 'all');
INSERT INTO roof (kind, name, dtype, unit, value, provenance, how, used) VALUES
  ('flops', 'float32 vector', 'float32', 'vector', 1e13, 'data_sheet', 'test', true),
  ('bandwidth', 'DRAM', NULL, NULL, 2e12, 'data_sheet', 'A100: test; last cache 40 MiB', true);
