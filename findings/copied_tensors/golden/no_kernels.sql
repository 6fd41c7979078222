-- why: without kernels the rule abstains: it does not know whether anything was copied
INSERT INTO point (point_id, model, backend, device, precision, batch, settings, latency_ns, status)
VALUES (2, 'm', 'b', 'cpu', 'float32', 8, '{}', 100e6, 'done');
INSERT INTO layer (point_id, layer_index, name, type, shape, path, latency_ns, matched) VALUES
  (2, 0, 'conv', 'aten::conv2d', '[1,64,56,56]', 'a', 60e6, 'all'),
  (2, 1, 'contiguous #1', 'aten::contiguous', '[1,56,56,64]', 'a', 12e6, 'all'),
  (2, 2, 'contiguous #2', 'aten::contiguous', '[1,64,56,56]', 'b', 10e6, 'all'),
  (2, 3, 'cat', 'aten::cat', '[1,128,56,56]', 'b', 8e6, 'all'),
  (2, 4, 'to', 'aten::to', '[1,64,56,56]', 'b', 6e6, 'all'),
  (2, 5, 'reshape', 'aten::reshape', '[1,200704]', 'c', 4e6, 'all');
