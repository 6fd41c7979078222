-- why: kernels without a duration do not take the most
INSERT INTO point (point_id, model, backend, device, precision, batch, settings, latency_ns, status)
VALUES (2, 'm', 'b', 'cpu', 'float32', 8, '{}', 40e6, 'done');
INSERT INTO kernel (point_id, kernel_index, name, type, dtype, unit, duration_ns, flops, read_bytes, write_bytes,
  traffic_provenance, matched) VALUES
  (2, 0, 'gemm', 'primitive', 'float32', 'vector', NULL, 1e9, 1e6, 1e6, 'analytic', 'all');
