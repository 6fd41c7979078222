-- why: what was there before is no operator
INSERT INTO point (point_id, model, backend, device, precision, settings, status)
VALUES (1, 'm', 'b', 'cuda:0', 'float32', '{}', 'done');
INSERT INTO run (run_id, point_id, rung, status, path) VALUES (1, 1, 'imported', 'done', 'a');
INSERT INTO memory_holder VALUES (1, NULL, 0, 5, '(before recording)', NULL, 0, 500, 'address');
