-- why: operators that each hold just below a fifth are not named
INSERT INTO point (point_id, model, backend, device, precision, settings, status)
VALUES (1, 'm', 'b', 'cuda:0', 'float32', '{}', 'done');
INSERT INTO run (run_id, point_id, rung, status, path) VALUES (1, 1, 'imported', 'done', 'a');
INSERT INTO memory_holder VALUES (1, NULL, 0, 5, 'op0', NULL, 1, 199, 'address'),
  (1, NULL, 0, 5, 'op1', NULL, 1, 199, 'address'),
  (1, NULL, 0, 5, 'op2', NULL, 1, 199, 'address'),
  (1, NULL, 0, 5, 'op3', NULL, 1, 199, 'address'),
  (1, NULL, 0, 5, 'op4', NULL, 1, 199, 'address'),
  (1, NULL, 0, 5, 'op5', NULL, 1, 5, 'address');
INSERT INTO memory_level (run_id, rank, device, time_ns, until_ns, allocated_low_bytes, allocated_high_bytes, reserved_bytes, provenance) VALUES
  (1, NULL, 0, 5, 6, 1000, 1000, 2000, 'address');
