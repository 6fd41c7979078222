-- why: 3 of 10 s in calls, no loader: what runs beside them hides 3 s, at most 7 s are saved
INSERT INTO point (point_id, model, backend, device, precision, settings, status)
VALUES (1, 'm', 'b', 'cpu', 'float32', '{}', 'done');
INSERT INTO run (run_id, point_id, rung, status, path) VALUES (1, 1, 'recorded', 'done', 'a');
INSERT INTO span (run_id, id, parent_id, level, type, name, track_id, start_ns, duration_ns, placed_by)
VALUES (1, 1, 0, 'model', 'predict', 'Net', 1, 0, 1000000000, 'nesting'),
  (1, 2, 0, 'model', 'predict', 'Net', 1, 4000000000, 1000000000, 'nesting'),
  (1, 3, 0, 'model', 'predict', 'Net', 1, 9000000000, 1000000000, 'nesting');
UPDATE point SET latency_ns = 1e9;
