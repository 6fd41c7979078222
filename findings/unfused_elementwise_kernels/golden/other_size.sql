-- why: kernels that write different sizes are not one sequence
INSERT INTO point (point_id, model, backend, device, precision, settings, latency_ns, status)
VALUES (1, 'm', 'b', 'cuda:0', 'float32', '{}', 1000e3, 'done');
INSERT INTO run (run_id, point_id, rung, status, path, latency_ns, samples) VALUES (1, 1, 'imported', 'done', 'a', 1000e3, 1);
INSERT INTO device_time VALUES (1, NULL, 0, NULL, 0, 1000000, 1000000, 0, 1000000, 0, 0, 0, 0, 0, 9);
INSERT INTO layer (point_id, layer_index, name, type, matched) VALUES (1, 0, 'conv', 'aten::conv2d', 'all'), (1, 1, 'bn', 'aten::batch_norm', 'all'), (1, 2, 'relu', 'aten::relu_', 'all');
INSERT INTO kernel (point_id, kernel_index, layer_index, name, type, dtype, unit, duration_ns, flops, read_bytes, write_bytes, source_run, matched) VALUES
  (1, 0, 1, 'void cudnn::bn_fw_inf_1C11_kernel_NCHW<float, float, true, 1>', 'kernel', 'float32', 'vector', 300000.0, NULL, 1000, 1000, 1, 'single'),
  (1, 1, 2, 'void at::native::vectorized_elementwise_kernel<4, launch_clamp_scalar>', 'kernel', 'float32', 'vector', 200000.0, NULL, 2000, 2000, 1, 'single'),
  (1, 2, 1, 'void cudnn::bn_fw_inf_1C11_kernel_NCHW<float, float, true, 1>', 'kernel', 'float32', 'vector', 300000.0, NULL, 500, 1000, 1, 'single');
