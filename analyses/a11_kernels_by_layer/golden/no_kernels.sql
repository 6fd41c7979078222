-- why: without the kernel rung there are no rows, and the sentence names the command
INSERT INTO point (point_id, model, backend, device, precision, batch, settings, latency_ns, status) VALUES
  (1, 'resnet50', 'pytorch', 'cpu', 'float32', 1, '{}', 100, 'partial'), (2, 'resnet50', 'pytorch', 'cpu', 'float32', 2, '{}', 200, 'partial');
INSERT INTO layer (point_id, layer_index, name, type, latency_ns, matched) VALUES
  (1, 0, 'a', 'conv', 60, 'all'),
  (2, 0, 'a', 'conv', 60, 'all');
INSERT INTO roof (kind, name, dtype, unit, value, provenance, how, used) VALUES
  ('flops', 'float32 vector', 'float32', 'vector', 1e12, 'measured:xsp', 'test', true),
  ('flops', 'bfloat16 tensor', 'bfloat16', 'tensor', 4e12, 'measured:xsp', 'test', true),
  ('flops', 'float32 vector, one core', 'float32', 'vector', 9e12, 'measured:xsp', 'test', false),
  ('bandwidth', 'DRAM triad', NULL, NULL, 1e11, 'measured:xsp', 'test', true),
  ('bandwidth', 'L2 read', NULL, NULL, 9e11, 'measured:xsp', 'test', false);
