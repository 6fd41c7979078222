-- why: the kernel rung of one batch size failed: its row is missing and the reason is given
INSERT INTO point (point_id, model, backend, device, precision, batch, settings, latency_ns, status) VALUES
  (1, 'm', 'pytorch', 'cpu', 'float32', 1, '{}', 20000, 'done'),
  (2, 'm', 'pytorch', 'cpu', 'float32', 2, '{}', 30000, 'done');
INSERT INTO run (run_id, point_id, rung, status, path, message) VALUES
  (1, 1, 'kernel', 'done', 'kernel-1', NULL),
  (2, 2, 'kernel', 'failed', 'kernel-2', 'the worker did not answer within 600 s');
INSERT INTO kernel (point_id, kernel_index, layer_index, name, type, dtype, unit, duration_ns, flops,
  read_bytes, write_bytes, occupancy, flops_provenance, traffic_provenance, matched) VALUES
  (1, 0, 0, 'convolution brgconv:avx512_core', 'primitive', 'float32', 'vector', 4000, 2000000, 60000, 40000, 0.5, 'analytic', 'analytic', 'all'),
  (1, 1, 0, 'reorder jit:uni', 'primitive', 'float32', 'vector', 1000, 0, 40000, 40000, NULL, 'analytic', 'analytic', 'all'),
  (1, 2, 1, 'convolution brgconv:avx512_core', 'primitive', 'float32', 'vector', 2000, 100000, 60000, 40000, 1.0, 'analytic', 'analytic', 'all'),
  (1, 3, 2, 'inner_product brgemm:avx512_core_amx', 'primitive', 'bfloat16', 'tensor', 3000, 3000000, 60000, 40000, NULL, 'analytic', 'analytic', 'all'),
  (1, 4, 3, 'aten::batch_norm', 'native', 'float32', 'vector', 500, NULL, 5000, 5000, NULL, 'analytic', 'analytic', 'all'),
  (1, 5, NULL, 'memcpy', 'memcpy', NULL, NULL, 300, 0, 0, 0, NULL, 'analytic', 'analytic', 'all'),
  (1, 6, 3, 'matmul int8', 'primitive', 'int8', 'tensor', 700, 1000, 10, 10, NULL, 'analytic', 'analytic', 'all');
INSERT INTO roof (kind, name, dtype, unit, value, provenance, how, used) VALUES
  ('flops', 'float32 vector', 'float32', 'vector', 1e12, 'measured:xsp', 'test', true),
  ('flops', 'bfloat16 tensor', 'bfloat16', 'tensor', 4e12, 'measured:xsp', 'test', true),
  ('flops', 'float32 vector, one core', 'float32', 'vector', 9e12, 'measured:xsp', 'test', false),
  ('bandwidth', 'DRAM triad', NULL, NULL, 1e11, 'measured:xsp', 'test', true),
  ('bandwidth', 'L2 read', NULL, NULL, 9e11, 'measured:xsp', 'test', false);
