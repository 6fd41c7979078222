-- why: among several backends the sentence names its own
INSERT INTO point (point_id, model, backend, device, precision, batch, settings, latency_ns, latency_low_ns,
  latency_high_ns, status)
VALUES (1, 'm', 'PyTorch 2.15.0', 'cpu', 'float32', 1, '{}', 10e6, NULL, NULL, 'done'),
  (2, 'm', 'PyTorch 2.15.0', 'cpu', 'float32', 8, '{}', 40e6, NULL, NULL, 'done');
INSERT INTO point (point_id, model, backend, device, precision, batch, settings, latency_ns, status)
VALUES (3, 'm', 'ONNX Runtime 1.20', 'cpu', 'float32', 8, '{}', 80e6, 'done');
INSERT INTO comparison (point_id, against_point_id, ratio, ratio_low, ratio_high, verdict)
VALUES (2, 3, 2, 1.9, 2.1, 'faster');
