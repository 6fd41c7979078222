-- why: of 15 of 16 ms nothing is known
INSERT INTO point (point_id, model, backend, device, precision, batch, settings, latency_ns, status)
VALUES (2, 'm', 'b', 'cpu', 'float32', 8, '{}', 40e6, 'done');
INSERT INTO kernel (point_id, kernel_index, name, type, dtype, unit, duration_ns, flops, read_bytes, write_bytes,
  traffic_provenance, matched) VALUES
  (2, 0, 'add', 'native', 'float32', 'vector', 1e6, 1e6, 10e6, 10e6, 'analytic', 'all'),
  (2, 1, 'unknown', 'native', NULL, NULL, 15e6, NULL, NULL, NULL, NULL, 'all');
INSERT INTO roof VALUES
  ('flops', 'float32 vector', 'float32', 'vector', 2, 100e9, 'measured:xsp', '', true),
  ('bandwidth', 'DRAM read', NULL, NULL, 2, 10e9, 'measured:xsp', '', true);
