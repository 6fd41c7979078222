-- why: without kernels the rule abstains: dropout that draws looks like dropout that does not
INSERT INTO point (point_id, model, backend, device, precision, batch, settings, latency_ns, status)
VALUES (2, 'm', 'b', 'cpu', 'float32', 8, '{}', 100e6, 'done');
INSERT INTO layer (point_id, layer_index, name, type, shape, path, latency_ns, matched) VALUES
  (2, 0, 'conv', 'aten::conv2d', '[2,32,10,10]', '0', 40e6, 'all'),
  (2, 1, '1 add_', 'aten::add_', '[]', '1', 1e6, 'all'),
  (2, 2, '1 batch_norm', 'aten::batch_norm', '[2,32,10,10]', '1', 19e6, 'all'),
  (2, 3, 'relu', 'aten::relu', '[2,32,10,10]', '2', 5e6, 'all'),
  (2, 4, 'drop', 'aten::dropout', '[2,32,10,10]', '3', 15e6, 'all'),
  (2, 5, 'linear', 'aten::linear', '[2,10]', '4', 20e6, 'all');
