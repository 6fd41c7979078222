-- why: three layers of a type do not show what is usual
INSERT INTO point (point_id, model, backend, device, precision, batch, settings, latency_ns, status)
VALUES (2, 'm', 'b', 'cpu', 'float32', 8, '{}', 40e6, 'done');
INSERT INTO roof (kind, name, dtype, unit, value, provenance, how, used) VALUES
  ('flops', 'float32 vector', 'float32', 'vector', 1e12, 'measured:xsp', '', true),
  ('bandwidth', 'DRAM read', NULL, NULL, 10e9, 'measured:xsp', '', true);
INSERT INTO layer (point_id, layer_index, name, type, latency_ns, matched) VALUES
  (2, 0, 'conv2d0', 'conv2d', 2e6, 'all'),
  (2, 1, 'conv2d1', 'conv2d', 2e6, 'all'),
  (2, 2, 'conv2d2', 'conv2d', 80e6, 'all');
INSERT INTO kernel (point_id, kernel_index, layer_index, name, type, duration_ns, flops, dtype, unit, matched) VALUES
  (2, 0, 0, 'k', 'primitive', 2e6, 1e9, 'float32', 'vector', 'all'),
  (2, 1, 1, 'k', 'primitive', 2e6, 1e9, 'float32', 'vector', 'all'),
  (2, 2, 2, 'k', 'primitive', 80e6, 1e9, 'float32', 'vector', 'all');
