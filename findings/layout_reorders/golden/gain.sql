-- why: six reorders, of which the first and the last are needed; kernels take 300 ms of their run, a call of the model 150 ms
INSERT INTO point (point_id, model, backend, device, precision, settings, latency_ns, status)
VALUES (1, 'm', 'b', 'cuda:0', 'float32', '{}', 1000, 'done');
INSERT INTO run (run_id, point_id, rung, status, path, latency_ns, samples) VALUES (1, 1, 'imported', 'done', 'a', 1000, 2);
UPDATE point SET latency_ns = 150e6, device = 'cpu';
UPDATE run SET latency_ns = 300e6, rung = 'kernel';
INSERT INTO kernel (point_id, kernel_index, name, type, dtype, unit, duration_ns, source_run, matched) VALUES
  (1, 0, 'reorder jit:uni', 'primitive', 'float32', 'vector', 10e6, 1, 'all'),
  (1, 1, 'reorder jit:uni', 'primitive', 'float32', 'vector', 20e6, 1, 'all'),
  (1, 2, 'convolution jit:avx512', 'primitive', 'float32', 'vector', 150e6, 1, 'all'),
  (1, 3, 'reorder jit:uni', 'primitive', 'float32', 'vector', 20e6, 1, 'all'),
  (1, 4, 'reorder jit:uni', 'primitive', 'float32', 'vector', 20e6, 1, 'all'),
  (1, 5, 'convolution jit:avx512', 'primitive', 'float32', 'vector', 50e6, 1, 'all'),
  (1, 6, 'reorder jit:uni', 'primitive', 'float32', 'vector', 20e6, 1, 'all'),
  (1, 7, 'reorder jit:uni', 'primitive', 'float32', 'vector', 10e6, 1, 'all');
