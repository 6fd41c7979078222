-- why: just below three fifths of the time are below the ridge; the bytes were measured
INSERT INTO point (point_id, model, backend, device, precision, batch, settings, latency_ns, status)
VALUES (2, 'm', 'b', 'cpu', 'float32', 8, '{}', 40e6, 'done');
INSERT INTO kernel (point_id, kernel_index, name, type, dtype, unit, duration_ns, flops, read_bytes, write_bytes,
  traffic_provenance, matched) VALUES
  (2, 0, 'convolution', 'primitive', 'float32', 'vector', 41e6, 1e9, 1e6, 1e6, 'measured:papi', 'all'),
  (2, 1, 'relu', 'native', 'float32', 'vector', 59e6, 1e6, 4e6, 4e6, 'measured:papi', 'all');
INSERT INTO roof VALUES
  ('flops', 'float32 vector', 'float32', 'vector', 2, 100e9, 'measured:xsp', '', true),
  ('bandwidth', 'DRAM read', NULL, NULL, 2, 10e9, 'measured:xsp', '', true);
