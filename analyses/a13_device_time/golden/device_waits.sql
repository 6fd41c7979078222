-- why: kernels of a device outlast the calls that launched them: no share of these, only of the device time (never 12,500 %)
INSERT INTO point (point_id, model, backend, device, precision, batch, settings, latency_ns, status) VALUES
  (1, 'm', 'PyTorch', 'gpu', 'float32', NULL, '{}', 1000, 'done');
INSERT INTO run (run_id, point_id, rung, status, path, latency_ns) VALUES (1, 1, 'imported', 'done', 'imported', 1000);
INSERT INTO device_time VALUES (1, NULL, 0, NULL, 0, 950, 500, 450, 490, 0, 10, 0, 0, 10, 4);
INSERT INTO layer (point_id, layer_index, name, type, latency_ns, device_ns, source_run, kernel_run_ns, matched) VALUES
  (1, 0, 'a', 'aten::bmm', 20, 100, 1, 20, 'single'),
  (1, 1, 'b', 'aten::softmax', 5, 300, 1, 5, 'single'),
  (1, 2, 'c', 'aten::bmm', 20, 80, 1, 20, 'single'),
  (1, 3, 'd', 'aten::view', 5, NULL, 1, NULL, 'single'),
  (1, 4, 'e', 'aten::to', 800, 10, 1, 800, 'single');
INSERT INTO kernel (point_id, kernel_index, layer_index, name, type, duration_ns, source_run, matched) VALUES
  (1, 0, 0, 'gemm', 'kernel', 100, 1, 'single'),
  (1, 1, 1, 'softmax', 'kernel', 300, 1, 'single'),
  (1, 2, 2, 'gemm', 'kernel', 80, 1, 'single'),
  (1, 3, 4, 'Memcpy DtoH', 'memcpy', 10, 1, 'single'),
  (1, 4, NULL, 'fill', 'kernel', 10, 1, 'single');
