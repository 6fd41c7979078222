-- why: just less than half of a call is in primitives, and the framework's own kernels are short
INSERT INTO point (point_id, model, backend, device, precision, settings, latency_ns, cores, status)
VALUES (1, 'm', 'b', 'cpu', 'float32', '{}', 10e6, 2, 'done');
INSERT INTO run (run_id, point_id, rung, status, path, latency_ns, samples, threads) VALUES
  (1, 1, 'model', 'done', 'a', 10e6, 10, 1), (2, 1, 'kernel', 'done', 'b', 10e6, 10, 1);
INSERT INTO kernel (point_id, kernel_index, name, type, dtype, unit, duration_ns, source_run, matched) VALUES
  (1, 0, 'convolution jit:avx512', 'primitive', 'float32', 'vector', 4990000, 2, 'all');
INSERT INTO kernel (point_id, kernel_index, name, type, dtype, unit, duration_ns, source_run, matched)
SELECT 1, 1 + i, 'aten::relu', 'native', 'float32', 'vector', 25050, 2, 'all' FROM range(200) AS of_all(i);
INSERT INTO system_usage (run_id, seconds, samples, monitor_share) VALUES (1, 10, 100, 0.001);
INSERT INTO system_series VALUES
  (1, 'cpu.busy_share', 'machine', '1', 0, 10000000000, 0.55, 1),
  (1, 'cpu.busy_share', 'cpu 0', '1', 0, 10000000000, 0.55, 1),
  (1, 'cpu.busy_share', 'cpu 1', '1', 0, 10000000000, 0.55, 1),
  (1, 'cgroup.cpu_cores', 'cgroup', '1', 0, 10000000000, 1.1, 1.1);
