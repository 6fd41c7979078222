-- why: nothing ran on a device
INSERT INTO point (point_id, model, backend, device, precision, settings, latency_ns, status)
VALUES (1, 'm', 'b', 'cuda:0', 'float32', '{}', 1000e3, 'done');
INSERT INTO run (run_id, point_id, rung, status, path, latency_ns, samples) VALUES (1, 1, 'imported', 'done', 'a', 1000e3, 1);
