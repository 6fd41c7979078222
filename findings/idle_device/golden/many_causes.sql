-- why: a cause that explains less than half of the idle time is not named
INSERT INTO point (point_id, model, backend, device, precision, settings, status)
VALUES (1, 'm', 'b', 'cuda:0', 'float32', '{}', 'done');
INSERT INTO run (run_id, point_id, rung, status, path) VALUES (1, 1, 'imported', 'done', 'a');
INSERT INTO device_time VALUES (1, NULL, 0, NULL, 0, 1000, 500, 500, 0, 0, 0, 0, 0, 0, 9);
INSERT INTO idle VALUES (1, NULL, 0, NULL, NULL, 'host', 3, 200, 0, 200, 'a', 'b'),
  (1, NULL, 0, NULL, NULL, 'other', 3, 150, 150, 200, 'a', 'b'),
  (1, NULL, 0, NULL, NULL, 'launch', 9, 150, 150, 3, 'a', 'b');
