-- why: more system time than the cores had, as is counted of short calls
INSERT INTO point (point_id, model, backend, device, precision, batch, settings, latency_ns, cores, status)
VALUES (1, 'm', 'b', 'cpu', 'float32', 1, '{}', 10e6, 2, 'done'),
  (2, 'm', 'b', 'cpu', 'float32', 8, '{}', 40e6, 2, 'done');
INSERT INTO run (run_id, point_id, rung, status, path) VALUES (1, 2, 'model', 'done', 'a'),
  (2, 2, 'layer', 'done', 'b'), (3, 1, 'model', 'done', 'c');
INSERT INTO sample (run_id, iteration, latency_ns, disturbed, system_ns, page_faults, rung)
VALUES (1, 0, 40e6, false, 90e6, 999, NULL);
