-- why: the fallback reaches a tenth of its roof, three others of its kind 40, 50 and 60 per cent; of the second nothing is known
INSERT INTO point (point_id, model, backend, device, precision, settings, latency_ns, status)
VALUES (1, 'm', 'b', 'cuda:0', 'float32', '{}', 1000, 'done');
INSERT INTO run (run_id, point_id, rung, status, path, latency_ns, samples) VALUES (1, 1, 'imported', 'done', 'a', 1000, 2);
UPDATE point SET latency_ns = 1000e3, device = 'cpu';
UPDATE run SET latency_ns = 1000e3, rung = 'model';
INSERT INTO roof VALUES ('flops', 'f', 'float32', 'vector', 1, 1e9, 'measured:xsp', 'x', true),
  ('bandwidth', 'b', NULL, NULL, 1, 1e9, 'measured:xsp', 'x', true);
INSERT INTO kernel (point_id, kernel_index, name, type, dtype, unit, implementation, duration_ns, flops, read_bytes,
  write_bytes, matched) VALUES
  (1, 0, 'pooling jit:uni', 'primitive', 'float32', 'vector', 'jit:uni', 100e3, 40e3, 0, 0, 'all'),
  (1, 1, 'pooling jit:uni', 'primitive', 'float32', 'vector', 'jit:uni', 100e3, 50e3, 0, 0, 'all'),
  (1, 2, 'pooling jit:uni', 'primitive', 'float32', 'vector', 'jit:uni', 100e3, 60e3, 0, 0, 'all'),
  (1, 3, 'pooling ref:any', 'primitive', 'float32', 'vector', 'ref:any', 200e3, 20e3, 0, 0, 'all'),
  (1, 4, 'convolution jit:uni', 'primitive', 'float32', 'vector', 'jit:uni', 100e3, 1e3, 0, 0, 'all'),
  (1, 5, 'shuffle ref:any', 'primitive', 'float32', 'vector', 'ref:any', 100e3, NULL, NULL, NULL, 'all');
