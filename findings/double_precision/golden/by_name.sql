-- why: a recorded program has no types of kernels; an optimizer in float32 takes its scalars as double
INSERT INTO point (point_id, model, backend, device, precision, batch, settings, latency_ns, status)
VALUES (2, 'm', 'b', 'cuda:0', 'float32', NULL, '{}', 100e6, 'done');
INSERT INTO run (run_id, point_id, rung, status, path, latency_ns) VALUES (1, 2, 'recorded', 'done', 'a', 100e6);
INSERT INTO kernel (point_id, kernel_index, layer_index, name, type, dtype, unit, duration_ns, read_bytes, write_bytes, matched) VALUES
  (2, 0, NULL, 'vectorized_elementwise_kernel<2, BinaryFunctor<double, double, double, MulFunctor<double> > >', 'kernel', NULL, NULL, 40e6, NULL, NULL, 'all'),
  (2, 1, NULL, 'multi_tensor_apply_kernel<FusedAdamMathFunctor<float, 4>, float const*, double, double>', 'kernel', NULL, NULL, 20e6, NULL, NULL, 'all'),
  (2, 2, NULL, 'sm80_xmma_gemm_f32f32_f32f32_f32_tn_n', 'kernel', NULL, NULL, 30e6, NULL, NULL, 'all');
INSERT INTO device_time VALUES (1, NULL, 0, NULL, 0, 100e6, 90e6, 10e6, 90e6, 0, 0, 0, 0, 0, 3);
UPDATE kernel SET source_run = 1;
INSERT INTO critical_path VALUES
  (1, NULL, NULL, 'compute', 'vectorized_elementwise_kernel<2, BinaryFunctor<double, double, double, MulFunctor<double> > >', 1, 40e6),
  (1, NULL, NULL, 'compute', 'sm80_xmma_gemm_f32f32_f32f32_f32_tn_n', 1, 60e6);
