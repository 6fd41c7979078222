-- why: no latency is known: the mean of all steps; ranges inside of a phase do not count
INSERT INTO point (point_id, model, backend, device, precision, settings, status)
VALUES (1, 'm', 'b', 'cuda:0', 'float32', '{}', 'done');
INSERT INTO run (run_id, point_id, rung, status, path) VALUES (1, 1, 'imported', 'done', 'a');
INSERT INTO tree VALUES (1, NULL, 1, NULL, 0, 'model', 'train', 'step', 10, 1000, 0, 0, 0, 9);

INSERT INTO tree VALUES (1, NULL, 2, 1, 1, 'application', 'range', 'forward', 20, 300, 0, 0, 0, 9);
INSERT INTO tree VALUES (1, NULL, 3, 1, 1, 'application', 'range', 'backward', 10, 600, 0, 0, 0, 9);
INSERT INTO tree VALUES (1, NULL, 4, 2, 2, 'application', 'range', 'mine', 10, 100, 0, 0, 0, 9);
