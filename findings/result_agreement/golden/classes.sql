-- why: class scores agree by their largest class, whatever their cosine; one row of four is another class
INSERT INTO point (point_id, model, backend, device, precision, batch, settings, latency_ns, status)
VALUES (1, 'm', 'PyTorch', 'cpu', 'float32', 4, '{}', 4e6, 'done'),
  (2, 'm', 'OpenVINO', 'cpu', 'bfloat16', 4, '{}', 2e6, 'done'),
  (3, 'm', 'ONNX Runtime', 'cpu', 'float32', 4, '{}', 2.1e6, 'done'),
  (4, 'm', 'PyTorch', 'cpu', 'float32', 1, '{}', 4e6, 'done');
INSERT INTO comparison
VALUES (1, 2, 2, 1.9, 2.1, 0.001, 1, 'large', 2, 'slower'), (2, 1, 0.5, 0.47, 0.53, 0.001, -1, 'large', 2, 'faster'),
  (3, 2, 1.05, 0.97, 1.1, 0.2, 0.1, 'small', 2, 'no difference found'),
  (1, 3, 1.9, 1.8, 2, 0.001, 1, 'large', 2, 'slower');
INSERT INTO agreement (point_id, against_point_id, output_index, shape, label_agreement, max_absolute_error,
  cosine_similarity, message)
VALUES (2, 1, 0, NULL, 0.75, 0.5, 0.95, NULL), (3, 1, 0, NULL, 1, 0.0001, 1, NULL);
