-- why: without a second backend there is nothing to compare with: the rule abstains
INSERT INTO point (point_id, model, backend, device, precision, batch, settings, latency_ns, status)
VALUES (1, 'm', 'PyTorch', 'cpu', 'float32', 4, '{}', 4e6, 'done'),
  (2, 'm', 'OpenVINO', 'cpu', 'bfloat16', 4, '{}', 2e6, 'done'),
  (3, 'm', 'ONNX Runtime', 'cpu', 'float32', 4, '{}', 2.1e6, 'done'),
  (4, 'm', 'PyTorch', 'cpu', 'float32', 1, '{}', 4e6, 'done');
