-- why: the call first; ratios of what was counted, empty where it was not; FLOPs of all widths add up; the least counted share is the confidence
INSERT INTO point (point_id, model, backend, device, precision, batch, settings, status) VALUES
  (1, 'net', 'PyTorch 2', 'cpu', 'float32', 1, '{}', 'done'), (2, 'net', 'ONNX Runtime', 'cpu', 'float32', 1, '{}', 'done');
INSERT INTO run (run_id, point_id, rung, status, path) VALUES (1, 1, 'counters', 'done', 'a'), (2, 2, 'counters', 'done', 'b');
INSERT INTO layer (point_id, layer_index, name, type, source_run, matched) VALUES
  (1, 0, 'conv', 'aten::conv2d', 1, 'single'), (1, 1, 'relu', 'aten::relu', 1, 'single');
INSERT INTO event_count VALUES
  (1, 0, 'task_clock_ns', 3000, 'ns', 1, 'measured:perf_event', 1),
  (1, 0, 'cycles', 9000, '1', 0.5, 'measured:perf_event_user', 1),
  (1, 0, 'instructions', 18000, '1', 0.5, 'measured:perf_event_user', 1),
  (1, 0, 'cache_references', 100, '1', 0.5, 'measured:perf_event_user', 1),
  (1, 0, 'cache_misses', 25, '1', 0.5, 'measured:perf_event_user', 1),
  (1, 0, 'llc_load_misses', 10, '1', 0.75, 'measured:perf_event_user', 1),
  (1, 0, 'fp_retired.float32.512', 1500, 'flop', 0.25, 'measured:perf_event_user', 1),
  (1, 0, 'fp_retired.float32.scalar', 500, 'flop', 0.25, 'measured:perf_event_user', 1),
  (1, 1, 'task_clock_ns', 1000, 'ns', 1, 'measured:perf_event', 1),
  (1, 1, 'thread_page_faults', 2, '1', 1, 'measured:perf_event', 1),
  (1, 1, 'fp_retired.any.any', 0, 'flop', 1, 'measured:perf_event_user', 1),
  (1, NULL, 'task_clock_ns', 10000, 'ns', 1, 'measured:perf_event', 1),
  (1, NULL, 'context_switches', 3, '1', 1, 'measured:perf_event', 1),
  (2, NULL, 'cpu_migrations', 1, '1', 1, 'measured:perf_event', 2);
