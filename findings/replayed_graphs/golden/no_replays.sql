-- why: kernels tied by their launches are not of replayed graphs
INSERT INTO point (point_id, model, backend, device, precision, batch, settings, latency_ns, status)
VALUES (2, 'm', 'b', 'cpu', 'float32', 8, '{}', 40e6, 'done');
INSERT INTO kernel (point_id, kernel_index, layer_index, name, type, duration_ns, placed_by, matched) VALUES
  (2, 0, 0, 'k0', 'kernel', 20e6, 'launch', 'all'),
  (2, 1, NULL, 'k1', 'kernel', 3e6, 'sequence: capture', 'all');
