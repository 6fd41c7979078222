-- why: a measured model was not asked for layers: the rule abstains and says how to get them
INSERT INTO point (point_id, model, backend, device, precision, settings, status)
VALUES (1, 'm', 'program', 'cpu', 'unknown', '{}', 'done');
INSERT INTO run (run_id, point_id, rung, status, path) VALUES (1, 1, 'model', 'done', 'a');
