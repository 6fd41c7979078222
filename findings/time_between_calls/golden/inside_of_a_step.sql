-- why: waiting inside of a step is the step's, and the rest is short
INSERT INTO point (point_id, model, backend, device, precision, settings, status)
VALUES (1, 'm', 'b', 'cuda:0', 'float32', '{}', 'done');
INSERT INTO run (run_id, point_id, rung, status, path) VALUES (1, 1, 'imported', 'done', 'a');
INSERT INTO run (run_id, point_id, rung, status, path) VALUES (2, 1, 'recorded', 'done', 'b');
INSERT INTO system_series VALUES (2, 'cpu.busy_share', 'machine', '1', 0, 10000000000, 1, 1);
INSERT INTO span (run_id, id, parent_id, level, type, name, track_id, start_ns, duration_ns, placed_by)
VALUES (2, 1, 0, 'model', 'train', 'step', 1, 1000000000, 4000000000, 'nesting'),
  (2, 2, 1, 'application', 'range', 'enumerate(DataLoader)#x.__next__', 1, 2000000000, 1000000000, 'nesting'),
  (2, 3, 0, 'model', 'train', 'step', 1, 5200000000, 4000000000, 'nesting');
UPDATE point SET latency_ns = 1e9;
