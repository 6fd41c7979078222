-- why: ways are named, the largest first; those not stored count, but are not named
INSERT INTO point (point_id, model, backend, device, precision, batch, settings, latency_ns, status)
VALUES (2, 'm', 'b', 'cpu', 'float32', 8, '{}', 40e6, 'done');
INSERT INTO kernel (point_id, kernel_index, layer_index, name, type, duration_ns, placed_by, matched) VALUES
  (2, 0, 0, 'k0', 'kernel', 20e6, NULL, 'all'),
  (2, 1, 0, 'k1', 'kernel', 19e6, 'sequence: capture', 'all'),
  (2, 2, 0, 'k2', 'kernel', 18e6, 'sequence: eager iteration', 'all'),
  (2, 3, 0, 'k3', 'kernel', 17e6, 'sequence: other run', 'all'),
  (2, 4, 0, 'k4', 'kernel', 16e6, 'graph_node', 'all'),
  (2, 5, 0, 'k5', 'kernel', 15e6, 'id', 'all'),
  (2, 6, 0, 'k6', 'kernel', 14e6, 'nesting', 'all'),
  (2, 7, 0, 'k7', 'kernel', 13e6, 'launch', 'all'),
  (2, 8, 0, 'k8', 'kernel', 12e6, 'concurrent', 'all'),
  (2, 9, 0, 'k9', 'kernel', 11e6, 'serialised', 'all');
