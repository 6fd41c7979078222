-- why: two normalisations after convolutions; the output is the last shape where others are recorded, too
INSERT INTO point (point_id, model, backend, device, precision, batch, settings, latency_ns, status)
VALUES (1, 'm', 'b', 'cpu', 'float32', 1, '{}', 100e6, 'done');
INSERT INTO layer (point_id, layer_index, name, type, shape, latency_ns, matched) VALUES
  (1, 0, 'c0', 'aten::conv2d', '[1,64,56,56]', 40000000.0, 'all'),
  (1, 1, 'b0', 'aten::batch_norm', '[1,64,56,56]', 6000000.0, 'all'),
  (1, 2, 'r0', 'aten::relu', '[1,64,56,56]', 4000000.0, 'all'),
  (1, 3, 'c1', 'aten::conv2d', '[[1,64,56,56],[1,64,56,56]]', 40000000.0, 'all'),
  (1, 4, 'b1', 'aten::batch_norm', '[[1,64,56,56],[1,64,56,56]]', 4000000.0, 'all'),
  (1, 5, 'a', 'aten::add_', '[1,64,56,56]', 6000000.0, 'all');
