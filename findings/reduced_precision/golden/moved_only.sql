-- why: a conversion to bfloat16 has no FLOPs
INSERT INTO point (point_id, model, backend, device, precision, batch, settings, latency_ns, status)
VALUES (2, 'm', 'b', 'cpu', 'float32', 8, '{}', 40e6, 'done');
INSERT INTO kernel (point_id, kernel_index, name, type, dtype, unit, duration_ns, flops, read_bytes, write_bytes,
  traffic_provenance, matched) VALUES
  (2, 0, 'convolution', 'primitive', 'float32', 'vector', 20e6, 6e9, 1e6, 1e6, 'analytic', 'all'),
  (2, 1, 'reorder', 'primitive', 'bfloat16', 'vector', 20e6, 0, 1e6, 1e6, 'analytic', 'all');
