-- why: a tensor that grows step by step; a copy of the same type by `to` counts
INSERT INTO point (point_id, model, backend, device, precision, batch, settings, latency_ns, status)
VALUES (2, 'm', 'b', 'cpu', 'float32', 8, '{}', 100e6, 'done');
INSERT INTO layer (point_id, layer_index, name, type, shape, path, latency_ns, matched) VALUES
  (2, 0, 'linear', 'aten::linear', '[1]', 'a', 70e6, 'all'),
  (2, 1, 'cat #1', 'aten::cat', '[1]', 'a', 9e6, 'all'),
  (2, 2, 'cat #2', 'aten::cat', '[1]', 'a', 11e6, 'all'),
  (2, 3, 'to', 'aten::to', '[1]', 'a', 10e6, 'all');
INSERT INTO kernel (point_id, kernel_index, layer_index, name, type, dtype, unit, duration_ns, read_bytes, write_bytes, matched) VALUES
  (2, 0, 0, 'gemm', 'primitive', 'float32', 'vector', 70e6, 1e6, 1e6, 'all'),
  (2, 1, 1, 'aten::cat', 'native', 'float32', 'vector', 9e6, 1e6, 1e6, 'all'),
  (2, 2, 2, 'aten::cat', 'native', 'float32', 'vector', 11e6, 1e6, 1e6, 'all'),
  (2, 3, 3, 'aten::copy_', 'native', 'float32', 'vector', 10e6, 1e6, 1e6, 'all');
