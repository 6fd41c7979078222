-- why: 20 ms by the capture and 7 ms by their launch, of 30 ms
INSERT INTO point (point_id, model, backend, device, precision, batch, settings, latency_ns, status)
VALUES (2, 'm', 'b', 'cpu', 'float32', 8, '{}', 40e6, 'done');
INSERT INTO kernel (point_id, kernel_index, layer_index, name, type, duration_ns, placed_by, matched) VALUES
  (2, 0, 0, 'k0', 'kernel', 20e6, 'sequence: capture', 'all'),
  (2, 1, 0, 'k1', 'kernel', 7e6, 'launch', 'all'),
  (2, 2, NULL, 'k2', 'kernel', 3e6, NULL, 'all');
