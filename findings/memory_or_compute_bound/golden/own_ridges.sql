-- why: int8 has a higher ridge than float32: the same intensity is above one and below the other
INSERT INTO point (point_id, model, backend, device, precision, batch, settings, latency_ns, status)
VALUES (2, 'm', 'b', 'cpu', 'float32', 8, '{}', 40e6, 'done');
INSERT INTO kernel (point_id, kernel_index, name, type, dtype, unit, duration_ns, flops, read_bytes, write_bytes,
  traffic_provenance, matched) VALUES
  (2, 0, 'convolution', 'primitive', 'int8', 'vector', 70e6, 1e9, 25e6, 25e6, 'analytic', 'all'),
  (2, 1, 'matmul', 'primitive', 'float32', 'vector', 30e6, 1e9, 25e6, 25e6, 'analytic', 'all');
INSERT INTO roof VALUES
  ('flops', 'float32 vector', 'float32', 'vector', 2, 100e9, 'measured:xsp', '', true),
  ('bandwidth', 'DRAM read', NULL, NULL, 2, 10e9, 'measured:xsp', '', true);
INSERT INTO roof VALUES ('flops', 'int8 vector', 'int8', 'vector', 2, 400e9, 'measured:xsp', '', true);
