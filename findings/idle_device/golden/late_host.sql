-- why: most of the idle time of steps is named by its cause; what is outside steps, and single streams, do not count
INSERT INTO point (point_id, model, backend, device, precision, settings, status)
VALUES (1, 'm', 'b', 'cuda:0', 'float32', '{}', 'done');
INSERT INTO run (run_id, point_id, rung, status, path) VALUES (1, 1, 'imported', 'done', 'a');
INSERT INTO device_time VALUES (1, NULL, 0, NULL, 0, 9000, 500, 8500, 0, 0, 0, 0, 0, 0, 9),
  (1, NULL, 0, 3, 0, 1000, 500, 500, 0, 0, 0, 0, 500, 500, 9);
INSERT INTO idle VALUES (1, NULL, 0, NULL, 3, 'host', 3, 480, 0, 200, 'a', 'b'),
  (1, NULL, 0, NULL, 3, 'kernel', 9, 20, 20, 3, 'a', 'b'),
  (1, NULL, 0, 7, 3, 'other', 9, 900, 900, 3, 'a', 'b'),
  (1, NULL, 0, NULL, NULL, 'other', 9, 8500, 8500, 3, 'a', 'b');
