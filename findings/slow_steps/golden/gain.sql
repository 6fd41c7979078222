-- why: two of six steps exceed the median by 20 and 50 of 670 ns; a slow first step counts only at most; no path is needed
INSERT INTO point (point_id, model, backend, device, precision, settings, latency_ns, status)
VALUES (1, 'm', 'b', 'cuda:0', 'float32', '{}', 1000, 'done');
INSERT INTO run (run_id, point_id, rung, status, path, latency_ns, samples) VALUES (1, 1, 'imported', 'done', 'a', 1000, 2);
INSERT INTO step VALUES (1, NULL, 0, 's', 0, 120, NULL, 0, 0, 0, 0, 0, 0, true, 'aten::mm', 20),
  (1, NULL, 1, 's', 0, 100, NULL, 0, 0, 0, 0, 0, 0, false, NULL, NULL),
  (1, NULL, 2, 's', 0, 100, NULL, 0, 0, 0, 0, 0, 0, false, NULL, NULL),
  (1, NULL, 3, 's', 0, 100, NULL, 0, 0, 0, 0, 0, 0, false, NULL, NULL),
  (1, NULL, 4, 's', 0, 100, NULL, 0, 0, 0, 0, 0, 0, false, NULL, NULL),
  (1, NULL, 5, 's', 0, 150, NULL, 0, 0, 0, 0, 0, 0, true, 'aten::mm', 50);
