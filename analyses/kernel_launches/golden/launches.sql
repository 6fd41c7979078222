-- why: means are over what was launched; a name whose launches are not in the trace has none and is not launch-bound
INSERT INTO point (point_id, model, backend, device, precision, batch, settings, status) VALUES
  (1, 'm', 'pytorch', 'cuda:0', 'float32', NULL, '{}', 'done');
INSERT INTO run (run_id, point_id, rung, status, path) VALUES (1, 1, 'imported', 'done', 'run');
INSERT INTO launch VALUES
  (1, NULL, 0, 'gemm', 'kernel', 4, 0, 1, 0, 1, 500, 2, 9000, 20000, 80000, 7000, 4000, 6000, 12000, 12000, 16000, 4000),
  (1, NULL, 0, 'relu', 'kernel', 4, 1, 4, 1, 2, 900, 5, 8000, 20000, 8000, 6000, -500, 6000, 12000, 12000, 0, 8000),
  (1, NULL, 0, 'Memcpy HtoD', 'memcpy', 0, 2, 0, 0, 0, 0, 2, 3000, 0, 3000, NULL, NULL, NULL, NULL, NULL, 0, 0);
INSERT INTO device_time VALUES (1, NULL, 0, NULL, 0, 1000, 600, 400, 600, 0, 0, 0, 0, 0, 11);
