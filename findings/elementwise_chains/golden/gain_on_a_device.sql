-- why: three kernels of 200 ns, of which two are on the path
INSERT INTO point (point_id, model, backend, device, precision, batch, settings, latency_ns, status)
VALUES (1, 'm', 'b', 'cuda:0', 'float32', 1, '{}', 1000, 'done');
INSERT INTO run (run_id, point_id, rung, status, path, latency_ns, samples) VALUES (1, 1, 'kernel', 'done', 'a', 1000, 2);
INSERT INTO device_time VALUES (1, NULL, 0, NULL, 0, 1000, 1000, 0, 1000, 0, 0, 0, 0, 0, 4);
INSERT INTO critical_path VALUES (1, NULL, NULL, 'compute', 'gemm', 1, 600), (1, NULL, NULL, 'compute', 'mul', 2, 400);
INSERT INTO layer (point_id, layer_index, name, type, shape, latency_ns, device_ns, matched) VALUES
  (1, 0, 'l', 'aten::linear', '[512,512]', 100, 400, 'all'),
  (1, 1, 'm0', 'aten::mul', '[512,512]', 100, 200, 'all'),
  (1, 2, 'm1', 'aten::mul', '[512,512]', 100, 200, 'all'),
  (1, 3, 'a', 'aten::add', '[512,512]', 100, 200, 'all');
INSERT INTO kernel (point_id, kernel_index, layer_index, name, type, duration_ns, source_run, matched) VALUES
  (1, 0, 0, 'gemm', 'kernel', 600, 1, 'all'),
  (1, 1, 1, 'mul', 'kernel', 200, 1, 'all'),
  (1, 2, 2, 'mul', 'kernel', 200, 1, 'all'),
  (1, 3, 3, 'add', 'kernel', 200, 1, 'all');
