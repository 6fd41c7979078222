-- why: FLOPs, traffic and where they come from, in execution order; shares are of the known ones
INSERT INTO point (point_id, model, backend, device, precision, batch, settings, latency_ns, status) VALUES
  (1, 'm', 'pytorch', 'cpu', 'float32', 1, '{}', 200, 'done');
INSERT INTO run (run_id, point_id, rung, status, path) VALUES (1, 1, 'kernel', 'done', 'kernel-1');
INSERT INTO layer (point_id, layer_index, name, type, dtype, flops, read_bytes, write_bytes, flops_provenance, traffic_provenance, matched) VALUES
  (1, 1, 'b', 'relu', 'float32', 0, 100, 100, 'analytic', 'analytic', 'all'),
  (1, 0, 'a', 'conv', 'float32', 900, 150, 50, 'analytic', 'measured:cupti', 'all'),
  (1, 2, 'c', 'sort', NULL, NULL, NULL, NULL, NULL, NULL, 'all');
