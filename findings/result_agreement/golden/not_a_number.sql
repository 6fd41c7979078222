-- why: a distance that is not a number is no agreement
INSERT INTO point (point_id, model, backend, device, precision, batch, settings, latency_ns, status)
VALUES (1, 'm', 'PyTorch', 'cpu', 'float32', 4, '{}', 4e6, 'done'),
  (2, 'm', 'OpenVINO', 'cpu', 'bfloat16', 4, '{}', 2e6, 'done');
INSERT INTO comparison VALUES (1, 2, 2, 1.9, 2.1, 0.001, 1, 'large', 2, 'slower'),
  (2, 1, 0.5, 0.48, 0.53, 0.001, -1, 'large', 2, 'faster');
INSERT INTO agreement (point_id, against_point_id, output_index, shape, label_agreement, max_absolute_error,
  cosine_similarity)
VALUES (2, 1, 0, '[4,21,64,64]', NULL, 'nan', 'nan');
