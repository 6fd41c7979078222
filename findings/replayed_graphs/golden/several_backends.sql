-- why: among several backends the sentence is led by its own
INSERT INTO point (point_id, model, backend, device, precision, batch, settings, latency_ns, status)
VALUES (2, 'm', 'PyTorch', 'cpu', 'float32', 8, '{}', 40e6, 'done');
INSERT INTO point (point_id, model, backend, device, precision, batch, settings, latency_ns, status)
VALUES (3, 'm', 'TensorFlow', 'cpu', 'float32', 8, '{}', 80e6, 'done');
INSERT INTO comparison (point_id, against_point_id, ratio, ratio_low, ratio_high, verdict)
VALUES (2, 3, 2, 1.9, 2.1, 'faster');
INSERT INTO kernel (point_id, kernel_index, layer_index, name, type, duration_ns, placed_by, matched) VALUES
  (2, 0, 0, 'k0', 'kernel', 20e6, 'sequence: capture', 'all');
