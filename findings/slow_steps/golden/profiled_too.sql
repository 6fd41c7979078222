-- why: calls without profiling are uneven, too: two of eight
INSERT INTO point (point_id, model, backend, device, precision, settings, status)
VALUES (1, 'm', 'b', 'cuda:0', 'float32', '{}', 'done');
INSERT INTO run (run_id, point_id, rung, status, path) VALUES (1, 1, 'kernel', 'done', 'a'), (2, 1, 'model', 'done', 'b');
INSERT INTO step VALUES (1, NULL, 0, 's', 0, 100, NULL, 0, 0, 0, 0, 0, 0, false, NULL, NULL),
  (1, NULL, 1, 's', 0, 100, NULL, 0, 0, 0, 0, 0, 0, false, NULL, NULL),
  (1, NULL, 2, 's', 0, 100, NULL, 0, 0, 0, 0, 0, 0, false, NULL, NULL),
  (1, NULL, 3, 's', 0, 100, NULL, 0, 0, 0, 0, 0, 0, false, NULL, NULL),
  (1, NULL, 4, 's', 0, 120, NULL, 0, 0, 0, 0, 0, 0, true, 'aten::mm', 70),
  (1, NULL, 5, 's', 0, 150, NULL, 0, 0, 0, 0, 0, 0, true, 'aten::mm', 70);
INSERT INTO sample (run_id, iteration, latency_ns, disturbed) VALUES (2, 0, 80, false), (2, 1, 80, false), (2, 2, 120, false), (2, 3, 80, false), (2, 4, 90, false), (2, 5, 80, false), (2, 6, 80, false), (2, 7, 80, false);
