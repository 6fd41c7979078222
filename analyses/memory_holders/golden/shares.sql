-- why: shares are of each device's own peak, with what was there before recording in it; the largest come first
INSERT INTO point (point_id, model, backend, device, precision, settings, status) VALUES
  (1, 'm', 'pytorch', 'cuda:0', 'float32', '{}', 'done');
INSERT INTO run (run_id, point_id, rung, status, path) VALUES (1, 1, 'imported', 'done', 'imported');
INSERT INTO tree (run_id, node, depth, level, type, name, count, host_ns, host_self_ns, device_ns, device_self_ns, kernels) VALUES
  (1, 1, 0, 'layer', 'aten::mm', 'aten::mm', 1, 100, 100, 0, 0, 0);
INSERT INTO memory_level (run_id, rank, device, time_ns, until_ns, allocated_low_bytes, allocated_high_bytes, reserved_bytes, provenance) VALUES
  (1, NULL, 0, 1000, 1100, 100, 100, 400, 'reported:allocator');
INSERT INTO memory_holder (run_id, rank, device, peak_ns, operator, module, allocations, bytes, freed_by) VALUES
  (1, NULL, 0, 1000, 'aten::linear', 'nn.Module: Linear_0', 2, 30, 'address'),
  (1, NULL, 0, 1000, '(before recording)', NULL, 0, 60, 'address'),
  (1, NULL, 0, 1000, 'aten::linear', 'nn.Module: Linear_1', 1, 10, 'address'),
  (1, NULL, NULL, 1000, '(no operator)', NULL, 3, 24, 'size');
