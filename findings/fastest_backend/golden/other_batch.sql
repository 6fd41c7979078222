-- why: the point with the highest throughput was measured with one backend only: the rule abstains
INSERT INTO point (point_id, model, backend, device, precision, batch, settings, latency_ns, status)
VALUES (1, 'm', 'PyTorch', 'cpu', 'float32', 4, '{}', 4e6, 'done'),
  (2, 'm', 'OpenVINO', 'cpu', 'bfloat16', 4, '{}', 2e6, 'done'),
  (4, 'm', 'PyTorch', 'cpu', 'float32', 16, '{}', 4e6, 'done');
INSERT INTO comparison
VALUES (1, 2, 2, 1.9, 2.1, 0.001, 1, 'large', 2, 'slower'), (2, 1, 0.5, 0.47, 0.53, 0.001, -1, 'large', 2, 'faster');
