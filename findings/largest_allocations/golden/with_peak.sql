-- why: 6 MB in all, of which 4 MB are live at once; of equal layers the first is named
INSERT INTO point (point_id, model, backend, device, precision, batch, settings, latency_ns, peak_bytes,
  status)
VALUES (2, 'm', 'b', 'cpu', 'float32', 8, '{}', 40e6, 4e6, 'done');
INSERT INTO layer (point_id, layer_index, name, type, latency_ns, allocated_bytes, matched) VALUES
  (2, 0, 'aten::conv2d0', 'aten::conv2d', 1e6, 3e6, 'all'),
  (2, 1, 'aten::relu1', 'aten::relu', 1e6, 3e6, 'all'),
  (2, 2, 'aten::addmm2', 'aten::addmm', 1e6, 2e3, 'all'),
  (2, 3, 'aten::view3', 'aten::view', 1e6, 0, 'all');
