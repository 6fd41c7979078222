-- why: short kernels with as much time between them
INSERT INTO point (point_id, model, backend, device, precision, settings, status)
VALUES (1, 'm', 'b', 'cuda:0', 'float32', '{}', 'done');
INSERT INTO run (run_id, point_id, rung, status, path) VALUES (1, 1, 'imported', 'done', 'a');
INSERT INTO device_time VALUES (1, NULL, 0, NULL, 0, 1000000, 0, 0, 0, 0, 0, 0, 0, 0, 9);
INSERT INTO kernel_sequence VALUES (1, NULL, 0, 0, 4, '[]', 5, 100000, 100000, NULL);
