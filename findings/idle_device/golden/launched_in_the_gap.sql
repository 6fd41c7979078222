-- why: a host is late only until it launches; what it launched then waits for something else
INSERT INTO point (point_id, model, backend, device, precision, settings, status)
VALUES (1, 'm', 'b', 'cuda:0', 'float32', '{}', 'done');
INSERT INTO run (run_id, point_id, rung, status, path) VALUES (1, 1, 'imported', 'done', 'a');
INSERT INTO device_time VALUES (1, NULL, 0, NULL, 0, 1000, 500, 500, 0, 0, 0, 0, 0, 0, 9);
INSERT INTO idle VALUES (1, NULL, 0, NULL, NULL, 'host', 1, 500, 450, 500, 'a', 'b');
