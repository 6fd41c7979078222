-- why: shares of all time and of busy time; rows of steps are left out
INSERT INTO point (point_id, model, backend, device, precision, batch, settings, status) VALUES
  (1, 'm', 'pytorch', 'cuda:0', 'float32', NULL, '{}', 'done');
INSERT INTO run (run_id, point_id, rung, status, path) VALUES (1, 1, 'imported', 'done', 'run');
INSERT INTO concurrency VALUES
  (1, NULL, 0, NULL, 2, 100), (1, NULL, 0, NULL, 0, 500), (1, NULL, 0, NULL, 1, 400),
  (1, NULL, 0, 3, 1, 400), (1, NULL, 1, NULL, 1, 70);
INSERT INTO device_time VALUES (1, NULL, 0, NULL, 0, 1000, 500, 500, 500, 0, 0, 0, 0, 0, 9);
