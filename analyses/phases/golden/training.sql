-- why: phases in order of execution, what is left last; steps of two places in the tree add up; ranks apart; calls that do not train are left out
INSERT INTO point (point_id, model, backend, device, precision, settings, status) VALUES
  (1, 'train.py', 'PyTorch 2.15.0', 'cpu', 'float32', '{}', 'done');
INSERT INTO run (run_id, point_id, rung, status, path) VALUES (1, 1, 'recorded', 'done', 'recorded');
INSERT INTO tree (run_id, rank, node, parent, depth, level, type, name, count, host_ns, host_self_ns, device_ns, device_self_ns, kernels) VALUES
  (1, NULL, 1, NULL, 0, 'model', 'train', 'step', 10, 1000, 100, 500, 0, 100),
  (1, NULL, 2, 1, 1, 'application', 'range', 'forward', 20, 300, 10, 200, 0, 40),
  (1, NULL, 3, 2, 2, 'application', 'range', 'mine', 10, 100, 10, 0, 0, 0),
  (1, NULL, 4, 1, 1, 'application', 'range', 'backward', 10, 500, 10, 300, 0, 60),
  (1, NULL, 5, 1, 1, 'application', 'range', 'optimizer', 10, 100, 10, 0, 0, 0),
  (1, NULL, 6, NULL, 0, 'application', 'range', 'epoch', 1, 900, 0, 0, 0, 0),
  (1, NULL, 7, 6, 1, 'model', 'train', 'step', 10, 1000, 100, 500, 0, 100),
  (1, NULL, 8, 7, 2, 'application', 'range', 'forward', 10, 400, 10, 200, 0, 50),
  (1, NULL, 9, NULL, 0, 'model', 'predict', 'Net', 5, 100, 10, 0, 0, 0),
  (1, NULL, 10, 9, 1, 'application', 'range', 'forward', 5, 90, 10, 0, 0, 0),
  (1, 1, 11, NULL, 0, 'model', 'train', 'step', 4, 400, 0, 0, 0, 8),
  (1, 1, 12, 11, 1, 'application', 'range', 'forward', 4, 400, 0, 0, 0, 8);
