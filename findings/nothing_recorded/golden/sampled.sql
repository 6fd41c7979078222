-- why: the advice to sample stacks is not given where they were sampled
INSERT INTO point (point_id, model, backend, device, precision, settings, status)
VALUES (1, 'm', 'program', 'cpu', 'unknown', '{}', 'done');
INSERT INTO run (run_id, point_id, rung, status, path) VALUES (1, 1, 'recorded', 'done', 'a');
INSERT INTO call_tree VALUES (1, 'native', 1, NULL, 0, 'f', 'm', 10, 10, 99);
