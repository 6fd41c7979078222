-- why: names lose their template arguments; a kernel without operator stays a dash in the list; the share is of the device's computing time on all streams; without streams there is none
INSERT INTO point (point_id, model, backend, device, precision, settings, status) VALUES
  (1, 'm', 'pytorch', 'cuda:0', 'float32', '{}', 'done');
INSERT INTO run (run_id, point_id, rung, status, path) VALUES (1, 1, 'imported', 'done', 'imported');
INSERT INTO stream (run_id, rank, device, stream, name, spans, busy_ns, alone_ns, compute_ns, communication_ns, copy_ns, start_ns, end_ns) VALUES
  (1, 0, 0, 7, 'stream 7', 4, 900, 900, 600, 300, 0, 0, 1000), (1, 0, 0, 13, 'stream 13', 4, 400, 400, 400, 0, 0, 0, 1000);
INSERT INTO kernel_sequence (run_id, rank, device, sequence, length, kernels, occurrences, duration_ns, gap_ns, operators) VALUES
  (1, 0, 0, 1, 2, '["a","b"]', 2, 100, 0, NULL),
  (1, 0, 0, 0, 2, '["void at::native::vectorized_elementwise_kernel<4, at::native::add<float> >(int)","(anonymous namespace)::softmax<1>"]', 5, 500, 125, '["aten::add",null]'),
  (1, 1, 0, 0, 2, '["a","b"]', 2, 100, 100, NULL);
INSERT INTO device_time (run_id, rank, device, start_ns, total_ns, busy_ns, idle_ns, compute_ns, communication_ns, copy_ns, compute_communication_ns, exposed_communication_ns, exposed_copy_ns, spans) VALUES
  (1, 0, 0, 0, 1000, 900, 100, 600, 300, 0, 0, 300, 0, 4);
