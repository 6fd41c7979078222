-- why: the passes take just less than 5 %
INSERT INTO point (point_id, model, backend, device, precision, batch, settings, latency_ns, status)
VALUES (2, 'm', 'b', 'cpu', 'float32', 8, '{}', 100e6, 'done');
INSERT INTO layer (point_id, layer_index, name, type, shape, path, latency_ns, matched) VALUES
  (2, 0, 'linear', 'aten::linear', '[1,512,512]', 'p', 55.09e6, 'all'),
  (2, 1, 'transpose', 'aten::transpose', '[1,8,64,512]', 'a', 0.01e6, 'all'),
  (2, 2, 'matmul #2', 'aten::matmul', '[1,8,512,512]', 'a', 20e6, 'all'),
  (2, 3, 'div', 'aten::div', '[1,8,512,512]', 'a', 1.9e6, 'all'),
  (2, 4, 'masked_fill', 'aten::masked_fill', '[1,8,512,512]', 'a', 1e6, 'all'),
  (2, 5, 'softmax', 'aten::softmax', '[[512,512],[1,8,512,512]]', 'a', 2e6, 'all'),
  (2, 6, 'matmul #6', 'aten::matmul', '[1,8,512,64]', 'a', 20e6, 'all');
