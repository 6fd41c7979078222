-- why: a matrix-vector product, Winograd and Fourier algorithms have no tensor cores to use
INSERT INTO point (point_id, model, backend, device, precision, settings, latency_ns, status)
VALUES (1, 'm', 'b', 'cuda:0', 'float32', '{}', 1000e3, 'done');
INSERT INTO run (run_id, point_id, rung, status, path, latency_ns, samples) VALUES (1, 1, 'imported', 'done', 'a', 1000e3, 1);
INSERT INTO device_time VALUES (1, NULL, 0, NULL, 0, 1000000, 1000000, 0, 1000000, 0, 0, 0, 0, 0, 9);
INSERT INTO roof (kind, name, dtype, unit, value, provenance, how, used) VALUES
  ('flops', 'float32 vector', 'float32', 'vector', 20e12, 'data_sheet', '', true),
  ('flops', 'tfloat32 tensor', 'tfloat32', 'tensor', 160e12, 'data_sheet', '', true),
  ('flops', 'float16 tensor', 'float16', 'tensor', 320e12, 'data_sheet', '', true),
  ('bandwidth', 'DRAM', NULL, NULL, 2e12, 'data_sheet', '', true);
INSERT INTO kernel (point_id, kernel_index, layer_index, name, type, dtype, unit, duration_ns, flops, read_bytes, write_bytes, source_run, matched) VALUES
  (1, 0, 0, 'void gemv2T_kernel_val<int, int, float, float, float>', 'kernel', 'float32', NULL, 500000.0, NULL, NULL, NULL, 1, 'single'),
  (1, 1, 0, 'ampere_scudnn_winograd_128x128_ldg1_ldg4_relu_tile148t_nt_v1', 'kernel', 'float32', NULL, 500000.0, NULL, NULL, NULL, 1, 'single'),
  (1, 2, 0, 'fft2d_r2c_32x32', 'kernel', 'float32', NULL, 200000.0, NULL, NULL, NULL, 1, 'single');
