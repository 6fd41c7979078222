-- why: many short kernels on a device that is idle during its steps; copies do not count
INSERT INTO point (point_id, model, backend, device, precision, settings, status)
VALUES (1, 'm', 'b', 'cuda:0', 'float32', '{}', 'done');
INSERT INTO run (run_id, point_id, rung, status, path) VALUES (1, 1, 'imported', 'done', 'a');
INSERT INTO device_time VALUES (1, NULL, 0, NULL, 0, 3000, 800, 2500, 0, 0, 0, 0, 0, 0, 9),
  (1, NULL, 0, 3, 0, 1000, 800, 200, 0, 0, 0, 0, 500, 500, 9);
INSERT INTO launch VALUES (1, NULL, 0, 'k', 'kernel', 10, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
  (1, NULL, 0, 'c', 'memcpy', 100, 0, 100, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
