-- why: 4 of 10 s are waiting for data, in which the device works, too; they count once, and 4 s are left
INSERT INTO point (point_id, model, backend, device, precision, settings, status)
VALUES (1, 'm', 'b', 'cuda:0', 'float32', '{}', 'done');
INSERT INTO run (run_id, point_id, rung, status, path) VALUES (2, 1, 'recorded', 'done', 'b');
INSERT INTO system_series VALUES (2, 'cpu.busy_share', 'machine', '1', 0, 10000000000, 1, 1);
INSERT INTO track (run_id, id, kind, name, device) VALUES (2, 1, 'thread', 'thread', NULL), (2, 9, 'stream', 'stream', 0);
INSERT INTO span (run_id, id, parent_id, level, type, name, track_id, start_ns, duration_ns, placed_by)
VALUES (2, 1, 0, 'model', 'predict', 'Net', 1, 0, 1000000000, 'nesting'),
  (2, 2, 0, 'model', 'predict', 'Net', 1, 9000000000, 1000000000, 'nesting'),
  (2, 3, 0, 'layer', 'range', 'enumerate(DataLoader)#next', 1, 2000000000, 4000000000, 'nesting'),
  (2, 4, 1, 'kernel', 'kernel', 'gemm', 9, 2000000000, 4000000000, 'launch');
UPDATE point SET latency_ns = 1e9;
