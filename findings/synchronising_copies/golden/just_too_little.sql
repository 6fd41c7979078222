-- why: the idle time after the wait is below a fiftieth
INSERT INTO point (point_id, model, backend, device, precision, settings, latency_ns, status)
VALUES (1, 'm', 'b', 'cuda:0', 'float32', '{}', 1000e3, 'done');
INSERT INTO run (run_id, point_id, rung, status, path, latency_ns, samples) VALUES (1, 1, 'imported', 'done', 'a', 1000e3, 1);
INSERT INTO track (run_id, id, kind, name, device, stream) VALUES (1, 1, 'thread', 't', NULL, NULL), (1, 2, 'stream', 's', 0, 7);
INSERT INTO device_time VALUES (1, NULL, 0, NULL, 0, 4000000, 3900000, 100000, 3900000, 0, 0, 0, 0, 0, 9);
INSERT INTO span (run_id, id, parent_id, level, type, name, track_id, start_ns, duration_ns, placed_by) VALUES
  (1, 1, 0, 'layer', 'aten::item', 'aten::item', 1, 95000, 410000, 'nesting'),
  (1, 2, 1, 'layer', 'aten::_local_scalar_dense', 'aten::_local_scalar_dense', 1, 98000, 405000, 'nesting'),
  (1, 3, 2, 'library', 'cuda_runtime', 'cudaStreamSynchronize', 1, 100000, 400000, 'nesting'),
  (1, 4, 0, 'kernel', 'kernel', 'k', 2, 0, 495000, 'nesting'),
  (1, 5, 0, 'kernel', 'kernel', 'k', 2, 560000, 440000, 'nesting');
