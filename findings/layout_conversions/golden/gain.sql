-- why: 100 us in a call, of which one conversion of 20 us is beside other work
INSERT INTO point (point_id, model, backend, device, precision, settings, latency_ns, status)
VALUES (1, 'm', 'b', 'cuda:0', 'float32', '{}', 1000e3, 'done');
INSERT INTO run (run_id, point_id, rung, status, path, latency_ns, samples) VALUES (1, 1, 'imported', 'done', 'a', 1000e3, 1);
INSERT INTO device_time VALUES (1, NULL, 0, NULL, 0, 1000000, 1000000, 0, 1000000, 0, 0, 0, 0, 0, 9);
INSERT INTO kernel (point_id, kernel_index, layer_index, name, type, dtype, unit, duration_ns, flops, read_bytes, write_bytes, source_run, matched) VALUES
  (1, 0, 0, 'void cudnn::engines_precompiled::nchwToNhwcKernel<float, float, float, false, true>', 'kernel', NULL, NULL, 60000.0, NULL, NULL, NULL, 1, 'single'),
  (1, 1, 0, 'sm80_xmma_fprop', 'kernel', NULL, NULL, 900000.0, NULL, NULL, NULL, 1, 'single'),
  (1, 2, 0, 'void cudnn::engines_precompiled::nhwcToNchwKernel<float, float, float, true, false>', 'kernel', NULL, NULL, 20000.0, NULL, NULL, NULL, 1, 'single'),
  (1, 3, 0, 'void batched_transpose_32x32_half', 'kernel', NULL, NULL, 20000.0, NULL, NULL, NULL, 1, 'single');
INSERT INTO critical_path VALUES (1, NULL, NULL, 'compute', 'void cudnn::engines_precompiled::nchwToNhwcKernel<float, float, float, false, true>', 1, 60000),
  (1, NULL, NULL, 'compute', 'sm80_xmma_fprop', 1, 900000),
  (1, NULL, NULL, 'compute', 'void cudnn::engines_precompiled::nhwcToNchwKernel<float, float, float, true, false>', 1, 20000);
