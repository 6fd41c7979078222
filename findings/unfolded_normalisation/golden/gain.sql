-- why: 10 of 100 ms in normalisations, in a model that takes 50 ms without profiling; one convolution is a primitive that adds a bias itself
INSERT INTO point (point_id, model, backend, device, precision, batch, settings, latency_ns, status)
VALUES (1, 'm', 'b', 'cpu', 'float32', 1, '{}', 50e6, 'done');
INSERT INTO run (run_id, point_id, rung, status, path, latency_ns) VALUES (1, 1, 'kernel', 'done', 'a', 100e6);
INSERT INTO layer (point_id, layer_index, name, type, shape, latency_ns, matched) VALUES
  (1, 0, 'c0', 'aten::conv2d', '[1,64,56,56]', 40000000.0, 'all'),
  (1, 1, 'b0', 'aten::batch_norm', '[1,64,56,56]', 6000000.0, 'all'),
  (1, 2, 'r0', 'aten::relu', '[1,64,56,56]', 4000000.0, 'all'),
  (1, 3, 'c1', 'aten::conv2d', '[[1,64,56,56],[1,64,56,56]]', 40000000.0, 'all'),
  (1, 4, 'b1', 'aten::batch_norm', '[[1,64,56,56],[1,64,56,56]]', 4000000.0, 'all'),
  (1, 5, 'a', 'aten::add_', '[1,64,56,56]', 6000000.0, 'all');
UPDATE layer SET source_run = 1, kernel_run_ns = latency_ns, device_ns = 4e6 WHERE layer_index IN (1, 3);
INSERT INTO kernel (point_id, kernel_index, layer_index, name, type, duration_ns, source_run, matched) VALUES
  (1, 0, 0, 'convolution jit:avx512_core', 'primitive', 30e6, 1, 'all'),
  (1, 1, 1, 'aten::native_batch_norm', 'native', 4e6, 1, 'all'),
  (1, 2, 3, 'gemm mkl:SGEMM', 'primitive', 30e6, 1, 'all');
UPDATE layer SET source_run = 1;
