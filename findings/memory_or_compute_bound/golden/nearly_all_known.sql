-- why: just 95 % of the kernel time are known, which is as good as all of it
INSERT INTO point (point_id, model, backend, device, precision, batch, settings, latency_ns, status)
VALUES (2, 'm', 'b', 'cpu', 'float32', 8, '{}', 40e6, 'done');
INSERT INTO kernel (point_id, kernel_index, name, type, dtype, unit, duration_ns, flops, read_bytes, write_bytes,
  traffic_provenance, matched) VALUES
  (2, 0, 'convolution', 'primitive', 'float32', 'vector', 95e6, 1e9, 1e6, 1e6, 'analytic', 'all'),
  (2, 1, 'unknown', 'native', NULL, NULL, 5e6, NULL, NULL, NULL, NULL, 'all');
INSERT INTO roof VALUES
  ('flops', 'float32 vector', 'float32', 'vector', 2, 100e9, 'measured:xsp', '', true),
  ('bandwidth', 'DRAM read', NULL, NULL, 2, 10e9, 'measured:xsp', '', true);
