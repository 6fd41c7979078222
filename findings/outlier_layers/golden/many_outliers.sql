-- why: three of five outliers are named, those with the most time first
INSERT INTO point (point_id, model, backend, device, precision, batch, settings, latency_ns, status)
VALUES (2, 'm', 'b', 'cpu', 'float32', 8, '{}', 40e6, 'done');
INSERT INTO roof (kind, name, dtype, unit, value, provenance, how, used) VALUES
  ('flops', 'float32 vector', 'float32', 'vector', 1e12, 'measured:xsp', '', true),
  ('bandwidth', 'DRAM read', NULL, NULL, 10e9, 'measured:xsp', '', true);
INSERT INTO layer (point_id, layer_index, name, type, latency_ns, matched) VALUES
  (2, 0, 'conv2d0', 'conv2d', 2e6, 'all'),
  (2, 1, 'conv2d1', 'conv2d', 2e6, 'all'),
  (2, 2, 'conv2d2', 'conv2d', 2e6, 'all'),
  (2, 3, 'conv2d3', 'conv2d', 2e6, 'all'),
  (2, 4, 'conv2d4', 'conv2d', 4e6, 'all'),
  (2, 5, 'conv2d5', 'conv2d', 4e6, 'all'),
  (2, 6, 'conv2d6', 'conv2d', 46e6, 'all'),
  (2, 7, 'conv2d7', 'conv2d', 47e6, 'all'),
  (2, 8, 'conv2d8', 'conv2d', 48e6, 'all'),
  (2, 9, 'conv2d9', 'conv2d', 49e6, 'all'),
  (2, 10, 'conv2d10', 'conv2d', 50e6, 'all');
INSERT INTO kernel (point_id, kernel_index, layer_index, name, type, duration_ns, flops, dtype, unit, matched) VALUES
  (2, 0, 0, 'k', 'primitive', 2e6, 1e9, 'float32', 'vector', 'all'),
  (2, 1, 1, 'k', 'primitive', 2e6, 1e9, 'float32', 'vector', 'all'),
  (2, 2, 2, 'k', 'primitive', 2e6, 1e9, 'float32', 'vector', 'all'),
  (2, 3, 3, 'k', 'primitive', 2e6, 1e9, 'float32', 'vector', 'all'),
  (2, 4, 4, 'k', 'primitive', 4e6, 1e9, 'float32', 'vector', 'all'),
  (2, 5, 5, 'k', 'primitive', 4e6, 1e9, 'float32', 'vector', 'all'),
  (2, 6, 6, 'k', 'primitive', 46e6, 1e9, 'float32', 'vector', 'all'),
  (2, 7, 7, 'k', 'primitive', 47e6, 1e9, 'float32', 'vector', 'all'),
  (2, 8, 8, 'k', 'primitive', 48e6, 1e9, 'float32', 'vector', 'all'),
  (2, 9, 9, 'k', 'primitive', 49e6, 1e9, 'float32', 'vector', 'all'),
  (2, 10, 10, 'k', 'primitive', 50e6, 1e9, 'float32', 'vector', 'all');
