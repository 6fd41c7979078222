-- why: the compilations of steps 0 (80 of its 100 ns above the median) and 3 (150 of 200, one inside of another) are not part of the gain
INSERT INTO point (point_id, model, backend, device, precision, settings, latency_ns, status)
VALUES (1, 'm', 'b', 'cpu', 'float32', '{}', 100, 'done');
INSERT INTO run (run_id, point_id, rung, status, path, latency_ns, samples) VALUES (1, 1, 'recorded', 'done', 'a', 100, 6);
INSERT INTO step SELECT 1, NULL, n, 's', 1000 * n, CASE n WHEN 0 THEN 200 WHEN 3 THEN 300 ELSE 100 END, NULL, 0, 0, 0, 0, 0, 0,
  n IN (0, 3), CASE WHEN n IN (0, 3) THEN 'compile' END, CASE n WHEN 0 THEN 80 WHEN 3 THEN 150 END FROM range(6) AS t(n);
INSERT INTO span (run_id, id, parent_id, level, type, name, track_id, start_ns, duration_ns, placed_by)
VALUES (1, 1, 0, 'library', 'compile', 'torch.compile', 1, 10, 80, 'nesting'),
  (1, 2, 0, 'library', 'compile', 'torch.compile', 1, 3010, 150, 'nesting'),
  (1, 3, 2, 'library', 'compile', 'inner', 1, 3020, 60, 'nesting');
