-- why: 10 GB/s, of pinned memory 25 GB/s: three fifths of the 200 us on the path
INSERT INTO point (point_id, model, backend, device, precision, settings, latency_ns, status)
VALUES (1, 'm', 'b', 'cuda:0', 'float32', '{}', 1000e3, 'done');
INSERT INTO run (run_id, point_id, rung, status, path, latency_ns, samples) VALUES (1, 1, 'imported', 'done', 'a', 1000e3, 1);
INSERT INTO device_time VALUES (1, NULL, 0, NULL, 0, 1000000, 1000000, 0, 1000000, 0, 0, 0, 0, 0, 9);
INSERT INTO kernel (point_id, kernel_index, layer_index, name, type, dtype, unit, duration_ns, flops, read_bytes, write_bytes, source_run, matched) VALUES
  (1, 0, 0, 'Memcpy HtoD (Pageable -> Device)', 'memcpy', NULL, NULL, 200000, NULL, NULL, NULL, 1, 'single'),
  (1, 1, 0, 'gemm', 'kernel', NULL, NULL, 800000.0, NULL, NULL, NULL, 1, 'single');
INSERT INTO span (run_id, id, parent_id, level, type, name, track_id, start_ns, duration_ns, placed_by) VALUES
  (1, 1, 0, 'kernel', 'memcpy', 'Memcpy HtoD (Pageable -> Device)', 1, 0, 200000, 'none'),
  (1, 2, 0, 'kernel', 'memcpy', 'Memcpy HtoD (Pinned -> Device)', 1, 500000, 80000, 'none');
INSERT INTO metric (run_id, span_id, name, value, unit, provenance) VALUES
  (1, 1, 'bytes', 2000000, 'byte', 'reported:kineto'),
  (1, 2, 'bytes', 2000000, 'byte', 'reported:kineto');
INSERT INTO critical_path VALUES (1, NULL, NULL, 'copy', 'Memcpy HtoD (Pageable -> Device)', 1, 200000),
  (1, NULL, NULL, 'compute', 'gemm', 1, 800000);
