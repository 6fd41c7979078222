-- why: each model at the batch size of its highest throughput; conv2d and its transpose are convolutions, convert_layout is not; without batch 1 there is no online latency
INSERT INTO point (point_id, model, backend, device, precision, batch, settings, latency_ns, model_bytes, status) VALUES
  (1, 'small', 'pytorch', 'cpu', 'float32', 1, '{}', 1000, 40000, 'done'),
  (2, 'small', 'pytorch', 'cpu', 'float32', 4, '{}', 2000, 40000, 'done'),
  (3, 'small', 'pytorch', 'cpu', 'float32', 8, '{}', 5000, 40000, 'done'),
  (4, 'large', 'pytorch', 'cpu', 'float32', 2, '{}', 9000, 900000, 'done');
INSERT INTO run (run_id, point_id, rung, status, path) VALUES (1, 1, 'kernel', 'done', 'kernel-1');
INSERT INTO layer (point_id, layer_index, name, type, latency_ns, device_ns, matched) VALUES
  (1, 0, 'a', 'aten::conv2d', 800, 700, 'all'),
  (2, 0, 'a', 'aten::conv2d', 1000, 900, 'all'),
  (2, 1, 'b', 'convert_layout', 300, 100, 'all'),
  (2, 2, 'c', 'ConvTranspose2d', 200, 200, 'all'),
  (4, 0, 'a', 'aten::linear', 8000, 8000, 'all');
INSERT INTO kernel (point_id, kernel_index, layer_index, name, type, dtype, unit, duration_ns, flops,
  read_bytes, write_bytes, occupancy, flops_provenance, traffic_provenance, matched) VALUES
  (1, 0, 0, 'k', 'kernel', 'float32', 'vector', 700, 1000, 100, 100, NULL, 'analytic', 'analytic', 'all'),
  (2, 0, 0, 'k', 'kernel', 'float32', 'vector', 1000, 40000, 1000, 1000, 0.5, 'analytic', 'analytic', 'all'),
  (2, 1, NULL, 'k', 'kernel', 'float32', 'vector', 100, 2000, 50, 50, 1, 'analytic', 'analytic', 'all'),
  (4, 0, 0, 'k', 'kernel', 'float32', 'vector', 8000, 9000, 4000, 500, NULL, 'analytic', 'analytic', 'all');
INSERT INTO roof (kind, name, dtype, unit, value, provenance, how, used) VALUES
  ('flops', 'float32 vector', 'float32', 'vector', 1e12, 'measured:xsp', 'test', true),
  ('flops', 'bfloat16 tensor', 'bfloat16', 'tensor', 4e12, 'measured:xsp', 'test', true),
  ('flops', 'float32 vector, one core', 'float32', 'vector', 9e12, 'measured:xsp', 'test', false),
  ('bandwidth', 'DRAM triad', NULL, NULL, 1e11, 'measured:xsp', 'test', true),
  ('bandwidth', 'L2 read', NULL, NULL, 9e11, 'measured:xsp', 'test', false);
