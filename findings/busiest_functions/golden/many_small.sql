-- why: no function has 5 % of the samples
INSERT INTO point (point_id, model, backend, device, precision, batch, settings, latency_ns, status)
VALUES (2, 'm', 'b', 'cpu', 'float32', 8, '{}', 40e6, 'done');
INSERT INTO run (run_id, point_id, rung, status, path) VALUES (1, 2, 'recorded', 'done', 'a');
INSERT INTO call_tree (run_id, node, parent, depth, kind, frame, module, samples, self_samples) VALUES
  (1, 1, NULL, 0, 'native', 'a', 'lib.so', 9, 9),
  (1, 2, NULL, 0, 'native', 'b', 'lib.so', 8, 8),
  (1, 3, NULL, 0, 'native', '(smaller)', 'lib.so', 183, 183);
