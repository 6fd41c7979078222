-- why: the whole run has an empty step; the four shares add up to 1
INSERT INTO point (point_id, model, backend, device, precision, batch, settings, status) VALUES
  (1, 'm', 'pytorch', 'cuda:0', 'float32', NULL, '{}', 'done');
INSERT INTO run (run_id, point_id, rung, status, path) VALUES (1, 1, 'imported', 'done', 'run');
INSERT INTO device_time VALUES
  (1, NULL, 0, 4, 300, 100, 75, 25, 50, 0, 25, 0, 0, 25, 3),
  (1, NULL, 0, NULL, 0, 1000, 500, 500, 400, 200, 20, 120, 80, 20, 9),
  (1, NULL, 0, 3, 100, 200, 200, 0, 100, 200, 0, 100, 100, 0, 4),
  (1, NULL, 1, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1);
