-- why: a matrix product in float32 takes half of the kernel time; the device is known to have TF32 by the names
INSERT INTO point (point_id, model, backend, device, precision, settings, latency_ns, status)
VALUES (1, 'm', 'b', 'cuda:0', 'float32', '{}', 1000e3, 'done');
INSERT INTO run (run_id, point_id, rung, status, path, latency_ns, samples) VALUES (1, 1, 'imported', 'done', 'a', 1000e3, 1);
INSERT INTO device_time VALUES (1, NULL, 0, NULL, 0, 1000000, 1000000, 0, 1000000, 0, 0, 0, 0, 0, 9);
INSERT INTO kernel (point_id, kernel_index, layer_index, name, type, dtype, unit, duration_ns, flops, read_bytes, write_bytes, source_run, matched) VALUES
  (1, 0, 0, 'ampere_sgemm_128x64_tn', 'kernel', 'float32', NULL, 500000.0, NULL, NULL, NULL, 1, 'single'),
  (1, 1, 0, 'cutlass_80_tensorop_s1688gemm_128x64_32x6_nt_align4', 'kernel', 'float32', NULL, 300000.0, NULL, NULL, NULL, 1, 'single'),
  (1, 2, 0, 'elementwise_kernel', 'kernel', 'float32', NULL, 200000.0, NULL, NULL, NULL, 1, 'single');
