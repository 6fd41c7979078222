-- why: without roofs the rule abstains and says how to get them
INSERT INTO point (point_id, model, backend, device, precision, batch, settings, latency_ns, status)
VALUES (2, 'm', 'b', 'cpu', 'float32', 8, '{}', 40e6, 'done');
INSERT INTO kernel (point_id, kernel_index, name, type, dtype, unit, duration_ns, flops, read_bytes, write_bytes,
  traffic_provenance, matched) VALUES
  (2, 0, 'convolution jit:avx512', 'primitive', 'float32', 'vector', 20e6, 1e9, 1e6, 1e6, 'analytic', 'all'),
  (2, 1, 'reorder jit:uni', 'primitive', 'float32', 'vector', 7e6, 0, 4e6, 4e6, 'analytic', 'all'),
  (2, 2, 'aten::relu', 'native', 'float32', 'vector', 3e6, 1e6, 4e6, 4e6, 'analytic', 'all');
