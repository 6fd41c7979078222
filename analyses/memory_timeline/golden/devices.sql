-- why: each device and the host have their own peak; of two equal peaks the first is marked; times count from the run's first event on any device
INSERT INTO point (point_id, model, backend, device, precision, settings, status) VALUES
  (1, 'm', 'pytorch', 'cuda:0', 'float32', '{}', 'done');
INSERT INTO run (run_id, point_id, rung, status, path) VALUES (1, 1, 'imported', 'done', 'imported');
INSERT INTO tree (run_id, node, depth, level, type, name, count, host_ns, host_self_ns, device_ns, device_self_ns, kernels) VALUES
  (1, 1, 0, 'layer', 'aten::mm', 'aten::mm', 1, 100, 100, 0, 0, 0);
INSERT INTO memory_level (run_id, rank, device, time_ns, until_ns, allocated_low_bytes, allocated_high_bytes, reserved_bytes, provenance) VALUES
  (1, NULL, 0, 1000, 1100, 100, 200, 400, 'reported:allocator'), (1, NULL, 0, 1100, 1200, 150, 200, 400, 'reported:allocator'),
  (1, NULL, NULL, 900, 1200, 0, 50, NULL, 'analytic'), (1, NULL, 1, 1000, 1200, 0, 0, NULL, 'reported:allocator');
