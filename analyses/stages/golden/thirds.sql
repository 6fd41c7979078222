-- why: seven layers are cut 3, 2, 2; latency in the beginning, memory in the end, FLOPs in the middle, traffic tied: the first
INSERT INTO point (point_id, model, backend, device, precision, batch, settings, latency_ns, status) VALUES
  (1, 'm', 'pytorch', 'cpu', 'float32', 1, '{}', 200, 'done');
INSERT INTO run (run_id, point_id, rung, status, path) VALUES (1, 1, 'kernel', 'done', 'kernel-1');
INSERT INTO layer (point_id, layer_index, name, type, latency_ns, allocated_bytes, flops, read_bytes, write_bytes, matched) VALUES
  (1, 0, 'l0', 'conv', 30, 1, 0, 5, 5, 'all'),
  (1, 1, 'l1', 'conv', 20, 1, 10, 0, 0, 'all'),
  (1, 2, 'l2', 'conv', 10, 1, 0, 5, 5, 'all'),
  (1, 3, 'l3', 'conv', 20, 2, 40, 10, 5, 'all'),
  (1, 4, 'l4', 'conv', 5, 2, 40, 5, 0, 'all'),
  (1, 5, 'l5', 'conv', 10, 9, 5, 0, 0, 'all'),
  (1, 6, 'l6', 'conv', 5, 4, 5, 0, 0, 'all');
