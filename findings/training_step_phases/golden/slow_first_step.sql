-- why: the trimmed mean of the ten steps is 40 ns, their mean 100
INSERT INTO point (point_id, model, backend, device, precision, settings, status)
VALUES (1, 'm', 'b', 'cuda:0', 'float32', '{}', 'done');
INSERT INTO run (run_id, point_id, rung, status, path) VALUES (1, 1, 'imported', 'done', 'a');
INSERT INTO tree VALUES (1, NULL, 1, NULL, 0, 'model', 'train', 'step', 10, 1000, 0, 0, 0, 9);
INSERT INTO tree VALUES (1, NULL, 2, 1, 1, 'application', 'range', 'forward', 10, 300, 0, 0, 0, 9);

UPDATE point SET latency_ns = 40;
UPDATE run SET samples = 10;
