-- why: copies take just less than a tenth of the time of all layers
INSERT INTO point (point_id, model, backend, device, precision, batch, settings, latency_ns, status)
VALUES (2, 'm', 'b', 'cpu', 'float32', 8, '{}', 100e6, 'done');
INSERT INTO layer (point_id, layer_index, name, type, shape, path, latency_ns, matched) VALUES
  (2, 0, 'conv', 'aten::conv2d', '[1]', 'a', 90.1e6, 'all'),
  (2, 1, 'clone', 'aten::clone', '[1]', 'a', 9.9e6, 'all');
INSERT INTO kernel (point_id, kernel_index, layer_index, name, type, dtype, unit, duration_ns, read_bytes, write_bytes, matched) VALUES
  (2, 0, 0, 'convolution', 'primitive', 'float32', 'vector', 90.1e6, 1e6, 1e6, 'all'),
  (2, 1, 1, 'aten::copy_', 'native', 'float32', 'vector', 9.9e6, 1e6, 1e6, 'all');
