-- why: the device had finished before the call: the host was late for other reasons
INSERT INTO point (point_id, model, backend, device, precision, settings, latency_ns, status)
VALUES (1, 'm', 'b', 'cuda:0', 'float32', '{}', 1000e3, 'done');
INSERT INTO run (run_id, point_id, rung, status, path, latency_ns, samples) VALUES (1, 1, 'imported', 'done', 'a', 1000e3, 1);
INSERT INTO track (run_id, id, kind, name, device, stream) VALUES (1, 1, 'thread', 't', NULL, NULL), (1, 2, 'stream', 's', 0, 7);
INSERT INTO device_time VALUES (1, NULL, 0, NULL, 0, 1000000, 900000, 100000, 900000, 0, 0, 0, 0, 0, 9);
INSERT INTO span (run_id, id, parent_id, level, type, name, track_id, start_ns, duration_ns, placed_by) VALUES
  (1, 3, 0, 'library', 'cuda_runtime', 'cudaStreamSynchronize', 1, 500000, 5000, 'nesting'),
  (1, 4, 0, 'kernel', 'kernel', 'k', 2, 0, 495000, 'nesting'),
  (1, 5, 0, 'kernel', 'kernel', 'k', 2, 560000, 440000, 'nesting');
