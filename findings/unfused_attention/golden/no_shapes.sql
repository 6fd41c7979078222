-- why: a recorded program without shapes: the sequence alone decides
INSERT INTO point (point_id, model, backend, device, precision, batch, settings, latency_ns, status)
VALUES (2, 'm', 'b', 'cpu', 'float32', 8, '{}', 100e6, 'done');
INSERT INTO run (run_id, point_id, rung, status, path, latency_ns) VALUES (1, 2, 'recorded', 'done', 'a', 100e6);
INSERT INTO layer (point_id, layer_index, name, type, shape, path, latency_ns, matched) VALUES
  (2, 0, 'linear', 'aten::linear', NULL, 'p', 40e6, 'all'),
  (2, 1, 'transpose', 'aten::transpose', NULL, 'a', 0.01e6, 'all'),
  (2, 2, 'matmul #2', 'aten::matmul', NULL, 'a', 20e6, 'all'),
  (2, 3, 'div', 'aten::div', NULL, 'a', 4e6, 'all'),
  (2, 4, 'masked_fill', 'aten::masked_fill', NULL, 'a', 6e6, 'all'),
  (2, 5, 'softmax', 'aten::softmax', NULL, 'a', 10e6, 'all'),
  (2, 6, 'matmul #6', 'aten::matmul', NULL, 'a', 20e6, 'all');
INSERT INTO kernel (point_id, kernel_index, layer_index, name, type, dtype, unit, duration_ns, read_bytes, write_bytes, matched) VALUES
  (2, 0, 0, 'gemm', 'primitive', 'float32', 'vector', 40e6, 1e6, 1e6, 'all'),
  (2, 1, 2, 'gemm', 'primitive', 'float32', 'vector', 20e6, 1e6, 1e6, 'all'),
  (2, 2, 3, 'aten::div', 'native', 'float32', 'vector', 4e6, 1e6, 1e6, 'all'),
  (2, 3, 4, 'aten::masked_fill', 'native', 'float32', 'vector', 6e6, 1e6, 1e6, 'all'),
  (2, 4, 5, 'aten::_softmax', 'native', 'float32', 'vector', 10e6, 1e6, 1e6, 'all'),
  (2, 5, 6, 'gemm', 'primitive', 'float32', 'vector', 20e6, 1e6, 1e6, 'all');
