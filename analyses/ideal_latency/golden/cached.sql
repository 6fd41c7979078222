-- why: a convolution is bound by the peak of one core (one thread), a small operand by L1 although DRAM alone would need longer than was measured, a large one by what exceeds the caches, Winograd by its bytes only; a type without any roof has no compute_ns, a layer without a cost no bound, one with traffic only that of writing; an impossible time is reported
INSERT INTO point (point_id, model, backend, device, precision, batch, settings, latency_ns, status) VALUES
  (1, 'm', 'pytorch', 'cpu', 'float32', 1, '{}', 2000000, 'done');
INSERT INTO run (run_id, point_id, rung, status, path, latency_ns, threads) VALUES
  (1, 1, 'layer', 'done', 'layer', 2000000, 1), (2, 1, 'kernel', 'done', 'kernel', 2000000, 1);
INSERT INTO layer (point_id, layer_index, name, type, latency_ns, source_run, matched) VALUES
  (1, 0, 'conv', 'conv', 40000, 1, 'all'),
  (1, 1, 'relu', 'relu', 10000, 1, 'all'),
  (1, 2, 'fc', 'linear', 1500000, 1, 'all'),
  (1, 3, 'conv fast', 'conv', 20000, 1, 'all'),
  (1, 4, 'half', 'mul', 5000, 1, 'all'),
  (1, 5, 'topk', 'topk', 5000, 1, 'all'), (1, 7, 'fused lookup', 'subgraph', 500, 1, 'all'),
  (1, 6, 'wrong', 'conv', 9000, 1, 'all');
INSERT INTO kernel (point_id, kernel_index, layer_index, name, type, dtype, unit, implementation, duration_ns, flops,
  read_bytes, write_bytes, flops_provenance, traffic_provenance, source_run, matched) VALUES
  (1, 0, 0, 'convolution jit:avx512_core', 'primitive', 'float32', 'vector', 'jit:avx512_core', 30000, 2000000, 60000, 40000, 'analytic', 'analytic', 2, 'all'),
  (1, 1, 0, 'reorder jit:uni', 'primitive', 'float32', 'vector', 'jit:uni', 10000, 0, 40000, 40000, 'analytic', 'analytic', 2, 'all'),
  (1, 2, 1, 'relu', 'native', 'float32', 'vector', NULL, 10000, 100000, 400000, 400000, 'analytic', 'analytic', 2, 'all'),
  (1, 3, 2, 'fc', 'native', 'float32', 'vector', NULL, 1500000, 5000000, 20000000, 4000, 'analytic', 'analytic', 2, 'all'),
  (1, 4, 3, 'convolution jit_wino', 'primitive', 'float32', 'vector', 'jit_wino', 20000, 9000000, 60000, 40000, 'analytic', 'analytic', 2, 'all'),
  (1, 5, 4, 'mul', 'native', 'float16', 'vector', NULL, 5000, 1000000, 60000, 40000, 'analytic', 'analytic', 2, 'all'),
  (1, 6, 5, 'topk', 'native', NULL, NULL, NULL, 5000, NULL, NULL, NULL, NULL, NULL, 2, 'all'),
  (1, 8, 7, 'lookup', 'native', 'float32', NULL, NULL, 500, NULL, 400000, 4000, NULL, 'analytic', 2, 'all'),
  (1, 7, 6, 'convolution', 'primitive', 'float32', 'vector', NULL, 9000, 1000000, 60000, 40000, 'analytic', 'analytic', 2, 'all');
INSERT INTO roof (kind, name, dtype, unit, cores, value, provenance, how, used) VALUES
  ('flops', 'float32 vector', 'float32', 'vector', 1, 1e11, 'measured:xsp', 'test', false),
  ('flops', 'float32 vector', 'float32', 'vector', 2, 2e11, 'measured:xsp', 'test', true),
  ('bandwidth', 'L1 read', NULL, NULL, 1, 1e11, 'measured:xsp', 'loads, 15 KiB per core, best of 200', false),
  ('bandwidth', 'L1 triad', NULL, NULL, 1, 2e11, 'measured:xsp', 'loads and stores, 15 KiB per core, best of 200', false),
  ('bandwidth', 'L1 write', NULL, NULL, 1, 1e11, 'measured:xsp', 'stores, 15 KiB per core, best of 200', false),
  ('bandwidth', 'L2 read', NULL, NULL, 1, 1e11, 'measured:xsp', 'loads, 100 KiB per core, best of 200', false),
  ('bandwidth', 'DRAM read', NULL, NULL, 1, 2e10, 'measured:xsp', 'loads, 8000 KiB per core, best of 200', false),
  ('bandwidth', 'DRAM read', NULL, NULL, 2, 4e10, 'measured:xsp', 'loads, 8000 KiB per core, best of 200', true);
