-- why: other programs took most of the time, so the rule is withheld
INSERT INTO point (point_id, model, backend, device, precision, batch, settings, latency_ns, status)
VALUES (2, 'm', 'b', 'cpu', 'float32', 8, '{}', 100e6, 'done');
INSERT INTO layer (point_id, layer_index, name, type, shape, path, latency_ns, matched) VALUES
  (2, 0, 'window', 'aten::mul', '[1]', 'front', 10e6, 'all'),
  (2, 1, 'bands', 'aten::matmul', '[1]', 'front', 40e6, 'all'),
  (2, 2, 'float', 'aten::to', '[1]', 'front', 2e6, 'all'),
  (2, 3, 'encoder', 'aten::linear', '[1]', 'e', 48e6, 'all');
INSERT INTO kernel (point_id, kernel_index, layer_index, name, type, dtype, unit, duration_ns, read_bytes, write_bytes, matched) VALUES
  (2, 0, 0, 'aten::copy_', 'native', 'float64', 'vector', 2e6, 4e5, 8e5, 'all'),
  (2, 1, 0, 'aten::mul', 'native', 'float64', 'vector', 8e6, 8e5, 8e5, 'all'),
  (2, 2, 1, 'gemm mkl:DGEMM', 'primitive', 'float64', 'vector', 40e6, 8e5, 8e5, 'all'),
  (2, 3, 2, 'aten::copy_', 'native', 'float32', 'vector', 2e6, 8e5, 4e5, 'all'),
  (2, 4, 3, 'gemm mkl:SGEMM', 'primitive', 'float32', 'vector', 48e6, 4e5, 4e5, 'all');
INSERT INTO run (run_id, point_id, rung, status, path, latency_ns) VALUES (1, 2, 'layer', 'done', 'a', 100e6);
UPDATE layer SET source_run = 1;
INSERT INTO sample (run_id, iteration, latency_ns, disturbed, waited_ns) VALUES (1, 0, 100000000, true, 60000000);
