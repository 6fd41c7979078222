-- why: shares are of one stream's idle time, the device's own gaps come first, and rows of steps are left out
INSERT INTO point (point_id, model, backend, device, precision, batch, settings, status) VALUES
  (1, 'm', 'pytorch', 'cuda:0', 'float32', NULL, '{}', 'done');
INSERT INTO run (run_id, point_id, rung, status, path) VALUES (1, 1, 'imported', 'done', 'run');
INSERT INTO device_time VALUES (1, NULL, 0, NULL, 0, 1000, 600, 400, 600, 0, 0, 0, 0, 0, 9);
INSERT INTO idle VALUES
  (1, NULL, 0, 7, NULL, 'host', 3, 300, 40, 200, 'gemm', 'relu'),
  (1, NULL, 0, 7, NULL, 'unknown', 1, 200, 0, 200, 'relu', 'gemm'),
  (1, NULL, 0, NULL, NULL, 'kernel', 10, 100, 100, 15, 'gemm', 'relu'),
  (1, NULL, 0, NULL, NULL, 'host', 2, 300, 30, 200, 'gemm', 'relu'),
  (1, NULL, 0, NULL, 4, 'host', 1, 100, 10, 100, 'gemm', 'relu');
