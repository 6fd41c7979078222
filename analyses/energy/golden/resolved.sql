-- why: a call of 20 repetitions at 100 W takes 2 J, of 4 items 0.5 J each; what is not resolved has a reason and no figure; runs before calls before layers
INSERT INTO point (point_id, model, backend, device, precision, batch, settings, status) VALUES
  (1, 'net', 'PyTorch 2', 'cpu', 'float32', 4, '{}', 'done'), (2, 'train.py', 'PyTorch 2', 'cpu', 'float32', NULL, '{}', 'done');
INSERT INTO run (run_id, point_id, rung, status, path) VALUES
  (1, 1, 'model', 'done', 'a'), (2, 1, 'layer', 'done', 'b'), (3, 2, 'recorded', 'done', 'c');
INSERT INTO energy VALUES
  (1, 2, 'layer', 0, 'conv', 'package-0', 20, 2000000, 2000000, 100000000, 0.02, 0.01, NULL, 'too short'),
  (1, 1, 'call', NULL, 'net', 'package-0', 20, 400000000, 400000000, 100000000, 4, 1, 40, NULL),
  (1, 1, 'run', NULL, 'model', 'package-0', 1, 500000000, 500000000, 100000000, 5, 1, 50, NULL),
  (1, 1, 'run', NULL, 'model', 'gpu 0', 1, 500000000, 500000000, 100000000, 5, 1, 25, NULL),
  (2, 3, 'phase', NULL, 'backward', 'package-0', 10, 900000000, 900000000, 100000000, 9, 0.75, 60, NULL),
  (2, 3, 'run', NULL, 'recorded', 'package-0', 1, 2000000000, 2000000000, 100000000, 20, 1, 200, NULL);
