-- why: a CPU quota whose size is not known
INSERT INTO point (point_id, model, backend, device, precision, settings, latency_ns, cores, status)
VALUES (1, 'm', 'b', 'cpu', 'float32', '{}', 1e9, 2, 'done');
INSERT INTO run (run_id, point_id, rung, status, path, latency_ns, samples)
VALUES (1, 1, 'recorded', 'done', 'a', 1e9, 2);
INSERT INTO kernel (point_id, kernel_index, name, type, dtype, unit, duration_ns, source_run, matched) VALUES
  (1, 0, 'gemm mkl:SGEMM', 'primitive', 'float32', 'vector', 800000000, 1, 'all');
INSERT INTO track (run_id, id, kind, name, process_id, thread_id) VALUES
  (1, 1, 'thread', 'a', 10, 10), (1, 2, 'thread', 'b', 20, 20), (1, 3, 'thread', 'c', 30, 30);
INSERT INTO span (run_id, id, parent_id, level, type, name, track_id, start_ns, duration_ns, placed_by) VALUES
  (1, 1, 0, 'model', 'predict', 'Net', 1, 2000000000, 3000000000, 'nesting'),
  (1, 2, 0, 'model', 'predict', 'Net', 1, 5000000000, 4000000000, 'nesting');
INSERT INTO system_usage (run_id, seconds, samples, monitor_share) VALUES (1, 10, 100, 0.001);
INSERT INTO system_series VALUES
  (1, 'cpu.busy_share', 'machine', '1', 0, 2000000000, 1.0, 1),
  (1, 'cpu.busy_share', 'cpu 0', '1', 0, 2000000000, 1.0, 1),
  (1, 'cpu.busy_share', 'cpu 1', '1', 0, 2000000000, 1.0, 1),
  (1, 'cgroup.cpu_cores', 'cgroup', '1', 0, 2000000000, 2.0, 1),
  (1, 'cpu.busy_share', 'machine', '1', 2000000000, 9000000000, 0.525, 1),
  (1, 'cpu.busy_share', 'cpu 0', '1', 2000000000, 9000000000, 0.525, 1),
  (1, 'cpu.busy_share', 'cpu 1', '1', 2000000000, 9000000000, 0.525, 1),
  (1, 'cgroup.cpu_cores', 'cgroup', '1', 2000000000, 9000000000, 1.05, 1),
  (1, 'cgroup.throttled_share', 'cgroup', '1', 2000000000, 9000000000, 0, 1);
