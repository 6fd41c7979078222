-- why: the convolution adds its bias in a kernel of its own already: one of two normalisations is expected to be saved
INSERT INTO point (point_id, model, backend, device, precision, batch, settings, latency_ns, status)
VALUES (1, 'm', 'b', 'cuda:0', 'float32', 1, '{}', 1000, 'done');
INSERT INTO run (run_id, point_id, rung, status, path, latency_ns, samples) VALUES (1, 1, 'kernel', 'done', 'a', 1000, 2);
INSERT INTO device_time VALUES (1, NULL, 0, NULL, 0, 1000, 1000, 0, 1000, 0, 0, 0, 0, 0, 4);
INSERT INTO critical_path VALUES (1, NULL, NULL, 'compute', 'gemm', 2, 500), (1, NULL, NULL, 'compute', 'bn', 2, 400),
  (1, NULL, NULL, 'compute', 'elementwise_kernel', 1, 100);
INSERT INTO layer (point_id, layer_index, name, type, shape, latency_ns, device_ns, matched) VALUES
  (1, 0, 'c0', 'aten::conv2d', '[1,8,9,9]', 100, 350, 'all'),
  (1, 1, 'b0', 'aten::batch_norm', '[1,8,9,9]', 100, 200, 'all'),
  (1, 2, 'c1', 'aten::conv2d', '[1,8,9,9]', 100, 250, 'all'),
  (1, 3, 'b1', 'aten::batch_norm', '[1,8,9,9]', 100, 200, 'all');
INSERT INTO kernel (point_id, kernel_index, layer_index, name, type, duration_ns, source_run, matched) VALUES
  (1, 0, 0, 'gemm', 'kernel', 250, 1, 'all'),
  (1, 1, 0, 'elementwise_kernel', 'kernel', 100, 1, 'all'),
  (1, 2, 1, 'bn', 'kernel', 200, 1, 'all'),
  (1, 3, 2, 'gemm', 'kernel', 250, 1, 'all'),
  (1, 4, 3, 'bn', 'kernel', 200, 1, 'all');
