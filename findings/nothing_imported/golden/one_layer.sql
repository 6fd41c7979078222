-- why: one layer is enough for shares of layers
INSERT INTO point (point_id, model, backend, device, precision, settings, status)
VALUES (1, 'm', 'program', 'cpu', 'unknown', '{}', 'done');
INSERT INTO run (run_id, point_id, rung, status, path) VALUES (1, 1, 'imported', 'done', 'a');
INSERT INTO layer (point_id, layer_index, name, type, latency_ns, source_run, matched)
VALUES (1, 0, 'a', 'aten::bmm', 20e3, 1, 'single');
