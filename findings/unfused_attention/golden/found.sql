-- why: scale, mask and softmax between two products; of two shapes the last is that of the result
INSERT INTO point (point_id, model, backend, device, precision, batch, settings, latency_ns, status)
VALUES (2, 'm', 'b', 'cpu', 'float32', 8, '{}', 100e6, 'done');
INSERT INTO layer (point_id, layer_index, name, type, shape, path, latency_ns, matched) VALUES
  (2, 0, 'linear', 'aten::linear', '[1,512,512]', 'p', 40e6, 'all'),
  (2, 1, 'transpose', 'aten::transpose', '[1,8,64,512]', 'a', 0.01e6, 'all'),
  (2, 2, 'matmul #2', 'aten::matmul', '[1,8,512,512]', 'a', 20e6, 'all'),
  (2, 3, 'div', 'aten::div', '[1,8,512,512]', 'a', 4e6, 'all'),
  (2, 4, 'masked_fill', 'aten::masked_fill', '[1,8,512,512]', 'a', 6e6, 'all'),
  (2, 5, 'softmax', 'aten::softmax', '[[512,512],[1,8,512,512]]', 'a', 10e6, 'all'),
  (2, 6, 'matmul #6', 'aten::matmul', '[1,8,512,64]', 'a', 20e6, 'all');
INSERT INTO kernel (point_id, kernel_index, layer_index, name, type, dtype, unit, duration_ns, read_bytes, write_bytes, matched) VALUES
  (2, 0, 0, 'gemm', 'primitive', 'float32', 'vector', 40e6, 1e6, 1e6, 'all'),
  (2, 1, 2, 'gemm', 'primitive', 'float32', 'vector', 20e6, 1e6, 1e6, 'all'),
  (2, 2, 3, 'aten::div', 'native', 'float32', 'vector', 4e6, 1e6, 1e6, 'all'),
  (2, 3, 4, 'aten::masked_fill', 'native', 'float32', 'vector', 6e6, 1e6, 1e6, 'all'),
  (2, 4, 5, 'aten::_softmax', 'native', 'float32', 'vector', 10e6, 1e6, 1e6, 'all'),
  (2, 5, 6, 'gemm', 'primitive', 'float32', 'vector', 20e6, 1e6, 1e6, 'all');
