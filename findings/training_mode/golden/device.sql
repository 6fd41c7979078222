-- why: on a device the statistics take a third of the normalisation
INSERT INTO point (point_id, model, backend, device, precision, batch, settings, latency_ns, status)
VALUES (2, 'm', 'b', 'cuda:0', 'float32', 8, '{}', 100e6, 'done');
INSERT INTO run (run_id, point_id, rung, status, path, latency_ns) VALUES (1, 2, 'imported', 'done', 'a', 100e6);
INSERT INTO layer (point_id, layer_index, name, type, shape, path, latency_ns, matched) VALUES
  (2, 0, 'add_', 'aten::add_', NULL, NULL, 1e6, 'all'),
  (2, 1, 'norm', 'aten::batch_norm', NULL, NULL, 30e6, 'all'),
  (2, 2, 'drop', 'aten::dropout', NULL, NULL, 10e6, 'all');
INSERT INTO kernel (point_id, kernel_index, layer_index, name, type, dtype, unit, duration_ns, read_bytes, write_bytes, matched) VALUES
  (2, 0, 0, 'add_kernel', 'kernel', 'int64', 'vector', 1e6, NULL, NULL, 'all'),
  (2, 1, 1, 'bn_fw_tr', 'kernel', 'float32', 'vector', 30e6, NULL, NULL, 'all'),
  (2, 2, 2, 'fused_dropout_kernel', 'kernel', 'float32', 'vector', 10e6, NULL, NULL, 'all');
INSERT INTO device_time VALUES (1, NULL, 0, NULL, 0, 100e6, 90e6, 10e6, 90e6, 0, 0, 0, 0, 0, 9);
UPDATE layer SET device_ns = latency_ns, source_run = 1;
UPDATE kernel SET source_run = 1;
INSERT INTO critical_path VALUES
  (1, NULL, NULL, 'compute', 'fused_dropout_kernel', 9, 10e6), (1, NULL, NULL, 'compute', 'bn_fw_tr', 9, 30e6), (1, NULL, NULL, 'host', 'cudaLaunchKernel', 9, 30e6);
