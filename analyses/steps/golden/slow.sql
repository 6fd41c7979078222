-- why: the median is that of the rank; a device that lags behind is busy for longer than the step took on the host; a run without a device says nothing of it; steps are in order of time
INSERT INTO point (point_id, model, backend, device, precision, settings, status) VALUES
  (1, 'm', 'pytorch', 'cuda:0', 'float32', '{}', 'done'), (2, 'm', 'pytorch', 'cpu', 'float32', '{}', 'done');
INSERT INTO run (run_id, point_id, rung, status, path) VALUES
  (1, 1, 'imported', 'done', 'imported'), (2, 2, 'kernel', 'done', 'kernel-1');
INSERT INTO step (run_id, rank, step, name, start_ns, duration_ns, busy_ns, kernel_ns, kernels, launches, copies, synchronisation_ns, operators, is_slow, changed, changed_ns) VALUES
  (1, 0, 11, 'ProfilerStep#11', 100, 100, 120, 130, 4, 2, 1, 10, 9, false, NULL, NULL),
  (1, 0, 10, 'ProfilerStep#10', 0, 100, 50, 50, 4, 4, 1, 10, 9, false, NULL, NULL),
  (1, 0, 12, 'ProfilerStep#12', 200, 180, 50, 50, 4, 4, 1, 10, 9, true, 'enumerate(DataLoader)#0', 60),
  (1, 1, 10, 'ProfilerStep#10', 0, 200, 50, 50, 4, 4, 1, 10, 9, false, NULL, NULL),
  (2, NULL, 0, 'predict', 0, 50, NULL, 40, 2, 0, 0, 0, 3, false, NULL, NULL);
