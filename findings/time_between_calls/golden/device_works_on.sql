-- why: calls return before the device has done what they launched; only 1 s of the 4 s between them is no work of theirs
INSERT INTO point (point_id, model, backend, device, precision, settings, status)
VALUES (1, 'm', 'b', 'cuda:0', 'float32', '{}', 'done');
INSERT INTO run (run_id, point_id, rung, status, path) VALUES (2, 1, 'recorded', 'done', 'b');
INSERT INTO system_series VALUES (2, 'cpu.busy_share', 'machine', '1', 0, 10000000000, 1, 1);
INSERT INTO track (run_id, id, kind, name, device) VALUES (2, 1, 'thread', 'thread', NULL), (2, 9, 'stream', 'stream', 0);
INSERT INTO span (run_id, id, parent_id, level, type, name, track_id, start_ns, duration_ns, placed_by)
VALUES (2, 1, 0, 'model', 'predict', 'Net', 1, 0, 1000000000, 'nesting'),
  (2, 2, 0, 'model', 'predict', 'Net', 1, 5000000000, 1000000000, 'nesting'),
  (2, 3, 1, 'kernel', 'kernel', 'gemm', 9, 500000000, 2500000000, 'launch'),
  (2, 4, 1, 'kernel', 'kernel', 'gemm', 9, 1000000000, 3000000000, 'launch');
UPDATE point SET latency_ns = 1e9;
