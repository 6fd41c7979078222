-- why: without work of a device the rule abstains and says how to get it
INSERT INTO point (point_id, model, backend, device, precision, settings, status)
VALUES (1, 'm', 'b', 'cuda:0', 'float32', '{}', 'done');
INSERT INTO run (run_id, point_id, rung, status, path) VALUES (1, 1, 'imported', 'done', 'a');
