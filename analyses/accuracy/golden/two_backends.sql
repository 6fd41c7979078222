-- why: scores against the data set come before agreement; a run without any score still has its row; NULL value has its reason
INSERT INTO point (point_id, model, backend, device, precision, batch, settings, latency_ns, status) VALUES
  (1, 'net', 'PyTorch 2', 'cpu', 'float32', 8, '{}', 2000000, 'done'),
  (2, 'net', 'OpenVINO 2026', 'cpu', 'bfloat16', 8, '{}', 1000000, 'done'),
  (3, 'net', 'OpenCV 4', 'cpu', 'float32', 8, '{}', 3000000, 'failed');
INSERT INTO run (run_id, point_id, rung, status, path, samples) VALUES
  (1, 1, 'model', 'done', 'a', 2), (2, 2, 'model', 'done', 'b', 2), (3, 3, 'model', 'failed', 'c', 0);
INSERT INTO evaluation VALUES
  (1, 1, 'val', 10, 9, 1, 2, 3000000, 4000000, 333.3, 'cat/x.jpg: decode: the file is truncated'),
  (2, 2, 'val', 10, 9, 1, 2, 2000000, 2500000, 500, 'cat/x.jpg: decode: the file is truncated'),
  (3, 3, 'val', 10, 0, 0, 2, NULL, NULL, NULL, NULL);
INSERT INTO accuracy VALUES
  (1, 1, 'top_1', NULL, 0.75, 9, NULL),
  (1, 1, 'ap_small', NULL, NULL, 9, 'there is no such object to find'),
  (2, 2, 'top_1', NULL, 0.7, 9, NULL),
  (2, 2, 'same_top_1', 'PyTorch 2', 0.95, 9, NULL);
