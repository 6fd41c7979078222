-- why: the three with the most are named, by name where they are equal; "(smaller)" is no function
INSERT INTO point (point_id, model, backend, device, precision, batch, settings, latency_ns, status)
VALUES (2, 'm', 'b', 'cpu', 'float32', 8, '{}', 40e6, 'done');
INSERT INTO run (run_id, point_id, rung, status, path) VALUES (1, 2, 'recorded', 'done', 'a');
INSERT INTO call_tree (run_id, node, parent, depth, kind, frame, module, samples, self_samples) VALUES
  (1, 1, NULL, 0, 'native', 'd', 'lib.so', 20, 20),
  (1, 2, NULL, 0, 'native', 'c', 'lib.so', 20, 20),
  (1, 3, NULL, 0, 'native', 'b', 'lib.so', 20, 20),
  (1, 4, NULL, 0, 'native', 'a', 'lib.so', 30, 30),
  (1, 5, NULL, 0, 'native', '(smaller)', 'lib.so', 60, 60);
