-- why: float32 and bfloat16 in one layer: 4 MFLOP take 2 us + 0.5 us at their own peaks, so the peak is 1.6 TFLOP/s
INSERT INTO point (point_id, model, backend, device, precision, batch, settings, latency_ns, status) VALUES
  (1, 'm', 'pytorch', 'cpu', 'float32', 1, '{}', 20000, 'done');
INSERT INTO run (run_id, point_id, rung, status, path) VALUES (1, 1, 'kernel', 'done', 'kernel-1');
INSERT INTO layer (point_id, layer_index, name, type, latency_ns, matched) VALUES
  (1, 0, 'block', 'block', 6000, 'all');
INSERT INTO kernel (point_id, kernel_index, layer_index, name, type, dtype, unit, duration_ns, flops,
  read_bytes, write_bytes, occupancy, flops_provenance, traffic_provenance, matched) VALUES
  (1, 0, 0, 'a', 'kernel', 'float32', 'vector', 3000, 2000000, 1000, 1000, NULL, 'analytic', 'analytic', 'all'),
  (1, 1, 0, 'b', 'kernel', 'bfloat16', 'tensor', 1000, 2000000, 1000, 1000, NULL, 'analytic', 'analytic', 'all');
INSERT INTO roof (kind, name, dtype, unit, value, provenance, how, used) VALUES
  ('flops', 'float32 vector', 'float32', 'vector', 1e12, 'measured:xsp', 'test', true),
  ('flops', 'bfloat16 tensor', 'bfloat16', 'tensor', 4e12, 'measured:xsp', 'test', true),
  ('flops', 'float32 vector, one core', 'float32', 'vector', 9e12, 'measured:xsp', 'test', false),
  ('bandwidth', 'DRAM triad', NULL, NULL, 1e11, 'measured:xsp', 'test', true),
  ('bandwidth', 'L2 read', NULL, NULL, 9e11, 'measured:xsp', 'test', false);
