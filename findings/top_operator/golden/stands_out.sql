-- why: six tenths of the work; modules are no operators
INSERT INTO point (point_id, model, backend, device, precision, settings, status)
VALUES (1, 'm', 'b', 'cuda:0', 'float32', '{}', 'done');
INSERT INTO run (run_id, point_id, rung, status, path) VALUES (1, 1, 'imported', 'done', 'a');
INSERT INTO tree VALUES (1, NULL, 1, NULL, 0, 'layer', 'module', 'm', 1, 0, 0, 1000, 900, 9);
INSERT INTO tree VALUES (1, NULL, 2, 1, 1, 'layer', 'aten::add', 'aten::add', 3, 0, 0, 100, 100, 1);
INSERT INTO tree VALUES (1, NULL, 2, 1, 1, 'layer', 'aten::mm', 'aten::mm', 3, 0, 0, 600, 600, 1);
INSERT INTO device_time VALUES (1, NULL, 0, NULL, 0, 1000, 500, 500, 0, 0, 0, 0, 0, 0, 9);
