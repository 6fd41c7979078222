-- why: one kernel is enough for shares of kernels; without layers the rule abstains
INSERT INTO point (point_id, model, backend, device, precision, settings, status)
VALUES (1, 'm', 'program', 'cpu', 'unknown', '{}', 'done');
INSERT INTO run (run_id, point_id, rung, status, path) VALUES (1, 1, 'imported', 'done', 'a');
INSERT INTO kernel (point_id, kernel_index, name, type, duration_ns, source_run, matched)
VALUES (1, 0, 'k', 'kernel', 600e3, 1, 'single');
