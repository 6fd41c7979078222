-- why: on a device only kernels on the critical path save time; a transfer to it is no copy
INSERT INTO point (point_id, model, backend, device, precision, batch, settings, latency_ns, status)
VALUES (2, 'm', 'b', 'cuda:0', 'float32', 8, '{}', 100e6, 'done');
INSERT INTO run (run_id, point_id, rung, status, path, latency_ns) VALUES (1, 2, 'imported', 'done', 'a', 100e6);
INSERT INTO layer (point_id, layer_index, name, type, shape, path, latency_ns, matched) VALUES
  (2, 0, 'linear', 'aten::linear', NULL, 'a', 60e6, 'all'),
  (2, 1, 'clone', 'aten::clone', NULL, 'a', 20e6, 'all'),
  (2, 2, 'copy_', 'aten::copy_', NULL, 'a', 10e6, 'all');
INSERT INTO kernel (point_id, kernel_index, layer_index, name, type, dtype, unit, duration_ns, read_bytes, write_bytes, matched) VALUES
  (2, 0, 0, 'gemm', 'kernel', 'float32', 'vector', 60e6, 1e6, 1e6, 'all'),
  (2, 1, 1, 'copy_kernel', 'kernel', 'float32', 'vector', 20e6, 1e6, 1e6, 'all'),
  (2, 2, 2, 'Memcpy HtoD (Pageable -> Device)', 'memcpy', 'float32', 'vector', 10e6, NULL, NULL, 'all');
INSERT INTO device_time VALUES (1, NULL, 0, NULL, 0, 100e6, 90e6, 10e6, 90e6, 0, 0, 0, 0, 0, 9);
UPDATE layer SET device_ns = latency_ns, source_run = 1;
UPDATE kernel SET source_run = 1;
INSERT INTO critical_path VALUES
  (1, NULL, NULL, 'compute', 'gemm', 9, 60e6), (1, NULL, NULL, 'compute', 'copy_kernel', 9, 10e6), (1, NULL, NULL, 'host', 'cudaLaunchKernel', 9, 30e6);
