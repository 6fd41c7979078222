-- why: 60 s before the only call and 30 s after it
INSERT INTO point (point_id, model, backend, device, precision, settings, status)
VALUES (1, 'm', 'b', 'cuda:0', 'float32', '{}', 'done');
INSERT INTO run (run_id, point_id, rung, status, path) VALUES (1, 1, 'imported', 'done', 'a');
INSERT INTO run (run_id, point_id, rung, status, path) VALUES (2, 1, 'recorded', 'done', 'b');
INSERT INTO system_series VALUES (2, 'cpu.busy_share', 'machine', '1', 0, 100000000000, 1, 1);
INSERT INTO span (run_id, id, parent_id, level, type, name, track_id, start_ns, duration_ns, placed_by)
VALUES (2, 1, 0, 'library', 'compile', 'torch.compile', 1, 10000000000, 20000000000, 'nesting'),
  (2, 2, 1, 'library', 'compile', 'inner', 1, 12000000000, 5000000000, 'nesting'),
  (2, 3, 0, 'library', 'compile', 'torch.compile', 1, 40000000000, 10000000000, 'nesting'),
  (2, 4, 0, 'model', 'predict', 'Net', 1, 60000000000, 10000000000, 'nesting');
UPDATE point SET latency_ns = 1e9;
