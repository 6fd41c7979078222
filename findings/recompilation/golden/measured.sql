-- why: calls that XSP makes follow warm-up, and its kernel run is not what is measured
INSERT INTO point (point_id, model, backend, device, precision, settings, latency_ns, status)
VALUES (1, 'm', 'b', 'cuda:0', 'float32', '{}', 1000e3, 'done');
INSERT INTO run (run_id, point_id, rung, status, path, latency_ns, samples) VALUES (1, 1, 'kernel', 'done', 'a', 1000e3, 1);
INSERT INTO track (run_id, id, kind, name) VALUES (1, 1, 'thread', 't');
INSERT INTO step VALUES (1, NULL, 0, 's', 0, 100000, NULL, 0, 0, 0, 0, 0, 0, false, NULL, NULL),
  (1, NULL, 1, 's', 100000, 100000, NULL, 0, 0, 0, 0, 0, 0, false, NULL, NULL),
  (1, NULL, 2, 's', 200000, 100000, NULL, 0, 0, 0, 0, 0, 0, false, NULL, NULL),
  (1, NULL, 3, 's', 300000, 100000, NULL, 0, 0, 0, 0, 0, 0, false, NULL, NULL),
  (1, NULL, 4, 's', 400000, 100000, NULL, 0, 0, 0, 0, 0, 0, false, NULL, NULL),
  (1, NULL, 5, 's', 500000, 100000, NULL, 0, 0, 0, 0, 0, 0, false, NULL, NULL),
  (1, NULL, 6, 's', 600000, 100000, NULL, 0, 0, 0, 0, 0, 0, false, NULL, NULL),
  (1, NULL, 7, 's', 700000, 100000, NULL, 0, 0, 0, 0, 0, 0, false, NULL, NULL),
  (1, NULL, 8, 's', 800000, 100000, NULL, 0, 0, 0, 0, 0, 0, false, NULL, NULL),
  (1, NULL, 9, 's', 900000, 100000, NULL, 0, 0, 0, 0, 0, 0, false, NULL, NULL);
INSERT INTO span (run_id, id, parent_id, level, type, name, track_id, start_ns, duration_ns, placed_by) VALUES
  (1, 1, 0, 'library', 'compile', 'torch.compile', 1, 310000, 50000, 'nesting');
