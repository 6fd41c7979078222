-- why: dropout draws, and batch normalisation counts its batches and takes their statistics
INSERT INTO point (point_id, model, backend, device, precision, batch, settings, latency_ns, status)
VALUES (2, 'm', 'b', 'cpu', 'float32', 8, '{}', 100e6, 'done');
INSERT INTO layer (point_id, layer_index, name, type, shape, path, latency_ns, matched) VALUES
  (2, 0, 'conv', 'aten::conv2d', '[2,32,10,10]', '0', 40e6, 'all'),
  (2, 1, '1 add_', 'aten::add_', '[]', '1', 1e6, 'all'),
  (2, 2, '1 batch_norm', 'aten::batch_norm', '[2,32,10,10]', '1', 19e6, 'all'),
  (2, 3, 'relu', 'aten::relu', '[2,32,10,10]', '2', 5e6, 'all'),
  (2, 4, 'drop', 'aten::dropout', '[2,32,10,10]', '3', 15e6, 'all'),
  (2, 5, 'linear', 'aten::linear', '[2,10]', '4', 20e6, 'all');
INSERT INTO kernel (point_id, kernel_index, layer_index, name, type, dtype, unit, duration_ns, read_bytes, write_bytes, matched) VALUES
  (2, 0, 0, 'convolution', 'primitive', 'float32', 'vector', 40e6, 1e6, 1e6, 'all'),
  (2, 1, 1, 'aten::add_', 'native', 'int64', 'vector', 1e6, 16, 8, 'all'),
  (2, 2, 2, 'aten::native_batch_norm', 'native', 'float32', 'vector', 19e6, 26112, 25856, 'all'),
  (2, 3, 3, 'aten::clamp_min', 'native', 'float32', 'vector', 5e6, 1e6, 1e6, 'all'),
  (2, 4, 4, 'aten::bernoulli_', 'native', 'float32', 'vector', 10e6, 0, 25600, 'all'),
  (2, 5, 4, 'aten::mul', 'native', 'float32', 'vector', 4e6, 51200, 25600, 'all'),
  (2, 6, 5, 'gemm', 'primitive', 'float32', 'vector', 20e6, 1e6, 1e6, 'all');
