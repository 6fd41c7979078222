-- why: with one rung there is nothing to compare: the rule abstains
INSERT INTO point (point_id, model, backend, device, precision, batch, settings, latency_ns, status)
VALUES (1, 'm', 'b', 'cpu', 'float32', 1, '{}', 100e3, 'done');
INSERT INTO run (run_id, point_id, rung, status, path, latency_ns, latency_low_ns, latency_high_ns)
VALUES (1, 1, 'model', 'done', 'a', 100e3, 98e3, 102e3);
