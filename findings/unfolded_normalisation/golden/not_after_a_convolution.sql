-- why: after an addition, after a convolution with another layer between, and with another shape: cannot be folded
INSERT INTO point (point_id, model, backend, device, precision, batch, settings, latency_ns, status)
VALUES (1, 'm', 'b', 'cpu', 'float32', 1, '{}', 100e6, 'done');
INSERT INTO layer (point_id, layer_index, name, type, shape, latency_ns, matched) VALUES
  (1, 0, 'c', 'aten::conv2d', '[1,64,56,56]', 40000000.0, 'all'),
  (1, 1, 'a', 'aten::add', '[1,64,56,56]', 10000000.0, 'all'),
  (1, 2, 'b', 'aten::batch_norm', '[1,64,56,56]', 10000000.0, 'all'),
  (1, 3, 'c1', 'aten::conv2d', '[1,64,56,56]', 20000000.0, 'all'),
  (1, 4, 'r', 'aten::relu', '[1,64,56,56]', 5000000.0, 'all'),
  (1, 5, 'b1', 'aten::batch_norm', '[1,64,56,56]', 5000000.0, 'all'),
  (1, 6, 'c2', 'aten::conv2d', '[1,64,56,56]', 5000000.0, 'all'),
  (1, 7, 'b2', 'aten::batch_norm', '[1,32,56,56]', 5000000.0, 'all');
