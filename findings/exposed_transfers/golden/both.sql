-- why: communication and copies, of typical steps; the whole run does not count
INSERT INTO point (point_id, model, backend, device, precision, settings, status)
VALUES (1, 'm', 'b', 'cuda:0', 'float32', '{}', 'done');
INSERT INTO run (run_id, point_id, rung, status, path) VALUES (1, 1, 'imported', 'done', 'a');
INSERT INTO device_time VALUES (1, NULL, 0, 3, 0, 1000, 1000, 0, 0, 0, 0, 0, 80, 60, 9),
  (1, NULL, 0, NULL, 0, 500, 0, 500, 0, 0, 0, 0, 500, 500, 9);
