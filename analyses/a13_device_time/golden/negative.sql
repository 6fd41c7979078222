-- why: device time can exceed the latency of the layer: shown negative, flagged, not clamped, and no share
INSERT INTO point (point_id, model, backend, device, precision, batch, settings, latency_ns, status) VALUES
  (1, 'm', 'pytorch', 'cpu', 'float32', 1, '{}', 200, 'done');
INSERT INTO run (run_id, point_id, rung, status, path) VALUES (1, 1, 'kernel', 'done', 'kernel-1');
INSERT INTO layer (point_id, layer_index, name, type, latency_ns, device_ns, matched) VALUES
  (1, 0, 'a', 'conv', 100, 90, 'all'),
  (1, 1, 'b', 'relu', 20, 25, 'all'),
  (1, 2, 'c', 'view', 5, NULL, 'all');
INSERT INTO kernel (point_id, kernel_index, layer_index, name, type, dtype, unit, duration_ns, flops,
  read_bytes, write_bytes, occupancy, flops_provenance, traffic_provenance, matched) VALUES
  (1, 0, 0, 'k', 'kernel', 'float32', 'vector', 90, 1, 1, 1, NULL, 'analytic', 'analytic', 'all');
