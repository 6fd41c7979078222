-- why: 8 GFLOP take 500 us: 400 us at the peak of the vector units, 50 us at that of the tensor cores, so 350 us saved; at best 8 times as fast, 437.5 us; the product in TF32 reaches half of its peak, with which 400 us would be saved: low is no more than expected
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
  (1, 0, 0, 'ampere_sgemm_128x64_tn', 'kernel', 'float32', 'vector', 500000.0, 8000000000.0, NULL, NULL, 1, 'single'),
  (1, 1, 0, 'cutlass_80_tensorop_s1688gemm_128x64_32x6_nt_align4', 'kernel', 'tfloat32', 'tensor', 300000.0, 24000000000.0, NULL, NULL, 1, 'single'),
  (1, 2, 0, 'elementwise_kernel', 'kernel', 'float32', NULL, 200000.0, NULL, NULL, NULL, 1, 'single');
INSERT INTO critical_path VALUES (1, NULL, NULL, 'compute', 'ampere_sgemm_128x64_tn', 1, 500000),
  (1, NULL, NULL, 'compute', 'cutlass_80_tensorop_s1688gemm_128x64_32x6_nt_align4', 1, 300000),
  (1, NULL, NULL, 'compute', 'elementwise_kernel', 1, 200000);
