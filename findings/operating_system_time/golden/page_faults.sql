-- why: 26 of 2 x 130 ms, with many page faults; baseline calls and other rungs do not count
INSERT INTO point (point_id, model, backend, device, precision, batch, settings, latency_ns, cores, status)
VALUES (1, 'm', 'b', 'cpu', 'float32', 1, '{}', 10e6, 2, 'done'),
  (2, 'm', 'b', 'cpu', 'float32', 8, '{}', 40e6, 2, 'done');
INSERT INTO run (run_id, point_id, rung, status, path) VALUES (1, 2, 'model', 'done', 'a'),
  (2, 2, 'layer', 'done', 'b'), (3, 1, 'model', 'done', 'c');
INSERT INTO sample (run_id, iteration, latency_ns, disturbed, system_ns, page_faults, rung)
VALUES (1, 0, 40e6, false, 8e6, 5000, NULL),
  (1, 1, 90e6, false, 18e6, 5000, 'model'),
  (2, 0, 40e6, false, 80e6, 90000, 'layer'),
  (2, 0, 40e6, false, 80e6, 90000, 'model'),
  (3, 0, 10e6, false, 0.1e6, 10, 'model');
