-- why: a kind that is no work is named in parentheses
INSERT INTO point (point_id, model, backend, device, precision, settings, status)
VALUES (1, 'm', 'b', 'cuda:0', 'float32', '{}', 'done');
INSERT INTO run (run_id, point_id, rung, status, path) VALUES (1, 1, 'imported', 'done', 'a');
INSERT INTO critical_path VALUES (1, NULL, 3, 'gap', 'gemm', 1, 600),
  (1, NULL, 3, 'compute', 'gemm', 1, 400);
INSERT INTO device_time VALUES (1, NULL, 0, NULL, 0, 1000, 500, 500, 0, 0, 0, 0, 0, 0, 9);
