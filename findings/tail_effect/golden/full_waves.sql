-- why: exactly two waves
INSERT INTO point (point_id, model, backend, device, precision, settings, latency_ns, status)
VALUES (1, 'm', 'b', 'cuda:0', 'float32', '{}', 1000e3, 'done');
INSERT INTO run (run_id, point_id, rung, status, path, latency_ns, samples) VALUES (1, 1, 'imported', 'done', 'a', 1000e3, 1);
INSERT INTO device_time VALUES (1, NULL, 0, NULL, 0, 1000000, 1000000, 0, 1000000, 0, 0, 0, 0, 0, 9);
INSERT INTO roof (kind, name, dtype, unit, value, provenance, how, used) VALUES ('bandwidth', 'DRAM', NULL, NULL, 2e12, 'data_sheet', 'A100 SXM4 40 GB: NVIDIA A100 data sheet', true);
INSERT INTO kernel (point_id, kernel_index, layer_index, name, type, dtype, unit, duration_ns, flops, read_bytes, write_bytes, source_run, matched) VALUES
  (1, 0, 0, 'gemm', 'kernel', NULL, NULL, 400000.0, NULL, NULL, NULL, 1, 'single'),
  (1, 1, 0, 'add', 'kernel', NULL, NULL, 600000.0, NULL, NULL, NULL, 1, 'single');
INSERT INTO span (run_id, id, parent_id, level, type, name, track_id, start_ns, duration_ns, placed_by) VALUES
  (1, 1, 0, 'kernel', 'kernel', 'gemm', 1, 0, 400000, 'none'),
  (1, 2, 0, 'kernel', 'kernel', 'add', 1, 1000000, 600000, 'none');
INSERT INTO attribute (run_id, span_id, key, value) VALUES
  (1, 1, 'grid', '[1728,1,1]'),
  (1, 1, 'block', '[256,1,1]'),
  (1, 1, 'registers', '32'),
  (1, 1, 'static_shared_bytes', '0'),
  (1, 1, 'dynamic_shared_bytes', '0'),
  (1, 2, 'grid', '[864,1,1]'),
  (1, 2, 'block', '[256,1,1]'),
  (1, 2, 'registers', '32'),
  (1, 2, 'static_shared_bytes', '0'),
  (1, 2, 'dynamic_shared_bytes', '0');
