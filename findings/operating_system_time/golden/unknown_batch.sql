-- why: a point without a batch size, whose page faults were not counted
INSERT INTO point (point_id, model, backend, device, precision, settings, latency_ns, cores, status)
VALUES (1, 'm', 'b', 'cpu', 'float32', '{}', 10e6, 1, 'done');
INSERT INTO run (run_id, point_id, rung, status, path) VALUES (1, 1, 'model', 'done', 'a');
INSERT INTO sample (run_id, iteration, latency_ns, disturbed, system_ns, page_faults, rung)
VALUES (1, 0, 10e6, false, 2e6, NULL, NULL);
