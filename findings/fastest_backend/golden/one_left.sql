-- why: the other backend of this batch size has no latency to compare, so that none is the fastest
INSERT INTO point (point_id, model, backend, device, precision, batch, settings, latency_ns, status)
VALUES (1, 'm', 'PyTorch', 'cpu', 'float32', 4, '{}', 4e6, 'failed'),
  (2, 'm', 'OpenVINO', 'cpu', 'bfloat16', 4, '{}', 2e6, 'done');
INSERT INTO comparison VALUES (2, 1, 0.5, 0.47, 0.53, 0.001, -1, 'large', 2, 'faster');
