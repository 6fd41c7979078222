-- why: a run of its own recorded kernels, which makes the host slower; the share is that of the model rung's call
INSERT INTO point (point_id, model, backend, device, precision, settings, latency_ns, status)
VALUES (1, 'm', 'b', 'cuda:0', 'float32', '{}', 2000, 'done');
INSERT INTO run (run_id, point_id, rung, status, path) VALUES (1, 1, 'kernel', 'done', 'a');
INSERT INTO device_time VALUES (1, NULL, 0, NULL, 0, 10000, 1600, 8400, 0, 0, 0, 0, 0, 0, 9),
  (1, NULL, 0, 0, 0, 5000, 800, 4200, 0, 0, 0, 0, 0, 0, 4),
  (1, NULL, 0, 1, 0, 5000, 800, 4200, 0, 0, 0, 0, 0, 0, 5);
INSERT INTO idle VALUES (1, NULL, 0, NULL, 0, 'host', 3, 4000, 0, 200, 'a', 'b'), (1, NULL, 0, NULL, 1, 'host', 3, 4000, 0, 200, 'a', 'b'),
  (1, NULL, 0, NULL, 1, 'kernel', 9, 400, 400, 3, 'a', 'b');
