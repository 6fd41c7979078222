-- why: without FLOPs of kernels the rule abstains and says how to get them
INSERT INTO point (point_id, model, backend, device, precision, batch, settings, latency_ns, status)
VALUES (2, 'm', 'b', 'cpu', 'float32', 8, '{}', 40e6, 'done');
INSERT INTO kernel (point_id, kernel_index, name, type, dtype, unit, duration_ns, flops, read_bytes, write_bytes,
  traffic_provenance, matched) VALUES
  (2, 0, 'unknown', 'native', NULL, NULL, 15e6, NULL, NULL, NULL, NULL, 'all');
