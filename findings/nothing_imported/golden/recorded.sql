-- why: a recorded program gets other advice
INSERT INTO point (point_id, model, backend, device, precision, settings, status)
VALUES (1, 'm', 'program', 'cpu', 'unknown', '{}', 'done');
INSERT INTO run (run_id, point_id, rung, status, path) VALUES (1, 1, 'recorded', 'done', 'a');
