-- why: the slowest of two slow steps is named
INSERT INTO point (point_id, model, backend, device, precision, settings, status)
VALUES (1, 'm', 'b', 'cuda:0', 'float32', '{}', 'done');
INSERT INTO run (run_id, point_id, rung, status, path) VALUES (1, 1, 'imported', 'done', 'a');
INSERT INTO step VALUES (1, NULL, 0, 's', 0, 100, NULL, 0, 0, 0, 0, 0, 0, false, NULL, NULL),
  (1, NULL, 1, 's', 0, 100, NULL, 0, 0, 0, 0, 0, 0, false, NULL, NULL),
  (1, NULL, 2, 's', 0, 100, NULL, 0, 0, 0, 0, 0, 0, false, NULL, NULL),
  (1, NULL, 3, 's', 0, 100, NULL, 0, 0, 0, 0, 0, 0, false, NULL, NULL),
  (1, NULL, 4, 's', 0, 130, NULL, 0, 0, 0, 0, 0, 0, true, 'aten::mm', 70),
  (1, NULL, 5, 's', 0, 200, NULL, 0, 0, 0, 0, 0, 0, true, 'aten::mm', 70);
