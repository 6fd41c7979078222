-- why: ranks run side by side: 100 of 500 ns in one and nothing in the other are 50 of 450 ns
INSERT INTO point (point_id, model, backend, device, precision, settings, latency_ns, status)
VALUES (1, 'm', 'b', 'cpu', 'float32', '{}', 100, 'done');
INSERT INTO run (run_id, point_id, rung, status, path) VALUES (1, 1, 'recorded', 'done', 'a');
INSERT INTO step VALUES (1, 0, 0, 's', 0, 100, NULL, 0, 0, 0, 0, 0, 0, false, NULL, NULL),
  (1, 0, 1, 's', 0, 100, NULL, 0, 0, 0, 0, 0, 0, false, NULL, NULL),
  (1, 0, 2, 's', 0, 100, NULL, 0, 0, 0, 0, 0, 0, false, NULL, NULL),
  (1, 0, 3, 's', 0, 200, NULL, 0, 0, 0, 0, 0, 0, true, 'aten::mm', 100),
  (1, 1, 0, 's', 0, 100, NULL, 0, 0, 0, 0, 0, 0, false, NULL, NULL),
  (1, 1, 1, 's', 0, 100, NULL, 0, 0, 0, 0, 0, 0, false, NULL, NULL),
  (1, 1, 2, 's', 0, 100, NULL, 0, 0, 0, 0, 0, 0, false, NULL, NULL),
  (1, 1, 3, 's', 0, 100, NULL, 0, 0, 0, 0, 0, 0, false, NULL, NULL);
