-- why: a copy takes more than any kernel, and is none
INSERT INTO point (point_id, model, backend, device, precision, batch, settings, latency_ns, status)
VALUES (2, 'm', 'b', 'cpu', 'float32', 8, '{}', 40e6, 'done');
INSERT INTO kernel (point_id, kernel_index, name, type, dtype, unit, duration_ns, flops, read_bytes, write_bytes,
  traffic_provenance, matched) VALUES
  (2, 0, 'gemm', 'primitive', 'bfloat16', 'vector', 6e6, 1e9, 1e6, 1e6, 'analytic', 'all'),
  (2, 3, 'Memcpy HtoD', 'memcpy', NULL, NULL, 90e6, NULL, NULL, NULL, NULL, 'all'),
  (2, 1, 'softmax', 'native', 'float32', 'vector', 10e6, 1e6, 1e6, 1e6, 'analytic', 'all'),
  (2, 2, 'gemm', 'primitive', 'bfloat16', 'vector', 6e6, 1e9, 1e6, 1e6, 'analytic', 'all');
INSERT INTO roof VALUES
  ('flops', 'float32 vector', 'float32', 'vector', 2, 100e9, 'measured:xsp', '', true),
  ('bandwidth', 'DRAM read', NULL, NULL, 2, 10e9, 'measured:xsp', '', true);
