-- why: the first step of a program loads libraries; what the device is idle in it is not of the typical step
INSERT INTO point (point_id, model, backend, device, precision, settings, latency_ns, status)
VALUES (1, 'm', 'b', 'cuda:0', 'float32', '{}', 10e6, 'done');
INSERT INTO run (run_id, point_id, rung, status, path, latency_ns) VALUES (1, 1, 'imported', 'done', 'a', 10e6);
INSERT INTO device_time VALUES
  (1, NULL, 0, NULL, 0, 530e6, 20e6, 510e6, 20e6, 0, 0, 0, 0, 0, 4),
  (1, NULL, 0, 0, 0, 500e6, 5e6, 495e6, 5e6, 0, 0, 0, 0, 0, 1),
  (1, NULL, 0, 1, 500e6, 10e6, 6e6, 4e6, 6e6, 0, 0, 0, 0, 0, 1),
  (1, NULL, 0, 2, 510e6, 10e6, 6e6, 4e6, 6e6, 0, 0, 0, 0, 0, 1);
INSERT INTO idle VALUES
  (1, NULL, 0, NULL, 0, 'host', 1, 495e6, 0, 495e6, 'a', 'b'),
  (1, NULL, 0, NULL, 1, 'host', 1, 4e6, 1e6, 4e6, 'a', 'b'),
  (1, NULL, 0, NULL, 2, 'host', 1, 4e6, 1e6, 4e6, 'a', 'b');
INSERT INTO critical_path VALUES
  (1, NULL, 0, 'compute', 'b', 1, 5e6), (1, NULL, 0, 'host', 'aten::conv2d', 1, 495e6),
  (1, NULL, 1, 'compute', 'b', 1, 6e6), (1, NULL, 1, 'host', 'aten::add', 1, 4e6),
  (1, NULL, 2, 'compute', 'b', 1, 6e6), (1, NULL, 2, 'host', 'aten::add', 1, 4e6);
